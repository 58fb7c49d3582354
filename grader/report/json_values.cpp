#include "report/json_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "base/enum_names.h"

namespace labkit::report {

Json json_of(const launch::Dim3& d) { return Json::array({d.x, d.y, d.z}); }
void read(const Json& json, launch::Dim3& d) {
  d = {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(),
       json.at(2).get<std::uint32_t>()};
}

Json json_of(const grade::Interval& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}
void read(const Json& json, grade::Interval& interval) {
  interval.low = read_number(json.at(0));
  interval.high = read_number(json.at(1));
}

Json json_of(const grade::Verdict& verdict) { return verdict.text(); }
void read(const Json& json, grade::Verdict& verdict) {
  verdict = grade::verdict_from_text(json.get<std::string>());
}

std::string_view name_of(launch::Severity severity) {
  constexpr std::string_view kNames[] = {"error", "warning"};
  return name_in(kNames, severity);
}

std::string_view name_of(observe::AccessKind kind) {
  constexpr std::string_view kNames[] = {"none", "load", "store", "atomic"};
  return name_in(kNames, kind);
}

Json json_of(launch::Cause cause) { return launch::id_of(cause); }
void read(const Json& json, launch::Cause& cause) {
  const std::string id = json;
  const auto found = launch::cause_from_id(id);
  if (!found) throw std::invalid_argument("no cause is called " + id);
  cause = *found;
}

void fields(auto& io, Is<device::IdleStatement> auto& idle) {
  io("line", idle.line);
  io("what", idle.what);
  io("fix", idle.fix);
}
Json json_of(const device::IdleStatement& idle) { return object_of(idle); }
void read(const Json& json, device::IdleStatement& idle) { read_object(json, idle); }

void fields(auto& io, Is<launch::Extent> auto& array) {
  io("name", array.name);
  io("begin", array.begin);
  io("bytes", array.bytes);
}

void fields(auto& io, Is<launch::Declaration> auto& declared) {
  io("extents", declared.extents);
  io("element_bytes", declared.element_bytes);
  io.maybe("members", declared.members);
  io.maybe("member_extent", declared.member_extent);
}
void read(const Json& json, launch::Declaration& declared) {
  read_object(json, declared);
  // What element() divides by: a result is a file that anybody may have changed.
  const auto& extents = declared.extents;
  const bool whole = !extents.empty() &&
                     std::find(extents.begin() + 1, extents.end(), 0) == extents.end() &&
                     (declared.member_extent == 0 || declared.members.size() == 1);
  if (!whole) declared = {};
}

void fields(auto& io, Is<launch::Finding> auto& f) {
  io("kind", f.kind);
  io("severity", f.severity);
  io.maybe("cause", f.cause);
  io.maybe("evidence", f.evidence);
  io.maybe("fix", f.fix);
  io.maybe("access", f.access);
  io.maybe("other_access", f.other_access);
  io("space", f.space);
  io("kernel", f.kernel);
  io("where", f.where);
  io.maybe("inside", f.where_inside);
  const bool has_other = io.has("other", f.other.line != 0);
  if (has_other) io("other", f.other);
  io.maybe("other_inside", f.other_inside);
  io("thread", f.thread);
  io("block", f.block);
  if (has_other) {
    io("other_thread", f.other_thread);
    io("other_block", f.other_block);
  }
  io("address", f.address);
  io.maybe("access_bytes", f.access_bytes);
  if (io.has("array", !f.array.name.empty())) io("array", f.array);
  io.maybe("unwritten_from", f.unwritten_from);
  io.maybe("declared", f.declared);
  io.maybe("hazard", f.hazard);
  if (io.has("lanes", f.lanes != 0 || f.other_lanes != 0)) {
    io("lanes", f.lanes);
    io.lately("other_lanes", f.other_lanes);
  }
  io("count", f.count);
}
Json json_of(const launch::Finding& finding) { return object_of(finding); }
void read(const Json& json, launch::Finding& finding) { read_object(json, finding); }

void fields(auto& io, Is<device::Registers> auto& r) {
  io("per_thread", r.per_thread);
  io.written("estimated", [&] { return r.by.empty(); });
  io("by", r.by);
  io("why_estimated", r.why_estimated);
  io("estimate_capped", r.estimate_capped);
  io("stack_bytes_per_thread", r.stack_bytes);
  io("spilled_bytes_per_thread", r.spilled_bytes);
}
Json json_of(const device::Registers& registers) { return object_of(registers); }
void read(const Json& json, device::Registers& registers) { read_object(json, registers); }

// ---- what a launch did, by line and by memory instruction

void fields(auto& io, Is<observe::InstructionCounters> auto& c) {
  io("warp_executions", c.warp_executions);
  io("thread_executions", c.thread_executions);
  io("global_requests", c.global_requests);
  io("global_sectors", c.global_sectors);
  io("global_sectors_ideal", c.global_sectors_ideal);
  io("global_partial_sectors", c.global_partial_sectors);
  io("global_bytes", c.global_bytes);
  io("shared_requests", c.shared_requests);
  io("shared_wavefronts", c.shared_wavefronts);
  io("shared_wavefronts_ideal", c.shared_wavefronts_ideal);
  io("constant_addresses", c.constant_addresses);
  io("local_requests", c.local_requests);
  io("local_sectors", c.local_sectors);
}

void fields(auto& io, Is<observe::InstructionInfo> auto& info) {
  io("file", info.file);
  io("line", info.line);
  io("spelling", info.spelling);
  io("access", info.access);
  io("bytes_per_lane", info.bytes_per_lane);
}

void fields(auto& io, Is<observe::WarpAccess> auto& access) {
  io("block", access.block);
  io("warp", access.warp);
  io("execution", access.execution);
  io("active", access.active);
  io("bytes_per_lane", access.bytes_per_lane);
  io("words", access.words);
  io("cost", access.cost);
  io("ideal", access.ideal);
  io("addresses", access.addresses);
}

void fields(auto& io, Is<observe::NamedRange> auto& range) {
  io("name", range.name);
  io("space", range.space);
  io("begin", range.begin);
  io("bytes", range.bytes);
  io("element_bytes", range.element_bytes);
}

void fields(auto& io, Is<observe::InstructionSamples> auto& one) {
  io("instruction", one.instruction);
  io("space", one.space);
  io("is_store", one.is_store);
  io("is_atomic", one.is_atomic);
  io("accesses", one.accesses);
  io("worst", one.worst);
}

void fields(auto& io, Is<observe::AccessSamples> auto& samples) {
  io("ranges", samples.ranges);
  io("instructions", samples.instructions);
}
Json json_of(const observe::AccessSamples& samples) { return object_of(samples); }

Json lines_json(const observe::LaunchCounters& counters) {
  Json lines = Json::array();
  for (const observe::LineMetrics& line : observe::line_metrics(counters))
    lines.push_back({{"file", json_of(line.where.file)},
                     {"line", line.where.line},
                     {"metrics", json_of(line.metrics)}});
  return lines;
}

Json json_of(const grade::LaunchDetail& detail) {
  Json json;
  json["useful_bytes"] = json_number(detail.useful_bytes);
  json["compulsory_bytes"] = json_number(detail.compulsory_bytes);
  json["lines"] = lines_json(detail.counters);
  json["instructions"] = Json::array();
  std::set<std::size_t> sampled;  // of a launch that was stopped nothing else is counted
  if (detail.samples)
    for (const observe::InstructionSamples& one : detail.samples->instructions)
      sampled.insert(one.instruction);
  for (std::size_t i = 0; i < detail.counters.info.size(); ++i) {
    const observe::InstructionCounters& counters = detail.counters.instructions[i];
    if (counters.global_requests + counters.shared_requests + counters.local_requests == 0 &&
        !sampled.contains(i))
      continue;
    Json& one = json["instructions"].emplace_back();
    one["instruction"] = i;
    Writer writer(one);
    fields(writer, detail.counters.info[i]);
    fields(writer, counters);
  }
  if (detail.samples) json["samples"] = json_of(*detail.samples);
  return json;
}

void read(const Json& json, grade::LaunchDetail& detail) {
  detail.useful_bytes = json.at("useful_bytes");
  detail.compulsory_bytes = json.at("compulsory_bytes");
  std::map<std::uint32_t, std::uint32_t> places;  // the kernel's instruction -> among those here
  for (const Json& each : json.at("instructions")) {
    places[each.at("instruction")] = static_cast<std::uint32_t>(detail.counters.info.size());
    read_object(each, detail.counters.info.emplace_back());
    read_object(each, detail.counters.instructions.emplace_back());
  }
  if (!json.contains("samples")) return;
  read_object(json.at("samples"), detail.samples.emplace());
  for (observe::InstructionSamples& one : detail.samples->instructions) {
    const auto place = places.find(one.instruction);
    if (place == places.end())
      throw std::invalid_argument("a sample of an instruction that is not there");
    one.instruction = place->second;
  }
}

}  // namespace labkit::report
