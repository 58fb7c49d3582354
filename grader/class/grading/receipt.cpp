#include "class/grading/receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"

namespace labkit::course {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhat = "labkit receipt";

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

[[noreturn]] void no_receipt(const nlohmann::json::exception& error) {
  throw Error(fmt::format("that is no receipt: {}", error.what()),
              "report this: it is a fault of the kit");
}

[[noreturn]] void no_result(const nlohmann::json::exception& error) {
  throw Error(fmt::format("that is no lab result: {}", error.what()),
              "report this: it is a fault of the kit");
}

std::string short_text(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kMost = 100;
  if (text.size() > kMost) text = to_valid_utf8(text.substr(0, kMost)) + "...";
  return text;
}

/// Values with where they stand; an element of a list is called by its name where it has one.
using Leaves = std::vector<std::pair<std::string, std::string>>;
void add_leaves(const std::string& at, const Json& value, Leaves& leaves) {
  if (!value.is_structured() || value.empty()) leaves.emplace_back(at, short_text(value));
  if (!value.is_structured()) return;
  std::size_t number = 0;
  for (const auto& [key, inside] : value.items()) {
    const bool is_named =
        inside.is_object() && inside.contains("name") && inside["name"].is_string();
    ++number;
    if (value.is_array())
      add_leaves(at + " " + (is_named ? inside["name"].get<std::string>() : std::to_string(number)),
                 inside, leaves);
    else
      add_leaves(at.empty() ? key : at + ", " + key, inside, leaves);
  }
}

std::vector<std::string> compare(const Json& before, const Json& now, std::size_t most) {
  Leaves then, today;
  add_leaves("", before, then);
  add_leaves("", now, today);
  const std::map<std::string, std::string> old(then.begin(), then.end()),
      is(today.begin(), today.end());
  for (const auto& [at, value] : today)
    if (!old.contains(at)) then.emplace_back(at, "nothing");
  std::vector<std::string> found;
  for (const auto& [at, was] : then) {
    const auto there = is.find(at);
    const std::string value = there == is.end() ? "nothing" : there->second;
    if (was != value) found.push_back(fmt::format("{}: {} -> {}", at, was, value));
  }
  if (found.size() <= most) return found;
  const std::size_t more = found.size() - most;
  found.resize(most);
  found.push_back(fmt::format("and {} more", more));
  return found;
}

/// Without what says how registers were counted: by ptxas now, or as a receipt has it.
Json without_counter(Json result) {
  for (Json& test : result.at("tests"))
    if (const auto at = test.find("registers"); at != test.end()) at->erase("by");
  return result;
}

}  // namespace

