// What `labkit hint` remembers between calls, in <cache>/hints/<lab>.json: how many hints of which defect
// of which file were shown, and the last result, so that asking again does not grade again.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace labkit::cli {

class HintState {
 public:
  /// Reads what is there. A file that cannot be read begins anew, which `mended` then says, for people.
  HintState(std::filesystem::path directory, const std::string& lab_id);

  std::size_t shown(const std::string& file, const std::string& defect) const;
  void set_shown(const std::string& file, const std::string& defect, std::size_t count);
  /// Of all defects of that file.
  void forget(const std::string& file);

  /// The last result's JSON if it was of this `key`, else "".
  std::string result(const std::string& key) const;
  void set_result(const std::string& key, std::string json);

  /// Throws labkit::Error if the file cannot be written.
  void write() const;

  std::string mended;

 private:
  void read(const std::string& text);
  std::filesystem::path path_;
  std::map<std::pair<std::string, std::string>, std::size_t> shown_;  ///< by file, defect
  std::string key_, result_;
};

}  // namespace labkit::cli
