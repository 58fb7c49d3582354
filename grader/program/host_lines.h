// Where in its source the program's own calls stand, by its debug information.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "words/message.h"

namespace labkit::program {

class HostLines {
 public:
  explicit HostLines(std::filesystem::path program) : program_(std::move(program)) {}
  /// Of a program that has no file.
  explicit HostLines(std::map<std::uint64_t, words::SourceLine> lines) : known_(std::move(lines)) {}
  /// Of the call that ends at that place in the program's file; line 0: not known.
  words::SourceLine at(std::uint64_t caller);

 private:
  std::filesystem::path program_ = {};
  std::map<std::uint64_t, words::SourceLine> known_;
};

/// What `sizeof` is asked of in the statements at a line, and where the names in them get their values.
struct Sizes {
  struct Size {
    std::string written;      ///< "float", "*p", "h"
    bool of_pointer = false;  ///< the name of a pointer
  };
  bool is_known = false;  ///< false: there is no such line to read
  std::vector<Size> all = {};
};
Sizes sizes_at(const words::SourceLine& line);
/// Of a type's name like "unsigned char" or "float4"; 0: not known.
std::uint32_t bytes_of_type(const std::string& type);

}  // namespace labkit::program
