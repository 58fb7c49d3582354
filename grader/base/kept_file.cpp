#include "base/kept_file.h"

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"

namespace labkit {
namespace {

/// SHA-256 of the file's name and of all that follows the first line end, a line end, the contents.
std::string sealed(const std::filesystem::path& file, std::string_view contents) {
  return sha256_hex(file.stem().string() + std::string(contents)) + '\n' + std::string(contents);
}

}  // namespace

std::optional<std::string> read_kept(const std::filesystem::path& file) try {
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string text = read_file(file);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string contents = text.substr(end + 1);
  if (text != sealed(file, contents)) return std::nullopt;
  return contents;
} catch (const Error&) {
  return std::nullopt;
} catch (const std::filesystem::filesystem_error&) {
  return std::nullopt;
}

void write_kept(const std::filesystem::path& file, std::string_view contents) try {
  write_file_atomically(file, sealed(file, contents));
} catch (const Error&) {
  // what was to be kept stands all the same
}

}  // namespace labkit
