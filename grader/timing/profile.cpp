// GPU profiles: TOML in which every number carries a unit and a source, checked when it is read. And how many blocks an SM
// of such a GPU holds at a time: the tightest of its limits.
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

/// By name, as TOML.
const std::map<std::string, std::string>& profile_texts() {
  static const std::map<std::string, std::string> texts = {
#include "timing/profiles.inc"
  };
  return texts;
}

using Setter = std::function<void(GpuProfile&, double)>;

template <typename T>
Setter field(T GpuProfile::*member) {
  return [member](GpuProfile& gpu, double value) { gpu.*member = static_cast<T>(value); };
}

/// Where a number goes, by its table and name: "limits.sm_count".
const std::map<std::string, Setter>& fields() {
  using P = GpuProfile;
  static const std::map<std::string, Setter> all = {
#define NUMBER(table, type, name) {#table "." #name, field(&P::name)},
#include "timing/profile_numbers.def"
#undef NUMBER
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

// Technical specifications per compute capability, CUDA C++ programming guide.
constexpr std::uint64_t kMostRegistersPerThread = 255;

std::uint64_t warps_of(const launch::Dim3& block) {
  return std::max<std::uint64_t>(1, (block.count() + 31) / 32);
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
      set(gpu, entry(root.at_path(key).node(), origin + ": " + key));
    const auto require = [&](bool known, const std::string& key) {
      if (!known) throw Error(origin + ": unknown entry " + key);
    };
    for (const auto& [section, node] : root) {
      const std::string name(section.str());
      if (!node.is_table()) {
        require(name == "title" || name == "measured", name);
        continue;
      }
      for (const auto& [word, value] : *node.as_table()) {
        const std::string key = name + "." + std::string(word.str());
        require(fields().contains(key), key);
      }
    }
  } catch (const toml::parse_error& error) {
    throw Error(origin + ", line " + std::to_string(error.source().begin.line) + ": " +
                std::string(error.description()));
  }
  return gpu;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const auto& [name, toml] : profile_texts()) names.push_back(name);
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
    for (const auto& [name, toml] : profile_texts())
      read[name] = parse_profile(name, toml, "grader/timing/profiles/" + name + ".toml");
    return read;
  }();
  const auto found = profiles.find(name);
  if (found != profiles.end()) return found->second;
  throw Error("there is no GPU profile '" + std::string(name) + "'",
              "choose one of: " + joined(profile_names()));
}

std::uint32_t most_registers(const launch::Dim3& block, const GpuProfile& gpu) {
  const std::uint64_t unit = gpu.register_allocation_unit;
  const std::uint64_t of_a_warp = gpu.registers_per_sm / warps_of(block) / unit * unit;
  return static_cast<std::uint32_t>(std::min(of_a_warp / 32, kMostRegistersPerThread));
}

Activity with_registers_that_fit(Activity activity, const GpuProfile& gpu) {
  if (activity.registers_estimated)
    activity.registers_per_thread =
        std::min(activity.registers_per_thread, most_registers(activity.block, gpu));
  return activity;
}

bool fits(const Activity& activity, const GpuProfile& gpu) {
  return occupancy(with_registers_that_fit(activity, gpu), gpu).blocks_per_sm > 0;
}

Occupancy occupancy(const Activity& activity, const GpuProfile& gpu) {
  const std::uint64_t warps = warps_of(activity.block);
  Occupancy result;
  std::uint64_t best = gpu.max_blocks_per_sm;
  result.limiter = "blocks";
  const auto limit = [&](std::uint64_t blocks, const char* name) {
    if (blocks < best) {
      best = blocks;
      result.limiter = name;
    }
  };
  limit(
      std::min<std::uint64_t>(gpu.max_warps_per_sm / warps, gpu.max_threads_per_sm / (warps * 32)),
      "block size");
  // Registers come a warp at a time, in multiples of the allocation unit.
  const std::uint64_t unit = gpu.register_allocation_unit;
  const std::uint64_t registers =
      (std::uint64_t{activity.registers_per_thread} * 32 + unit - 1) / unit * unit;
  if (registers) limit(gpu.registers_per_sm / registers / warps, "registers");
  if (activity.shared_bytes_per_block > gpu.shared_bytes_per_block_max)
    limit(0, "shared memory");
  else if (const std::uint64_t shared = activity.shared_bytes_per_block + gpu.shared_bytes_reserved)
    limit(gpu.shared_bytes_per_sm / shared, "shared memory");
  const std::uint64_t available = (activity.grid.count() + gpu.sm_count - 1) / gpu.sm_count;
  limit(available, "grid");
  result.blocks_per_sm = static_cast<std::uint32_t>(best);
  result.warps_per_sm = static_cast<std::uint32_t>(best * warps);
  return result;
}

}  // namespace labkit::timing
