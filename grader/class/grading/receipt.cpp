#include "class/grading/receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "device/device.h"

namespace labkit::course {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhat = "labkit receipt";
constexpr const char* kRemedy =
    "Name a file of the folder receipts/ that `class grade` makes, unchanged.";

/// Those of `names` that `from` has, in this order.
Json picked(const Json& from, std::initializer_list<const char*> names) {
  Json to = Json::object();
  for (const char* name : names)
    if (const auto at = from.find(name); at != from.end()) to[name] = *at;
  return to;
}

/// What came out on the simulator: must be the same each time.
Json outcome_of(const Json& result) {
  Json outcome = picked(result, {"verdict", "points", "max_points", "bonus", "max_bonus",
                                 "undecided_points", "undecided_bonus"});
  outcome["tests"] = Json::array();
  for (const Json& test : result.at("tests")) {
    Json one = picked(test, {"name", "verdict", "points", "max_points", "bonus", "launches",
                             "figures", "time_is_predicted", "registers"});
    one["gates"] = Json::array();
    for (const Json& gate : test.at("gates"))
      one["gates"].push_back(picked(gate, {"name", "figure", "min", "max", "value", "passed",
                                           "measured", "interval", "undecided"}));
    outcome["tests"].push_back(std::move(one));
  }
  return outcome;
}

/// The test's name -> what a GPU measured of it.
Json measured_of(const Json& result) {
  Json measured = Json::object();
  for (const Json& test : result.at("tests"))
    if (const auto at = test.find("measured"); at != test.end())
      measured[test.at("name").get<std::string>()] = *at;
  return measured;
}

/// The same without what hangs on a measurement.
Json without_measured(Json outcome) {
  bool any = false;
  for (Json& test : outcome["tests"]) {
    bool measured = false;
    for (Json& gate : test["gates"]) {
      if (!gate.value("measured", false)) continue;
      measured = true;
      for (const char* key : {"value", "passed", "interval", "undecided"}) gate.erase(key);
    }
    any |= measured;
    if (!measured) continue;
    // Only now: erasing moves the members after it.
    for (const char* key : {"verdict", "points"}) test.erase(key);
  }
  if (any)
    for (const char* key : {"verdict", "points", "bonus", "undecided_points", "undecided_bonus"})
      outcome.erase(key);
  return outcome;
}

[[noreturn]] void no_result(const nlohmann::json::exception& error) {
  throw Error(fmt::format("that is no lab result: {}", error.what()),
              "report this: it is a fault of the kit");
}

/// An element of a list is called by its name where it has one.
std::string element_name(const Json& element, std::size_t index) {
  if (element.is_object())
    if (const auto name = element.find("name"); name != element.end() && name->is_string())
      return name->get<std::string>();
  return std::to_string(index + 1);
}

std::string short_text(const Json* value) {
  if (!value) return "nothing";
  std::string text = value->dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kMost = 100;
  if (text.size() > kMost) text = to_valid_utf8(text.substr(0, kMost)) + "...";
  return text;
}

void compare(const std::string& at, const Json* before, const Json* now,
             std::vector<std::string>& found) {
  const auto below = [&](const std::string& name) { return at.empty() ? name : at + ", " + name; };
  if (before && now && before->is_object() && now->is_object()) {
    for (const auto& [key, value] : before->items())
      compare(below(key), &value, now->contains(key) ? &now->at(key) : nullptr, found);
    for (const auto& [key, value] : now->items())
      if (!before->contains(key)) compare(below(key), nullptr, &value, found);
    return;
  }
  if (before && now && before->is_array() && now->is_array()) {
    for (std::size_t i = 0; i < std::max(before->size(), now->size()); ++i) {
      const Json* one = i < before->size() ? &(*before)[i] : nullptr;
      const Json* other = i < now->size() ? &(*now)[i] : nullptr;
      compare(
          fmt::format("{} {}", at, element_name(i < before->size() ? (*before)[i] : (*now)[i], i)),
          one, other, found);
    }
    return;
  }
  if (before && now && *before == *now) return;
  found.push_back(fmt::format("{}: {} -> {}", at, short_text(before), short_text(now)));
}

std::vector<std::string> compare(const Json& before, const Json& now, std::size_t most) {
  std::vector<std::string> found;
  compare("", &before, &now, found);
  if (found.size() <= most) return found;
  const std::size_t more = found.size() - most;
  found.resize(most);
  found.push_back(fmt::format("and {} more", more));
  return found;
}

/// A field, by its path in the JSON ("kit/version"). Throws labkit::Error naming it.
class Fields {
 public:
  Fields(const Json& json, const std::string& name) : json_(json), name_(name) {}

