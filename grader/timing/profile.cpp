// GPU profiles: TOML in which every number carries a unit and a source, checked when it is read.
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "timing/profile_texts.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

using Setter = std::function<void(GpuProfile&, double)>;

template <typename T>
Setter field(T GpuProfile::*member) {
  return [member](GpuProfile& gpu, double value) { gpu.*member = static_cast<T>(value); };
}

/// One row a number of a profile: its table, its name, where it goes.
const std::map<std::pair<std::string, std::string>, Setter>& fields() {
  using P = GpuProfile;
  static const std::map<std::pair<std::string, std::string>, Setter> all = {
      {{"limits", "sm_count"}, field(&P::sm_count)},
      {{"limits", "max_threads_per_sm"}, field(&P::max_threads_per_sm)},
      {{"limits", "max_blocks_per_sm"}, field(&P::max_blocks_per_sm)},
      {{"limits", "max_warps_per_sm"}, field(&P::max_warps_per_sm)},
      {{"limits", "registers_per_sm"}, field(&P::registers_per_sm)},
      {{"limits", "register_allocation_unit"}, field(&P::register_allocation_unit)},
      {{"limits", "l1_bytes"}, field(&P::l1_bytes)},
      {{"limits", "shared_bytes_per_sm"}, field(&P::shared_bytes_per_sm)},
      {{"limits", "shared_bytes_per_block_max"}, field(&P::shared_bytes_per_block_max)},
      {{"limits", "shared_bytes_reserved"}, field(&P::shared_bytes_reserved)},
      {{"limits", "l2_bytes"}, field(&P::l2_bytes)},
      {{"rates", "sm_clock_hz"}, field(&P::sm_clock_hz)},
      {{"rates", "issue_per_sm_cycle"}, field(&P::issue_per_sm_cycle)},
      {{"rates", "wavefronts_per_sm_cycle"}, field(&P::wavefronts_per_sm_cycle)},
      {{"rates", "dram_bytes_per_second"}, field(&P::dram_bytes_per_second)},
      {{"rates", "dram_peak_bytes_per_second"}, field(&P::dram_peak_bytes_per_second)},
      {{"rates", "l2_read_bytes_per_second"}, field(&P::l2_read_bytes_per_second)},
      {{"rates", "fp32_flops_per_second"}, field(&P::fp32_flops_per_second)},
      {{"rates", "fp64_flops_per_second"}, field(&P::fp64_flops_per_second)},
      {{"rates", "store_slots_per_second"}, field(&P::store_slots_per_second)},
      {{"rates", "blocks_started_per_second"}, field(&P::blocks_started_per_second)},
      {{"rates", "warp_start_seconds"}, field(&P::warp_start_seconds)},
      {{"latencies", "warp_prologue_seconds"}, field(&P::warp_prologue_seconds)},
      {{"latencies", "launch_seconds"}, field(&P::launch_seconds)},
      {{"latencies", "l1_latency_seconds"}, field(&P::l1_latency_seconds)},
      {{"latencies", "l2_latency_seconds"}, field(&P::l2_latency_seconds)},
      {{"latencies", "dram_latency_seconds"}, field(&P::dram_latency_seconds)},
      {{"latencies", "shared_latency_seconds"}, field(&P::shared_latency_seconds)},
      {{"latencies", "straggler_seconds"}, field(&P::straggler_seconds)},
      {{"latencies", "barrier_cycles"}, field(&P::barrier_cycles)},
      {{"latencies", "barrier_cycles_per_warp"}, field(&P::barrier_cycles_per_warp)},
      {{"latencies", "instruction_cycles"}, field(&P::instruction_cycles)},
      {{"latencies", "dram_queue_seconds"}, field(&P::dram_queue_seconds)},
      {{"latencies", "block_turnover_seconds"}, field(&P::block_turnover_seconds)},
      {{"limits", "l2_reuse_bytes"}, field(&P::l2_reuse_bytes)},
      {{"rates", "dram_visits_per_second"}, field(&P::dram_visits_per_second)},
      {{"rates", "fp64_issue_slots"}, field(&P::fp64_issue_slots)},
      {{"latencies", "atomic_seconds"}, field(&P::atomic_seconds)},
      {{"torn_lines", "torn_line_dram_bytes"}, field(&P::torn_line_dram_bytes)},
      {{"torn_lines", "torn_line_store_slots"}, field(&P::torn_line_store_slots)},
  };
  return all;
}

double entry(const toml::node* node, const std::string& where) {
  const toml::table* table = node ? node->as_table() : nullptr;
  if (!table) throw Error(where + ": missing, or no { value, unit, source }");
  for (const char* word : {"unit", "source"}) {
    const auto text = table->get_as<std::string>(word);
    if (!text || text->get().empty()) throw Error(where + ": has no " + word);
  }
  const auto value = (*table)["value"].value<double>();
  // Before compute capability 8.0 a block costs no more shared memory than it asks for.
  const bool may_be_zero = where.ends_with("limits.shared_bytes_reserved");
  if (!value || !(*value > 0 || (may_be_zero && *value == 0)))
    throw Error(where + ": its value is no positive number");
  return *value;
}

}  // namespace

GpuProfile parse_profile(const std::string& name, const std::string& toml,
                         const std::string& origin) {
  GpuProfile gpu;
  gpu.name = name;
  try {
    const toml::table root = toml::parse(toml, origin);
    const auto title = root["title"].value<std::string>();
    const auto measured = root["measured"].value<bool>();
    if (!title || !measured)
      throw Error(origin + ": needs `title` (text) and `measured` (true or false)");
    gpu.title = *title;
    gpu.measured = *measured;
    for (const auto& [key, set] : fields())
      set(gpu, entry(root.at_path(key.first + "." + key.second).node(),
                     origin + ": " + key.first + "." + key.second));
    for (const auto& [section, node] : root) {
      const toml::table* table = node.as_table();
      if (!table) {
        if (section != "title" && section != "measured")
          throw Error(origin + ": unknown entry " + std::string(section.str()));
        continue;
      }
      for (const auto& [word, value] : *table)
        if (!fields().contains({std::string(section.str()), std::string(word.str())}))
          throw Error(origin + ": unknown entry " + std::string(section.str()) + "." +
                      std::string(word.str()));
    }
  } catch (const toml::parse_error& error) {
    throw Error(origin + ", line " + std::to_string(error.source().begin.line) + ": " +
                std::string(error.description()));
  }
  return gpu;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const ProfileText& text : profile_texts()) names.push_back(text.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> measured_profile_names() {
  std::vector<std::string> names = profile_names();
  std::erase_if(names, [](const std::string& name) { return !find_profile(name).measured; });
  return names;
}

const GpuProfile& find_profile(std::string_view name) {
  static const std::map<std::string, GpuProfile, std::less<>> profiles = [] {
    std::map<std::string, GpuProfile, std::less<>> read;
    for (const ProfileText& text : profile_texts())
      read[text.name] =
          parse_profile(text.name, text.toml, "grader/timing/profiles/" + text.name + ".toml");
    return read;
  }();
  const auto found = profiles.find(name);
  if (found != profiles.end()) return found->second;
  std::string known;
  for (const std::string& each : profile_names()) known += (known.empty() ? "" : ", ") + each;
  throw Error("there is no GPU profile '" + std::string(name) + "'", "choose one of: " + known);
}

}  // namespace labkit::timing
