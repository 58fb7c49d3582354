// What `labkit hint` remembers between calls, in <cache>/hints/<lab>.json: how many hints of which defect
// of which file were shown, and the last result, so that asking again does not grade again.
//
// A defect is the same one as long as it has the same name and stands at the same place: in a line that reads the same,
// wherever lines above have moved it, or, of the last one that was asked about, in the line of the same number, so that
// who tries to fix it does not start again. Another one begins with its first hint.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace labkit::cli {

struct HintedDefect {
  std::string id;          ///< explain::Defect::id, and the kernel
  std::uint32_t line = 0;  ///< 0: it has none
  std::string text;        ///< what stands there
};

class HintState {
 public:
  /// Reads what is there. A file that cannot be read is left out, which `warning` then says, for people.
  HintState(std::filesystem::path directory, const std::string& lab_id);

  std::size_t shown(const std::string& file, const HintedDefect& defect) const;
  void set_shown(const std::string& file, const HintedDefect& defect, std::size_t count);
  /// Of all defects of that file.
  void forget(const std::string& file) {
    std::erase_if(shown_, [&](const Shown& one) { return one.file == file; });
  }

  /// The last result's JSON if it was of this `key`, else "".
  std::string result(const std::string& key) const { return key == key_ ? result_ : ""; }
  void set_result(const std::string& key, const std::string& json) {
    key_ = key;
    result_ = json;
  }

  /// Throws labkit::Error if the file cannot be written.
  void write() const;

  std::string warning;

 private:
  std::filesystem::path path_;
  struct Shown {
    std::string file;
    HintedDefect defect;
    std::size_t count = 0;
  };
  const Shown* find(const std::string& file, const HintedDefect& defect) const;
  std::vector<Shown> shown_;  ///< what was asked about last stands last
  std::string key_, result_;
};

}  // namespace labkit::cli