  std::string text(const char* path) const {
    const Json& value = at(path);
    if (!value.is_string()) fail(path, "a text");
    return value.get<std::string>();
  }
  /// The seed's range is that of the inputs' generator; JSON's other numbers are never rounded to it.
  std::uint64_t whole_number(const char* path) const {
    const Json& value = at(path);
    if (!value.is_number_unsigned()) fail(path, "a whole number from 0 to 18446744073709551615");
    return value.get<std::uint64_t>();
  }
  void list(const char* path) const {
    if (!at(path).is_array()) fail(path, "a list");
  }

 private:
  const Json& at(const char* path) const {
    const Json::json_pointer pointer(std::string("/") + path);
    if (!json_.contains(pointer)) fail(path, "there");
    return json_.at(pointer);
  }
  [[noreturn]] void fail(const char* path, const char* what) const {
    throw Error(fmt::format("{} is no receipt: \"{}\" must be {}", name_, path, what), kRemedy);
  }
  const Json& json_;
  const std::string& name_;
};

/// A field that an object has twice, of which a reader sees one and a parser takes the other; "" if none.
std::string named_twice(const std::string& text) {
  std::vector<std::set<std::string>> open;  // the objects around
  std::string twice;
  const auto look = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && twice.empty() &&
        !open.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  [[maybe_unused]] const Json parsed = Json::parse(text, look);
  return twice;
}

}  // namespace

std::string make_receipt(const Job& job, const std::string& path, const GradingEnvironment& means,
                         const std::string& result) {
  try {
    const Json graded = Json::parse(result);
    Json json;
    json["what"] = kWhat;
    json["format"] = Receipt::kFormat;
    json["student"] = to_valid_utf8(job.student);
    json["lab"] = job.lab;
    json["path"] = to_valid_utf8(path);
    json["source_sha256"] = job.source_sha256;
    json["ptx_sha256"] = graded.value("ptx_sha256", "");
    json["seed"] = job.seed;
    json["device"] = means.device;
    json["gpu_driver"] = graded.value("gpu_driver", "");
    json["simulated_gpu"] = means.profile;
    json["kit"] = {{"version", means.kit}, {"check_sha256", means.check_sha256}};
    json["lab_files"] = {{"measurement_sha256", means.measurement},
                         {"scoring_sha256", means.scoring}};
    json["compiler"] = graded.value("compiler", "");
    json["compiler_clock"] = means.clock;
    json["jail"] = graded.value("jail", "");
    json["result_sha256"] = sha256_hex(comparable(result));
    json["outcome"] = outcome_of(graded);
    if (const Json measured = measured_of(graded); !measured.empty()) json["measured"] = measured;
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

Receipt read_receipt(const std::string& text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("what", "") != kWhat)
      throw Error(name + " is no receipt", kRemedy);
    if (json.at("format") != Receipt::kFormat)
      throw Error(fmt::format("{} is of format {}, this kit knows {}", name,
                              json.at("format").dump(), Receipt::kFormat),
                  "Use the kit that made it.");
    if (const std::string twice = named_twice(text); !twice.empty())
      throw Error(fmt::format("{} is no receipt: it says \"{}\" twice", name, twice), kRemedy);
    Receipt receipt;
    receipt.text = text;
    const Fields fields(json, name);
    receipt.student = fields.text("student");
    receipt.lab = fields.text("lab");
    receipt.path = fields.text("path");
    receipt.source_sha256 = fields.text("source_sha256");
    receipt.ptx_sha256 = fields.text("ptx_sha256");
    receipt.seed = fields.whole_number("seed");
    receipt.gpu_driver = fields.text("gpu_driver");
    receipt.means.device = fields.text("device");
    receipt.means.profile = fields.text("simulated_gpu");
    receipt.means.kit = fields.text("kit/version");
    receipt.means.check_sha256 = fields.text("kit/check_sha256");
    receipt.means.measurement = fields.text("lab_files/measurement_sha256");
    receipt.means.scoring = fields.text("lab_files/scoring_sha256");
    receipt.compiler = fields.text("compiler");
    receipt.means.clock = fields.text("compiler_clock");
    receipt.result_sha256 = fields.text("result_sha256");
    receipt.verdict = fields.text("outcome/verdict");
    fields.list("outcome/tests");
    return receipt;
  } catch (const nlohmann::json::parse_error&) {
    throw Error(name + " is no receipt: it is no JSON", kRemedy);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is no receipt: {}", name, error.what()), kRemedy);
  }
}

