// Where in its source the program's own calls stand, by its debug information.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
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
    bool of_pointer = false;  ///< the name of a pointer, or a type of pointers
    /// "Vec" of "Vec*"; else as it is written.
    std::string without_star() const;
  };
  bool is_known = false;  ///< false: there is no such line to read
  std::vector<Size> all = {};
};
Sizes sizes_at(const words::SourceLine& line);
/// The array of the host whose name alone is the first (or, from 0, another) argument of the only call of that function in the
/// line, and its bytes; nullopt where the file does not show them plainly.
struct HostArray {
  std::string name;
  std::uint64_t bytes = 0;
};
std::optional<HostArray> host_array_at(const words::SourceLine& line, const std::string& function,
                                       std::size_t argument);
/// Of a type's name like "unsigned char" or "float4"; 0: not known.
std::uint32_t bytes_of_type(const std::string& type);

}  // namespace labkit::program
