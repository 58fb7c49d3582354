#include "words/message_json.h"

#include <cmath>
#include <stdexcept>

#include "base/text.h"
#include "words/render.h"

namespace labkit::words {
namespace {

Json json_of_value(const std::string& value) { return to_valid_utf8(value); }
Json json_of_value(std::int64_t value) { return value; }
Json json_of_value(double value) { return json_number(value); }
Json json_of_value(const SourceLine& value) { return json_of(value); }

}  // namespace

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) < 0x1p53)
    return static_cast<std::int64_t>(value);
  return value;
}

Json json_of(const SourceLine& where) {
  return {{"file", to_valid_utf8(where.file)}, {"line", where.line}};
}
void read(const Json& json, SourceLine& where) {
  where = {json.at("file").get<std::string>(), json.at("line").get<std::uint32_t>()};
}

Json json_of(const Message& m) {
  Json json = Json::object();
  json["id"] = name_of(m.id);
  for (const Parameter& p : m.parameters)
    std::visit([&](const auto& value) { json[p.name] = json_of_value(value); }, p.value);
  return json;
}

void read(const Json& json, Message& m) {
  const std::string name = json.at("id");
  const auto id = id_from_name(name);
  if (!id) throw std::invalid_argument("no message is called " + name);
  m.id = *id;
  for (const auto& [key, value] : json.items()) {
    if (key == "id") continue;
    if (value.is_object()) {
      SourceLine where;
      read(value, where);
      m.parameters.push_back({key, where});
    } else if (value.is_string()) {
      m.parameters.push_back({key, value.get<std::string>()});
    } else if (value.is_number_float()) {
      m.parameters.push_back({key, value.get<double>()});
    } else {
      m.parameters.push_back({key, value.get<std::int64_t>()});
    }
  }
  // A result is a file that anybody may have changed: what a sentence needs must be there.
  try {
    render(m);
  } catch (const std::logic_error& lacking) {
    throw std::invalid_argument(lacking.what());
  }
}

}  // namespace labkit::words