std::string comparable(const std::string& result) {
  try {
    Json json = Json::parse(result);
    json.erase("file");
    json.erase("device_note");
    json.erase("values");
    json.erase("jail");  // of the machine's kernel
    return json.dump(1) + "\n";
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

std::string recorded_registers(const Receipt& receipt) {
  try {
    Json all = Json::object();
    const Json outcome = Json::parse(receipt.text).at("outcome");
    for (const Json& test : outcome.at("tests"))
      if (const auto at = test.find("registers"); at != test.end() && !at->at("estimated"))
        all[test.at("name").get<std::string>()] = *at;
    return all.empty() ? "" : all.dump();
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("the receipt's registers cannot be read: ") + error.what(), kRemedy);
  }
}

WithRecorded with_recorded(const std::string& result) {
  try {
    Json json = Json::parse(result);
    WithRecorded with;
    for (Json& test : json.at("tests")) {
      const auto at = test.find("registers");
      if (at == test.end()) continue;
      const auto by = at->at("by").get<std::string>();
      if (!by.starts_with(device::kRecorded)) continue;
      (*at)["by"] = by.substr(device::kRecorded.size());
      with.tests.push_back(test.at("name").get<std::string>());
    }
    with.result = json.dump(2) + "\n";
    return with;
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

std::vector<std::string> differences(const std::string& before, const std::string& now,
                                     std::size_t most) {
  try {
    return compare(Json::parse(before), Json::parse(now), most);
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

std::vector<std::string> outcome_differences(const Receipt& receipt, const std::string& result) {
  try {
    const Json before = Json::parse(receipt.text).at("outcome");
    const Json now = outcome_of(Json::parse(result));
    const bool gpu = receipt.means.device != "sim";
    return compare(gpu ? without_measured(before) : before, gpu ? without_measured(now) : now, 20);
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

std::vector<std::string> measured_differences(const Receipt& receipt, const std::string& result) {
  std::vector<std::string> lines;
  try {
    const Json before = Json::parse(receipt.text).value("measured", Json::object());
    const Json now = measured_of(Json::parse(result));
    for (const auto& [test, then] : before.items()) {
      if (!now.contains(test)) {
        lines.push_back(fmt::format("{}: measured then, not now", test));
        continue;
      }
      for (const char* name : {"ratio", "best_ratio"}) {
        const std::string interval = std::string(name) + "_interval";
        if (!then.contains(interval) || !now.at(test).contains(interval)) continue;
        const auto bounds = [&](const Json& of) {
          return std::pair(of.at(interval).at(0).get<double>(),
                           of.at(interval).at(1).get<double>());
        };
        const auto [low, high] = bounds(then);
        const auto [low_now, high_now] = bounds(now.at(test));
        const bool meet = low <= high_now && low_now <= high;
        lines.push_back(fmt::format(
            "{}: {} then {:.3f} ({:.3f} to {:.3f}), now {:.3f} ({:.3f} to {:.3f}): {}", test, name,
            then.at(name).get<double>(), low, high, now.at(test).at(name).get<double>(), low_now,
            high_now, meet ? "the intervals meet" : "the intervals do not meet"));
      }
    }
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
  return lines;
}

namespace {

/// Worth comparing at all.
bool is_like(const Json& kept, const Receipt& receipt) {
  const auto same = [&](const char* key, const std::string& value) {
    const auto at = kept.find(key);
    return at != kept.end() && *at == value;
  };
  return (same("student", receipt.student) && same("lab", receipt.lab)) ||
         same("source_sha256", receipt.source_sha256) ||
         same("result_sha256", receipt.result_sha256);
}

}  // namespace

Vouched vouch(const Gradebook& book, const Receipt& receipt) {
  std::optional<std::int64_t> nearest;
  Vouched vouched;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  book.each_receipt([&](std::int64_t job, const std::string& text) {
    const Json kept = Json::parse(text, nullptr, false);
    if (!kept.is_object() || !is_like(kept, receipt)) return;
    std::vector<std::string> edits =
        differences(text, receipt.text, std::numeric_limits<std::size_t>::max());
    if (edits.size() >= fewest) return;
    fewest = edits.size();
    nearest = job;
    vouched.edits = std::move(edits);
  });
  if (!nearest) return vouched;
  const std::optional<Outcome> outcome = book.outcome(*nearest);
  if (!outcome) return Vouched{};  // graded again just now
  vouched.kind = vouched.edits.empty() ? Vouched::Kind::kept : Vouched::Kind::edited;
  vouched.receipt = read_receipt(outcome->receipt, "the receipt that the gradebook keeps");
  vouched.result = outcome->json;
  return vouched;
}

}  // namespace labkit::course
