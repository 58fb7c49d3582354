#include "class/grading/receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"

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

/// Without what says how registers were counted: by ptxas now, or as a receipt has it.
Json without_counter(Json result) {
  for (Json& test : result.at("tests"))
    if (const auto at = test.find("registers"); at != test.end()) at->erase("by");
  return result;
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
    // Other numbers of JSON would be rounded.
    if (!json.at("seed").is_number_unsigned() || !json.at("outcome").at("tests").is_array())
      throw Error(name + " is no receipt: its seed or its tests are none", kRemedy);
    const Json &kit = json.at("kit"), &lab_files = json.at("lab_files");
    return {.student = json.at("student"),
            .lab = json.at("lab"),
            .path = json.at("path"),
            .source_sha256 = json.at("source_sha256"),
            .seed = json.at("seed"),
            .means = {.kit = kit.at("version"),
                      .check_sha256 = kit.at("check_sha256"),
                      .device = json.at("device"),
                      .profile = json.at("simulated_gpu"),
                      .measurement = lab_files.at("measurement_sha256"),
                      .scoring = lab_files.at("scoring_sha256"),
                      .clock = json.at("compiler_clock")},
            .compiler = json.at("compiler"),
            .gpu_driver = json.at("gpu_driver"),
            .ptx_sha256 = json.at("ptx_sha256"),
            .verdict = json.at("outcome").at("verdict"),
            .result_sha256 = json.at("result_sha256"),
            .text = text};
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is no receipt: {}", name, error.what()), kRemedy);
  }
}

std::string comparable(const std::string& result) {
  try {
    Json json = without_counter(Json::parse(result));
    json.erase("file");
    json.erase("device_note");
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
    const Json before = without_counter(Json::parse(receipt.text).at("outcome"));
    const Json now = without_counter(outcome_of(Json::parse(result)));
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

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

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
  vouched.receipt = read_receipt(outcome->receipt, "the receipt that the gradebook keeps");
  vouched.result = outcome->json;
  if (vouched.edits.empty() && without_blanks(outcome->receipt) != without_blanks(receipt.text))
    vouched.edits = {"its fields stand otherwise: in another order, or one twice"};
  vouched.kind = vouched.edits.empty() ? Vouched::Kind::kept : Vouched::Kind::edited;
  return vouched;
}

}  // namespace labkit::course
