#include "base/error_json.h"

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

}  // namespace labkit
