// A headless Chromium that tests drive as a person would: keys and clicks that go through the
// browser's own input, pages opened from a folder. Over the DevTools protocol on two pipes; nothing
// listens on a port.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../base/temporary_folder.h"

namespace labkit::cli {

class Browser {
 public:
  /// LABKIT_CHROMIUM, or a browser of that family on the PATH; "" if there is none.
  static std::string find();

  /// Throws std::runtime_error if it does not start.
  explicit Browser(const std::string& program);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Opens a file and waits until it is loaded; `fragment` with its '#'.
  void open(const std::filesystem::path& page, const std::string& fragment = "");
  /// The value of a JavaScript expression. Throws if it throws.
  nlohmann::json evaluate(const std::string& expression);
  /// Waits until the expression is true. Throws after 20 seconds.
  void wait_for(const std::string& expression);
  /// Clicks in the middle of the first element that fits, with the mouse; scrolls to it first.
  void click(const std::string& selector);
  /// A key as the keyboard sends it: "Tab", "Enter", " ", "a".
  void key(const std::string& key, bool shift = false);
  void type(const std::string& text);
  void back();
  /// "dark", "light"; and "print" or "screen".
  void emulate(const std::string& scheme, const std::string& medium = "screen");
  void resize(unsigned width, unsigned height);
  void disable_scripts(bool disabled);
  /// What the page's console and the browser complained of since the last call: errors, refused
  /// scripts and styles, exceptions.
  std::vector<std::string> complaints();
  /// What the page asked the network or the disk for since it was opened, itself among it.
  std::vector<std::string> requests();
  /// The page as it is seen, as PNG in base64.
  std::string screenshot();

 private:
  nlohmann::json call(const std::string& method,
                      nlohmann::json parameters = nlohmann::json::object(),
                      bool to_browser = false);
  nlohmann::json receive(double seconds);
  void note(const nlohmann::json& event);

  TemporaryFolder profile_;
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1, next_ = 0;
  std::string session_, buffer_;
  bool loaded_ = false;
  std::vector<std::string> complaints_, requests_;
};

/// The least contrast of any text that the selector finds with what is behind it (WCAG 2.1, 1.4.3); 99 if it finds none.
double least_contrast(Browser& browser, const std::string& selector);

}  // namespace labkit::cli
