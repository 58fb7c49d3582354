// Messages as JSON: ids and parameters, never sentences.
#pragma once
#include <nlohmann/json.hpp>

#include "words/message.h"

namespace labkit::words {

using Json = nlohmann::ordered_json;

/// Whole numbers as integers; what JSON has no number for (NaN, infinity) as null.
Json json_number(double value);

Json json_of(const SourceLine& value);
Json json_of(const Message& value);

// These throw std::invalid_argument, or what the library throws, where it is none. A message must have what its sentence needs.
void read(const Json& json, SourceLine& value);
void read(const Json& json, Message& value);

}  // namespace labkit::words
