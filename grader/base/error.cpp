#include "base/error.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace labkit {

using nlohmann::json;

std::string error_json(const Error& error) {
  const json object = {{"id", error.id()}, {"message", error.what()}, {"remedy", error.remedy()}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Error> read_error_json(std::string_view text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  for (const char* key : {"id", "message", "remedy"})
    if (!object.contains(key) || !object[key].is_string()) return std::nullopt;
  return Error(object["message"].get<std::string>(), object["remedy"].get<std::string>(),
               object["id"].get<std::string>());
}

std::string command_name() {
  const char* said = std::getenv("LABKIT_COMMAND");
  if (!said || !*said) return "labkit";
  for (const char* c = said; *c; ++c)  // it ends in terminals and in files
    if (static_cast<unsigned char>(*c) < 0x20 || *c == 0x7f) return "labkit";
  return said;
}

}  // namespace labkit