std::string make_receipt(const Job& job, const GradingEnvironment& means,
                         const std::string& result) {
  try {
    const Json graded = Json::parse(result);
    Json json;
    json["what"] = kWhat;
    json["format"] = 2;
    json["student"] = to_valid_utf8(job.student);
    json["lab"] = job.lab;
    json["path"] = to_valid_utf8(job.path);
    json["source_sha256"] = job.source_sha256;
    json["ptx_sha256"] = graded.value("ptx_sha256", "");
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

std::string comparable(const std::string& result) {
  try {
    Json json = without_counter(Json::parse(result));
    for (const char* key : {"file", "device_note", "jail", "seed", "values"}) json.erase(key);
    return json.dump(1) + "\n";
  } catch (const nlohmann::json::exception& error) {
    no_result(error);
  }
}

std::string recorded_registers(const std::string& receipt) {
  try {
    Json all = Json::object();
    const Json json = Json::parse(receipt);
    for (const Json& test : json.at("outcome").at("tests"))
      if (const auto at = test.find("registers"); at != test.end() && !at->at("estimated"))
        all[test.at("name").get<std::string>()] = *at;
    return all.empty() ? "" : all.dump();
  } catch (const nlohmann::json::exception& error) {
    no_receipt(error);
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

namespace {

/// Whether the ratios that were measured agree, a line each.
std::vector<std::string> measured_again(const Json& before, const Json& now) {
  std::vector<std::string> lines;
  for (const auto& [test, then] : before.items()) {
    if (!now.contains(test)) {
      lines.push_back(fmt::format("{}: measured then, not now", test));
      continue;
    }
    for (const char* name : {"ratio", "best_ratio"}) {
      const std::string interval = std::string(name) + "_interval";
      if (!then.contains(interval) || !now.at(test).contains(interval)) continue;
      const auto bounds = [&](const Json& of) {
        return std::pair(of.at(interval).at(0).get<double>(), of.at(interval).at(1).get<double>());
      };
      const auto [low, high] = bounds(then);
      const auto [low_now, high_now] = bounds(now.at(test));
      const bool meet = low <= high_now && low_now <= high;
      lines.push_back(fmt::format(
          "{}: {} then {:.3f} ({:.3f} to {:.3f}), now {:.3f} ({:.3f} to "
          "{:.3f}): {}",
          test, name, then.at(name).get<double>(), low, high, now.at(test).at(name).get<double>(),
          low_now, high_now, meet ? "the intervals meet" : "the intervals do not meet"));
    }
  }
  return lines;
}

}  // namespace

Replayed compare_receipts(const std::string& before, const std::string& now) {
  try {
    Json then = Json::parse(before), today = Json::parse(now);
    const bool gpu = then.at("device") != "sim";
    Replayed replayed;
    replayed.verdict_then = then.at("outcome").at("verdict");
    replayed.verdict_now = today.at("outcome").at("verdict");
    replayed.same_result = then.at("result_sha256") == today.at("result_sha256");
    replayed.measured = measured_again(then.value("measured", Json::object()),
                                       today.value("measured", Json::object()));
    const auto outcome = [&](const Json& receipt) {
      const Json all = without_counter(receipt.at("outcome"));
      return gpu ? without_measured(all) : all;
    };
    replayed.outcome = compare(outcome(then), outcome(today), 20);
    for (Json* one : {&then, &today})
      for (const char* key : {"outcome", "measured", "result_sha256", "jail"}) one->erase(key);
    replayed.means = compare(then, today, 20);
    return replayed;
  } catch (const nlohmann::json::exception& error) {
    no_receipt(error);
  }
}

namespace {

/// Worth comparing at all.
bool is_like(const Json& kept, const Json& receipt) {
  const auto same = [&](const char* key) {
    return kept.contains(key) && receipt.contains(key) && kept.at(key) == receipt.at(key);
  };
  return (same("student") && same("lab")) || same("source_sha256") || same("result_sha256");
}

}  // namespace

void require_receipt(const std::string& text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  const auto what = json.is_object() ? json.find("what") : json.end();
  if (what == json.end() || *what != kWhat)
    throw Error(name + " is no receipt",
                "Name a file of the folder receipts/ that `class grade` makes, unchanged.");
}

std::optional<KeptReceipt> find_receipt(const Gradebook& book, const std::string& receipt) {
  std::optional<KeptReceipt> nearest;
  try {
    const Json asked = Json::parse(receipt);
    book.each_receipt([&](const Job& job, const std::string& text) {
      const Json kept = Json::parse(text);
      if (!is_like(kept, asked)) return;
      std::vector<std::string> edits =
          compare(kept, asked, std::numeric_limits<std::size_t>::max());
      if (nearest && edits.size() >= nearest->edits.size()) return;
      nearest = {.job = job, .text = text, .edits = std::move(edits)};
      nearest->job.path = kept.at("path");
    });
  } catch (const nlohmann::json::exception& error) {
    no_receipt(error);
  }
  if (nearest && nearest->edits.empty() && nearest->text != receipt)
    nearest->edits = {"its values are the same, not its text: blanks, order, or a field twice"};
  return nearest;
}

}  // namespace labkit::course
