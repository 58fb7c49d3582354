#include "browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace labkit::cli {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double kPatience = 60;  ///< seconds: a busy machine may be slow, a hung browser is not

std::string file_url(const std::filesystem::path& path) {
  std::string url = "file://";
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (isalnum(byte) || c == '/' || c == '-' || c == '_' || c == '.')
      url += c;
    else
      url += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return url;
}

/// Contrast of an element's text with what is behind it (WCAG 2.1, 1.4.3).
constexpr const char* kContrast = R"js(
(selector) => {
  const lin = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const parse = s => s.match(/[\d.]+/g).map(Number);
  const light = c => 0.2126 * lin(c[0]) + 0.7152 * lin(c[1]) + 0.0722 * lin(c[2]);
  let least = 99;
  for (const e of document.querySelectorAll(selector)) {
    if (!e.getClientRects().length) continue;
    let behind = e, back = [0, 0, 0, 0];
    while (behind && (back.length === 4 && back[3] === 0)) {
      back = parse(getComputedStyle(behind).backgroundColor);
      behind = behind.parentElement;
    }
    const a = light(parse(getComputedStyle(e).color)), b = light(back);
    least = Math.min(least, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return least;
})js";

void pipe_or_throw(int (&ends)[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  // Not among the numbers that the child's ends get.
  for (int& end : ends) {
    const int higher = fcntl(end, F_DUPFD_CLOEXEC, 10);
    close(end);
    end = higher;
  }
}

}  // namespace

std::string Browser::find() {
  if (const char* named = std::getenv("LABKIT_CHROMIUM")) return named;
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  for (const char* name : {"chromium", "google-chrome", "chrome"})
    for (std::size_t at = 0; at <= rest.size();) {
      const std::size_t end = std::min(rest.find(':', at), rest.size());
      std::string candidate = rest.substr(at, end - at) + "/" + name;
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
      at = end + 1;
    }
  return {};
}

Browser::Browser(const std::string& program) {
  signal(SIGPIPE, SIG_IGN);
  int commands[2], answers[2];
  pipe_or_throw(commands);
  pipe_or_throw(answers);
  const std::string profile = "--user-data-dir=" + (profile_.path() / "profile").string();
  std::vector<std::string> words = {program,
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-quic",
                                    "--disable-dev-shm-usage",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--remote-debugging-pipe",
                                    "--window-size=1280,900",
                                    profile,
                                    "about:blank"};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int log = ::open((profile_.path() / "log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    // Out of the way first: one of them may have the number that another is to get.
    const int in = fcntl(commands[0], F_DUPFD_CLOEXEC, 10);
    const int out = fcntl(answers[1], F_DUPFD_CLOEXEC, 10);
    const int told = fcntl(log, F_DUPFD_CLOEXEC, 10);
    dup2(in, 3);
    dup2(out, 4);
    dup2(told, 1);
    dup2(told, 2);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  close(log);
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  if (pid_ < 0) throw std::runtime_error("no process for the browser");
  const json target = call("Target.createTarget", {{"url", "about:blank"}}, true);
  session_ =
      call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}}, true)
          .at("sessionId");
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable", "Network.enable"})
    call(domain);
}

Browser::~Browser() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

json Browser::receive(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    const std::size_t stop = buffer_.find('\0');
    if (stop != std::string::npos) {
      json message = json::parse(buffer_.substr(0, stop));
      buffer_.erase(0, stop + 1);
      return message;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd ready = {.fd = from_, .events = POLLIN, .revents = 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0)
      throw std::runtime_error("the browser does not answer");
    char bytes[1 << 16];
    const ssize_t got = read(from_, bytes, sizeof bytes);
    if (got <= 0) throw std::runtime_error("the browser has ended");
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

void Browser::note(const json& event) {
  const std::string method = event.value("method", "");
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method == "Network.requestWillBeSent")
    requests_.push_back(event["params"]["request"].value("url", ""));
  if (method == "Runtime.exceptionThrown")
    complaints_.push_back(event["params"]["exceptionDetails"].dump());
  if (method == "Log.entryAdded" && event["params"]["entry"]["level"] == "error")
    complaints_.push_back(event["params"]["entry"].value("text", ""));
}

json Browser::call(const std::string& method, json parameters, bool to_browser) {
  json command = {{"id", ++next_}, {"method", method}, {"params", std::move(parameters)}};
  if (!to_browser) command["sessionId"] = session_;
  std::string text = command.dump();
  text.push_back('\0');
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t now = write(to_, text.data() + sent, text.size() - sent);
    if (now <= 0) throw std::runtime_error("the browser has ended");
    sent += static_cast<std::size_t>(now);
  }
  for (;;) {
    json message = receive(kPatience);
    if (message.value("id", 0) != next_) {
      note(message);
      continue;
    }
    if (message.contains("error"))
      throw std::runtime_error(method + ": " + message["error"].dump());
    return message.at("result");
  }
}

