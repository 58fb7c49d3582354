// What the JSON writers share. Private to report/.
//
// What is written and read back has one list of its fields, which both go through:
//
//   void fields(auto& io, Is<grade::LaunchText> auto& launch) { io("kernel", launch.kernel); ... }
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/text.h"
#include "device/device.h"
#include "grade/result.h"
#include "launch/launch.h"
#include "words/message_json.h"

namespace labkit::report {

using words::Json;

template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

using words::json_number;
/// null stands for a number that was not finite.
inline double read_number(const Json& json) {
  return json.is_null() ? std::nan("") : json.get<double>();
}

// Values that are no list of fields. Reading throws std::invalid_argument, or what the library throws, if it is none.
using words::json_of;
using words::read;
inline Json json_of(const std::string& value) { return to_valid_utf8(value); }
Json json_of(const launch::Dim3& value);
Json json_of(const grade::Interval& value);  ///< its bounds
Json json_of(const grade::Verdict& value);
Json json_of(launch::Cause value);
void read(const Json& json, launch::Dim3& value);
void read(const Json& json, grade::Interval& value);
void read(const Json& json, grade::Verdict& value);
void read(const Json& json, launch::Cause& value);

// Names of enumerators, in their order; "?" behind the last.
std::string_view name_of(launch::Severity value);
std::string_view name_of(observe::AccessKind value);

// Structures that several formats have.
Json json_of(const device::IdleStatement& value);
Json json_of(const launch::Finding& value);
Json json_of(const device::Registers& value);
void read(const Json& json, device::IdleStatement& value);
void read(const Json& json, launch::Finding& value);
void read(const Json& json, launch::Declaration& value);
void read(const Json& json, device::Registers& value);
/// The summary of samples: of each memory instruction its worst access; the shown block's accesses are left to the page.
Json json_of(const observe::AccessSamples& value);
/// Its lines_json(), its samples, the counters of instructions that touch memory, and the bytes. Reads instructions that
/// touch memory alone, and no accesses but the worst.
Json json_of(const grade::LaunchDetail& value);
void read(const Json& json, grade::LaunchDetail& value);
/// "lines": per-line metrics, as `labkit profile --json` has them.
Json lines_json(const observe::LaunchCounters& counters);

/// Any other: numbers, lists, names with values, and what has fields().
template <typename T>
Json json_of(const T& value);
template <typename T>
void read(const Json& json, T& value);

/// There is something to say of it.
template <typename T>
bool is_there(const T& value) {
  if constexpr (requires { value.empty(); })
    return !value.empty();
  else if constexpr (requires { value.line; })
    return value.line != 0;
  else if constexpr (requires { value.known(); })
    return value.known();
  else if constexpr (std::is_enum_v<T>)
    return value != T{};
  else
    return static_cast<bool>(value);
}

class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}
  template <typename T>
  void operator()(const std::string& key, const T& value) {
    json_[key] = json_of(value);
  }
  /// Left out unless there is something to say of it.
  template <typename T>
  void maybe(const char* key, const T& value) {
    if (is_there(value)) (*this)(key, value);
  }
  /// Not in results of earlier kits, which gradebooks hold.
  template <typename T>
  void lately(const char* key, const T& value) {
    (*this)(key, value);
  }
  void or_null(const std::string& key, double value) { (*this)(key, value); }
  void or_zero(const char* key, double value, bool known) {
    json_[key] = known ? json_number(value) : Json(nullptr);
  }
  void exactly(const char* key, double value) { json_[key] = value; }  ///< 0.0 is not 0
  /// A list of one at most, as that one.
  template <typename T>
  void first(const char* key, const std::vector<T>& list) {
    if (!list.empty()) (*this)(key, list.front());
  }
  /// What follows from the rest, and is not read; left out where it is an empty text.
  template <typename Make>
  void written(const char* key, const Make& make) {
    const auto value = make();
    if constexpr (requires { value.empty(); })
      maybe(key, value);
    else
      (*this)(key, value);
  }
  /// Whether `key` is there: `there` when it is written.
  bool has(const std::string&, bool there) const { return there; }
  void note_has(const char*, bool) const {}
  template <typename T>
  void set(const T&, const std::type_identity_t<T>&) const {}
  template <typename T>
  const T& made(const std::optional<T>& value) const {
    return *value;
  }

 private:
  Json& json_;
};

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}
  template <typename T>
  void operator()(const std::string& key, T& value) {
    read(json_.at(key), value);
  }
  template <typename T>
  void maybe(const char* key, T& value) {
    if (json_.contains(key)) (*this)(key, value);
  }
  template <typename T>
  void lately(const char* key, T& value) {
    maybe(key, value);
  }
  void or_null(const std::string& key, double& value) { value = read_number(json_.at(key)); }
  void or_zero(const char* key, double& value, bool) {
    value = json_.at(key).is_null() ? 0 : json_.at(key).get<double>();
  }
  void exactly(const char* key, double& value) { maybe(key, value); }
  template <typename T>
  void first(const char* key, std::vector<T>& list) {
    if (json_.contains(key)) (*this)(key, list.emplace_back());
  }
  template <typename Make>
  void written(const char*, const Make&) const {}
  bool has(const std::string& key, bool) const { return json_.contains(key); }
  void note_has(const char* key, bool& there) const { there = json_.contains(key); }
  template <typename T>
  void set(T& value, const std::type_identity_t<T>& to) const {
    value = to;
  }
  template <typename T>
  T& made(std::optional<T>& value) const {
    return value.emplace();
  }

 private:
  const Json& json_;
};

