#include "compile/cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "compile/protocol.h"

namespace labkit::compile {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Assembled, by, why_not, kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Result, status, ptx, cubin, log, message, notes, entries,
                                   compiler, assembled, jail)

namespace {

using nlohmann::json;

std::filesystem::path file_of(const std::string& directory, const std::string& key) {
  return std::filesystem::path(directory) / key.substr(0, 2) / (key + ".cbor");
}

}  // namespace

// The file: SHA-256 of all that follows the first line end, a line end, a CBOR map of Result's
// members. The key is in the hash too, so that an entry copied to another name does not pass.
std::optional<Result> read_cache(const std::string& directory, const std::string& key) try {
  const std::filesystem::path path = file_of(directory, key);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::string text = read_file(path);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string body = text.substr(end + 1);
  if (text.substr(0, end) != sha256_hex(key + body)) return std::nullopt;
  return json::from_cbor(body).get<Result>();
} catch (const json::exception&) {
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;
} catch (const std::filesystem::filesystem_error&) {
  return std::nullopt;
}

void write_cache(const std::string& directory, const std::string& key, const Result& result) try {
  std::string body;
  json::to_cbor(json(result), body);
  write_file_atomically(file_of(directory, key), sha256_hex(key + body) + '\n' + body);
} catch (const Error&) {
  // A full or read-only disk: the result stands all the same.
}

}  // namespace labkit::compile