void Browser::open(const std::filesystem::path& page, const std::string& fragment) {
  loaded_ = false;
  // Twice the same address with another fragment would only scroll.
  call("Page.navigate", {{"url", "about:blank"}});
  while (!loaded_) note(receive(kPatience));
  loaded_ = false;
  requests_.clear();
  call("Page.navigate", {{"url", file_url(page) + fragment}});
  while (!loaded_) note(receive(kPatience));
}

json Browser::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails"))
    throw std::runtime_error(expression + ": " + answer["exceptionDetails"].dump());
  return answer.at("result").value("value", json());
}

void Browser::wait_for(const std::string& expression) {
  for (int i = 0; i < 400; ++i) {
    try {
      if (evaluate(expression) == true) return;
    } catch (const std::runtime_error&) {  // between two pages there is nothing to ask
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("it never came true: " + expression);
}

void Browser::click(const std::string& selector) {
  const json at = evaluate("(() => { const e = document.querySelector(" + json(selector).dump() +
                           "); if (!e) return null; e.scrollIntoView({block: 'center'});"
                           " const r = e.getClientRects()[0];"
                           " return r && [r.x + r.width / 2, r.y + r.height / 2]; })()");
  if (!at.is_array()) throw std::runtime_error("nothing to click: " + selector);
  for (const char* type : {"mousePressed", "mouseReleased"})
    call("Input.dispatchMouseEvent",
         {{"type", type}, {"x", at[0]}, {"y", at[1]}, {"button", "left"}, {"clickCount", 1}});
}

void Browser::key(const std::string& key, bool shift) {
  json event = {{"key", key}, {"code", key}, {"modifiers", shift ? 8 : 0}};
  if (key == "Tab") event["windowsVirtualKeyCode"] = 9;
  if (key == "Enter") {
    event["windowsVirtualKeyCode"] = 13;
    event["text"] = "\r";
  }
  if (key == " ") {
    event["windowsVirtualKeyCode"] = 32;
    event["code"] = "Space";
    event["text"] = " ";
  }
  event["type"] = "keyDown";
  call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  call("Input.dispatchKeyEvent", event);
}

void Browser::type(const std::string& text) { call("Input.insertText", {{"text", text}}); }

void Browser::back() {
  const json history = call("Page.getNavigationHistory");
  const int index = history.at("currentIndex").get<int>() - 1;
  call("Page.navigateToHistoryEntry",
       {{"entryId", history.at("entries").at(static_cast<std::size_t>(index)).at("id")}});
}

void Browser::emulate(const std::string& scheme, const std::string& medium) {
  call("Emulation.setEmulatedMedia",
       {{"media", medium},
        {"features", json::array({{{"name", "prefers-color-scheme"}, {"value", scheme}}})}});
}

void Browser::resize(unsigned width, unsigned height) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

void Browser::disable_scripts(bool disabled) {
  call("Emulation.setScriptExecutionDisabled", {{"value", disabled}});
}

std::vector<std::string> Browser::complaints() {
  evaluate("0");  // what came before the answer is read by now
  return std::exchange(complaints_, {});
}

std::vector<std::string> Browser::requests() {
  evaluate("0");
  return requests_;
}

std::string Browser::screenshot() {
  return call("Page.captureScreenshot").at("data").get<std::string>();
}

double least_contrast(Browser& browser, const std::string& selector) {
  return browser.evaluate(std::string("(") + kContrast + ")(" + json(selector).dump() + ")")
      .get<double>();
}

}  // namespace labkit::cli
