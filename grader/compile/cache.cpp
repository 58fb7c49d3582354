#include "compile/cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/kept_file.h"
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

// The contents: a CBOR map of Result's members.
std::optional<Result> read_cache(const std::string& directory, const std::string& key) try {
  const std::optional<std::string> body = read_kept(file_of(directory, key));
  if (!body) return std::nullopt;
  return json::from_cbor(*body).get<Result>();
} catch (const json::exception&) {
  return std::nullopt;
}

void write_cache(const std::string& directory, const std::string& key, const Result& result) {
  std::string body;
  json::to_cbor(json(result), body);
  write_kept(file_of(directory, key), body);
}

}  // namespace labkit::compile
