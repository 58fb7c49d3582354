#include "compile/cache.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/kept_file.h"
#include "compile/protocol.h"
#include "words/message_json.h"

namespace labkit::compile {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Assembled, by, why_not, kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Result, status, ptx, cubin, log, entries, compiler, assembled,
                                   jail)

namespace {

using nlohmann::json;

std::filesystem::path file_of(const std::string& directory, const std::string& key) {
  return std::filesystem::path(directory) / key.substr(0, 2) / (key + ".cbor");
}

/// As text: their parameters keep their order.
std::string text_of(const std::vector<words::Message>& messages) {
  words::Json all = words::Json::array();
  for (const words::Message& message : messages) all.push_back(words::json_of(message));
  return all.dump();
}

std::vector<words::Message> messages_of(const std::string& text) {
  std::vector<words::Message> messages;
  for (const words::Json& one : words::Json::parse(text)) words::read(one, messages.emplace_back());
  return messages;
}

}  // namespace

// The contents: a CBOR map of Result's members.
std::optional<Result> read_cache(const std::string& directory, const std::string& key) try {
  const std::optional<std::string> body = read_kept(file_of(directory, key));
  if (!body) return std::nullopt;
  const json kept = json::from_cbor(*body);
  Result result = kept.get<Result>();
  result.message = messages_of(kept.at("message").get<std::string>());
  result.notes = messages_of(kept.at("notes").get<std::string>());
  return result;
} catch (const json::exception&) {
  return std::nullopt;
} catch (const std::invalid_argument&) {  // a message that this kit does not have
  return std::nullopt;
}

void write_cache(const std::string& directory, const std::string& key, const Result& result) {
  std::string body;
  json kept(result);
  kept["message"] = text_of(result.message);
  kept["notes"] = text_of(result.notes);
  json::to_cbor(kept, body);
  write_kept(file_of(directory, key), body);
}

}  // namespace labkit::compile