template <typename T>
Json object_of(const T& value) {
  Json json;
  Writer writer(json);
  fields(writer, value);
  return json;
}
template <typename T>
void read_object(const Json& json, T& value) {
  Reader reader(json);
  fields(reader, value);
}

template <typename T>
Json json_of(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return json_number(value);
  } else if constexpr (std::is_integral_v<T>) {
    return value;
  } else if constexpr (requires { name_of(value); }) {
    return name_of(value);
  } else if constexpr (requires { *value; }) {
    return json_of(*value);
  } else if constexpr (requires { value.begin()->first; }) {
    Json object = Json::object();
    for (const auto& [name, each] : value) object[name] = json_of(each);
    return object;
  } else if constexpr (requires { value.begin(); }) {
    Json array = Json::array();
    for (const auto& each : value) array.push_back(json_of(each));
    return array;
  } else {
    return object_of(value);
  }
}

template <typename T>
T enumerator(const std::string& name) {
  for (std::uint8_t i = 0; name_of(static_cast<T>(i)) != "?"; ++i)
    if (name_of(static_cast<T>(i)) == name) return static_cast<T>(i);
  throw std::invalid_argument("none is called " + name);
}

template <typename T>
void read(const Json& json, T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    value = json.get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    value = enumerator<T>(json);
  } else if constexpr (requires {
                         value.emplace();
                         value.has_value();
                       }) {
    read(json, value.emplace());
  } else if constexpr (requires { value.use_count(); }) {
    auto made = std::make_shared<std::remove_const_t<typename T::element_type>>();
    read(json, *made);
    value = std::move(made);
  } else if constexpr (requires { value.begin()->first; }) {
    for (const auto& [name, each] : json.items()) {
      typename std::decay_t<decltype(value.begin()->second)> one{};
      if constexpr (std::is_floating_point_v<decltype(one)>)
        one = read_number(each);
      else
        read(each, one);
      value.insert(value.end(), {name, std::move(one)});
    }
  } else if constexpr (requires { value.emplace_back(); }) {
    for (const Json& each : json) read(each, value.emplace_back());
  } else if constexpr (requires { value.begin(); }) {
    value = json.get<T>();
  } else {
    read_object(json, value);
  }
}

}  // namespace labkit::report
