#include <array>
#include <map>
#include <stdexcept>

#include "report/json_values.h"

namespace labkit::report {
namespace {

constexpr std::string_view kAccessKinds[] = {"none", "load", "store", "atomic"};
constexpr ptx::Space kSpaces[] = {ptx::Space::global, ptx::Space::constant, ptx::Space::shared,
                                  ptx::Space::local};

template <typename Values>
std::size_t position(const Values& values, const std::string& name) {
  for (std::size_t i = 0; i < std::size(values); ++i)
    if (values[i] == name) return i;
  throw std::invalid_argument("unknown word " + name);
}

ptx::Space space_from(const std::string& name) {
  for (const ptx::Space space : kSpaces)
    if (ptx::name_of(space) == name) return space;
  throw std::invalid_argument("unknown space " + name);
}

bool touches_memory(const observe::InstructionCounters& c) {
  return c.global_requests + c.shared_requests + c.local_requests > 0;
}

/// One row a counter, so that writing and reading cannot differ.
constexpr struct {
  const char* name;
  std::uint64_t observe::InstructionCounters::*value;
} kCounters[] = {
    {"warp_executions", &observe::InstructionCounters::warp_executions},
    {"thread_executions", &observe::InstructionCounters::thread_executions},
    {"global_requests", &observe::InstructionCounters::global_requests},
    {"global_sectors", &observe::InstructionCounters::global_sectors},
    {"global_sectors_ideal", &observe::InstructionCounters::global_sectors_ideal},
    {"global_partial_sectors", &observe::InstructionCounters::global_partial_sectors},
    {"global_bytes", &observe::InstructionCounters::global_bytes},
    {"shared_requests", &observe::InstructionCounters::shared_requests},
    {"shared_wavefronts", &observe::InstructionCounters::shared_wavefronts},
    {"shared_wavefronts_ideal", &observe::InstructionCounters::shared_wavefronts_ideal},
    {"local_requests", &observe::InstructionCounters::local_requests},
    {"local_sectors", &observe::InstructionCounters::local_sectors},
};

Json instruction_json(std::size_t index, const observe::InstructionInfo& info,
                      const observe::InstructionCounters& counters) {
  Json json;
  json["instruction"] = index;
  json["file"] = text(info.file);
  json["line"] = info.line;
  json["spelling"] = text(info.spelling);
  json["access"] = kAccessKinds[static_cast<std::size_t>(info.access)];
  json["bytes_per_lane"] = info.bytes_per_lane;
  for (const auto& [name, value] : kCounters) json[name] = counters.*value;
  return json;
}

Json access_json(const observe::WarpAccess& access) {
  return {{"block", access.block},
          {"warp", access.warp},
          {"execution", access.execution},
          {"active", access.active},
          {"bytes_per_lane", access.bytes_per_lane},
          {"words", access.words},
          {"cost", access.cost},
          {"ideal", access.ideal},
          {"addresses", access.addresses}};
}

observe::WarpAccess read_access(const Json& json) {
  observe::WarpAccess access;
  access.block = json.at("block");
  access.warp = json.at("warp");
  access.execution = json.at("execution");
  access.active = json.at("active");
  access.bytes_per_lane = json.at("bytes_per_lane");
  access.words = json.at("words");
  access.cost = json.at("cost");
  access.ideal = json.at("ideal");
  access.addresses = json.at("addresses").get<std::array<std::uint64_t, 32>>();
  return access;
}

observe::AccessSamples read_samples(const Json& json,
                                    const std::map<std::uint32_t, std::uint32_t>& places) {
  observe::AccessSamples samples;
  samples.shown_block = json.at("shown_block");
  samples.warps_a_block = json.at("warps_a_block");
  for (const Json& each : json.at("ranges"))
    samples.ranges.push_back({.name = each.at("name"),
                              .space = space_from(each.at("space")),
                              .begin = each.at("begin"),
                              .bytes = each.at("bytes"),
                              .element_bytes = each.at("element_bytes")});
  for (const Json& each : json.at("instructions")) {
    observe::InstructionSamples& one = samples.instructions.emplace_back();
    one.instruction = places.at(each.at("instruction"));
    one.space = space_from(each.at("space"));
    one.is_store = each.at("is_store");
    one.is_atomic = each.at("is_atomic");
    one.accesses = each.at("accesses");
    one.most_executions = each.at("most_executions");
    one.worst = read_access(each.at("worst"));
  }
  return samples;
}

}  // namespace

Json lines_json(const observe::LaunchCounters& counters) {
  Json lines = Json::array();
  for (const observe::LineMetrics& line : observe::line_metrics(counters))
    lines.push_back({{"file", text(line.where.file)},
                     {"line", line.where.line},
                     {"metrics", numbers(line.metrics)}});
  return lines;
}

Json samples_json(const observe::AccessSamples& samples) {
  Json json;
  json["shown_block"] = samples.shown_block;
  json["warps_a_block"] = samples.warps_a_block;
  json["ranges"] = Json::array();
  for (const observe::NamedRange& range : samples.ranges)
    json["ranges"].push_back({{"name", text(range.name)},
                              {"space", ptx::name_of(range.space)},
                              {"begin", range.begin},
                              {"bytes", range.bytes},
                              {"element_bytes", range.element_bytes}});
  json["instructions"] = Json::array();
  for (const observe::InstructionSamples& one : samples.instructions)
    json["instructions"].push_back({{"instruction", one.instruction},
                                    {"space", ptx::name_of(one.space)},
                                    {"is_store", one.is_store},
                                    {"is_atomic", one.is_atomic},
                                    {"accesses", one.accesses},
                                    {"most_executions", one.most_executions},
                                    {"worst", access_json(one.worst)}});
  return json;
}

Json detail_json(const grade::LaunchDetail& detail) {
  Json json;
  json["useful_bytes"] = json_number(detail.useful_bytes);
  json["compulsory_bytes"] = json_number(detail.compulsory_bytes);
  json["lines"] = lines_json(detail.counters);
  json["instructions"] = Json::array();
  for (std::size_t i = 0; i < detail.counters.info.size(); ++i)
    if (touches_memory(detail.counters.instructions[i]))
      json["instructions"].push_back(
          instruction_json(i, detail.counters.info[i], detail.counters.instructions[i]));
  if (detail.samples) json["samples"] = samples_json(*detail.samples);
  return json;
}

grade::LaunchDetail read_detail(const Json& json) {
  grade::LaunchDetail detail;
  detail.useful_bytes = json.at("useful_bytes");
  detail.compulsory_bytes = json.at("compulsory_bytes");
  std::map<std::uint32_t, std::uint32_t> places;  // the kernel's instruction -> among those here
  for (const Json& each : json.at("instructions")) {
    places[each.at("instruction")] = static_cast<std::uint32_t>(detail.counters.info.size());
    observe::InstructionInfo& info = detail.counters.info.emplace_back();
    info.file = each.at("file");
    info.line = each.at("line");
    info.spelling = each.at("spelling");
    info.access = static_cast<observe::AccessKind>(
        position(kAccessKinds, each.at("access").get<std::string>()));
    info.bytes_per_lane = each.at("bytes_per_lane");
    observe::InstructionCounters& counters = detail.counters.instructions.emplace_back();
    for (const auto& [name, value] : kCounters) counters.*value = each.at(name);
  }
  if (json.contains("samples")) {
    for (const Json& each : json.at("samples").at("instructions"))
      if (!places.contains(each.at("instruction")))
        throw std::invalid_argument("a sample of an instruction that is not there");
    detail.samples = read_samples(json.at("samples"), places);
  }
  return detail;
}

}  // namespace labkit::report
