// `labkit profile --json`.
#include <map>

#include "explain/roofline.h"
#include "grade/policy.h"
#include "report/json.h"
#include "report/json_values.h"

namespace labkit::report {
namespace {

Json prediction_json(const timing::Prediction& prediction) {
  Json bounds = Json::object();
  for (const timing::Bound& bound : prediction.bounds) bounds[bound.name] = bound.time_us;
  Json shares = Json::object();
  for (const timing::Share& share : prediction.shares) shares[share.name] = share.part;
  Json stalls = Json::object();
  for (const timing::Share& stall : prediction.stalls) stalls[stall.name] = stall.part;
  Json json;
  json["bound"] = prediction.bound;
  json["shares"] = shares;
  json["stalls"] = stalls;
  json["bounds_us"] = bounds;
  json["occupancy"] = {{"blocks_per_sm", prediction.occupancy.blocks_per_sm},
                       {"warps_per_sm", prediction.occupancy.warps_per_sm},
                       {"limiter", prediction.occupancy.limiter}};
  if (prediction.unlike)
    json["unlike"] = {{"work", prediction.unlike->work}, {"distance", prediction.unlike->distance}};
  return json;
}

Json measured_json(const grade::Profile& profile) {
  const device::Outcome& outcome = *profile.measured;
  Json json;
  json["gpu"] = json_of(profile.gpu->gpu);
  json["completed"] = outcome.completed;
  json["findings"] = json_of(outcome.findings);
  json["printed"] = json_of(outcome.printed);
  json["differing_samples"] = outcome.differing_samples;
  if (!outcome.times_us.empty()) {
    const grade::Timing time = grade::summarise(outcome.times_us);
    json["time_us"] = {{"median", time.median_us},
                       {"low", time.low_us},
                       {"high", time.high_us},
                       {"samples", outcome.times_us}};
  }
  if (outcome.conditions) {
    const device::Conditions& c = *outcome.conditions;
    json["conditions"] = {{"rounds", c.rounds},
                          {"settled", c.settled},
                          {"waited_seconds", c.waited_seconds},
                          {"disturbed", c.disturbed},
                          {"trouble", json_of(c.trouble)},
                          {"sm_clock_mhz", c.sm_clock_mhz},
                          {"memory_clock_mhz", c.memory_clock_mhz},
                          {"watched", c.watched},
                          {"gpu_uuid", json_of(c.gpu_uuid)}};
  }
  return json;
}

}  // namespace

namespace {

Json launch_json(const grade::Profile& profile) {
  const device::Outcome& outcome = profile.outcome;
  Json json;
  json["file"] = json_of(profile.file);
  json["kernel"] = json_of(profile.kernel);
  json["grid"] = json_of(profile.grid);
  json["block"] = json_of(profile.block);
  json["dynamic_shared_bytes"] = profile.dynamic_shared_bytes;
  json["device"] = profile.device.name;
  json["gpu"] = profile.device.gpu;
  json["compiler"] = profile.compiler;
  json["completed"] = outcome.completed;
  if (!profile.refusal.empty())
    json["refusal"] = {{"kind", profile.refusal},
                       {"message", json_of(profile.message)},
                       {"log", json_of(profile.compile_log)}};
  json["notes"] = json_of(profile.notes);
  json["device_note"] = json_of(profile.device_note);
  json["idle_statements"] = json_of(profile.idle);

  json["metrics"] = Json::object();
  json["lines"] = Json::array();
  if (outcome.counters) {
    json["metrics"] = json_of(observe::metrics(*outcome.counters));
    json["lines"] = lines_json(*outcome.counters);
  }
  json["findings"] = json_of(outcome.findings);
  json["time_us"] =
      outcome.times_us.empty() ? Json(nullptr) : json_number(outcome.times_us.front());
  json["time_is_predicted"] = outcome.time_is_predicted;
  json["simulated"] = profile.simulated;
  json["measured"] = profile.measured ? measured_json(profile) : Json(nullptr);
  if (outcome.prediction) json["prediction"] = prediction_json(*outcome.prediction);
  if (outcome.registers) json["registers"] = json_of(*outcome.registers);
  if (!outcome.elsewhere.empty()) {
    Json elsewhere = Json::object();
    for (const device::PredictionElsewhere& one : outcome.elsewhere) {
      Json& other = elsewhere[one.gpu];
      other = one.prediction ? prediction_json(*one.prediction) : Json{{"fits", false}};
      if (one.prediction) other["time_us"] = one.prediction->time_us;
      other["title"] = one.title;
      other["gpu_is_measured"] = one.gpu_is_measured;
    }
    json["predicted_elsewhere"] = elsewhere;
  }
  if (const auto r = explain::roofline_of(profile))
    json["roofline"] = {
        {"flops", json_of(std::map<std::string, double>{
                      {"f16", r->flops.f16}, {"f32", r->flops.f32}, {"f64", r->flops.f64}})},
        {"dram_bytes", json_number(r->dram_bytes)},
        {"bytes_basis", r->bytes_basis},
        {"flops_per_byte", json_number(r->intensity)},
        {"flops_per_second", json_number(r->flops_per_second)},
        {"roof_flops_per_second", json_number(r->roof_flops_per_second)},
        {"share_of_roof", json_number(r->share_of_roof)},
        {"time_is_predicted", r->time_is_predicted},
        {"words", json_of(r->words)}};
  json["simulator"] = nullptr;
  if (outcome.simulation) {
    const device::Simulation& s = *outcome.simulation;
    json["simulator"] = {
        {"wall_seconds", s.wall_seconds},
        {"thread_instructions_per_second",
         s.wall_seconds > 0
             ? json_number(static_cast<double>(s.thread_instructions) / s.wall_seconds)
             : Json(nullptr)},
        {"simd", s.simd},
        {"threads", s.threads}};
  }
  if (outcome.samples) json["samples"] = json_of(*outcome.samples);
  json["printed"] = json_of(outcome.printed);
  return json;
}

}  // namespace

std::string profile_json(std::span<const grade::Profile> launches) {
  Json json;
  json["format"] = 2;
  json["launches"] = Json::array();
  for (const grade::Profile& one : launches) json["launches"].push_back(launch_json(one));
  return json.dump(2) + "\n";
}

}  // namespace labkit::report
