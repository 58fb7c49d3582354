#include "compile/cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "compile/protocol.h"

namespace labkit::compile {
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
  const json kept = json::from_cbor(body);
  Result result;
  result.status = static_cast<Status>(kept.at("status").get<int>());
  kept.at("ptx").get_to(result.ptx);
  const json::binary_t& cubin = kept.at("cubin").get_binary();
  result.cubin.assign(cubin.begin(), cubin.end());
  kept.at("log").get_to(result.log);
  kept.at("message").get_to(result.message);
  kept.at("notes").get_to(result.notes);
  kept.at("entries").get_to(result.entries);
  kept.at("compiler").get_to(result.compiler);
  kept.at("jail").get_to(result.jail);
  const json& assembled = kept.at("assembled");
  assembled.at("by").get_to(result.assembled.by);
  assembled.at("why_not").get_to(result.assembled.why_not);
  result.assembled.kernels = read_kernels(assembled.at("kernels"));
  return result;
} catch (const json::exception&) {
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;
} catch (const std::filesystem::filesystem_error&) {
  return std::nullopt;
}

void write_cache(const std::string& directory, const std::string& key, const Result& result) try {
  const json kept = {{"status", static_cast<int>(result.status)},
                     {"ptx", result.ptx},
                     {"cubin", json::binary({result.cubin.begin(), result.cubin.end()})},
                     {"log", result.log},
                     {"message", result.message},
                     {"notes", result.notes},
                     {"entries", result.entries},
                     {"compiler", result.compiler},
                     {"jail", result.jail},
                     {"assembled",
                      {{"by", result.assembled.by},
                       {"why_not", result.assembled.why_not},
                       {"kernels", to_json(result.assembled.kernels)}}}};
  std::string body;
  json::to_cbor(kept, body);
  write_file_atomically(file_of(directory, key), sha256_hex(key + body) + '\n' + body);
} catch (const Error&) {
  // A full or read-only disk: the result stands all the same.
}

}  // namespace labkit::compile
