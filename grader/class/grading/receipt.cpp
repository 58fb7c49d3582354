#include "class/grading/receipt.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
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

/// Without where it was graded, which is not what came out, and without the seed.
Json comparable(Json result) {
  for (const char* key : {"file", "device_note", "jail", "seed", "values"}) result.erase(key);
  return result;
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
    json["format"] = 4;
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
    json["outcome"] = comparable(graded);
    return json.dump(2) + "\n";
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
    const auto then = nlohmann::json::parse(before), today = nlohmann::json::parse(now);
    std::vector<std::string> found;
    for (const auto& step : nlohmann::json::diff(then, today)) {
      const std::string place = step.at("path"), what = step.at("op");
      found.push_back(fmt::format(
          "{}: {} -> {}", place.substr(1),
          what == "add" ? "nothing" : short_text(then.at(nlohmann::json::json_pointer(place))),
          what == "remove" ? "nothing" : short_text(step.at("value"))));
    }
    return found;
  });
}

}  // namespace labkit::course
