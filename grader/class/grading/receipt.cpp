#include "class/grading/receipt.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"

namespace labkit::course {

namespace {

using Json = nlohmann::ordered_json;

/// `work()` on JSON of the kit's own.
template <typename Work>
auto on_own_json(const Work& work) {
  try {
    return work();
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("that is no lab result or receipt: {}", error.what()),
                "report this: it is a fault of the kit");
  }
}

/// Those of `names` that `from` has, in this order.
Json picked(const Json& from, std::initializer_list<const char*> names) {
  Json to = Json::object();
  for (const char* name : names)
    if (const auto at = from.find(name); at != from.end()) to[name] = *at;
  return to;
}

/// What came out.
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

std::string short_text(const nlohmann::json& value) {
  constexpr std::size_t kMost = 100;
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() > kMost ? to_valid_utf8(text.substr(0, kMost)) + "..." : text;
}

}  // namespace

std::string make_receipt(const Job& job, const GradingEnvironment& means,
                         const std::string& result) {
  return on_own_json([&] {
    const Json graded = Json::parse(result);
    Json json;
    json["what"] = "labkit receipt";
    json["format"] = 3;
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
    return json.dump(2) + "\n";
  });
}

std::string comparable(const std::string& result) {
  return on_own_json([&] {
    Json json = Json::parse(result);
    for (const char* key : {"file", "device_note", "jail", "seed", "values"}) json.erase(key);
    for (Json& test : json.at("tests"))
      if (const auto at = test.find("registers"); at != test.end()) at->erase("by");
    return json.dump(1) + "\n";
  });
}

std::string recorded_registers(const std::string& receipt) {
  return on_own_json([&] {
    Json all = Json::object();
    const Json json = Json::parse(receipt);
    for (const Json& test : json.at("outcome").at("tests"))
      if (const auto at = test.find("registers"); at != test.end() && !at->at("estimated"))
        all[test.at("name").get<std::string>()] = *at;
    return all.empty() ? "" : all.dump();
  });
}

std::vector<std::string> differences(const std::string& before, const std::string& now) {
  return on_own_json([&] {
    const auto then = nlohmann::json::parse(before).flatten(),
               today = nlohmann::json::parse(now).flatten();
    std::set<std::string> places;  // "/tests/2/figures/sectors"
    for (const auto* one : {&then, &today})
      for (const auto& [place, value] : one->items()) places.insert(place);
    std::vector<std::string> found;
    for (const std::string& place : places) {
      const auto text = [&](const nlohmann::json& of) {
        return of.contains(place) ? short_text(of[place]) : "nothing";
      };
      if (then.value(place, nlohmann::json()) != today.value(place, nlohmann::json()))
        found.push_back(fmt::format("{}: {} -> {}", place.substr(1), text(then), text(today)));
    }
    return found;
  });
}

}  // namespace labkit::course
