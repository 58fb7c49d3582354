#include "observe/bounds.h"

#include <bit>
#include <map>

#include "simt/access.h"

namespace labkit::observe {
namespace {

struct AccessCase {
  std::uint64_t block = 0, address = 0;
  std::uint32_t thread = 0;
  std::uint32_t lanes = 0, other_lanes = 0;  ///< of that access: outside and inside
  std::uint64_t count = 0;
};
using AccessCases = std::map<std::uint32_t, AccessCase>;  ///< by instruction

void note(AccessCases& table, std::uint32_t instruction, const AccessCase& one) {
  const auto [at, is_new] = table.try_emplace(instruction, one);
  if (is_new) return;
  const auto count = at->second.count + one.count;
  if (one.block < at->second.block) at->second = one;
  at->second.count = count;
}

}  // namespace

struct Bounds::Seen {
  std::span<const simt::InstructionFacts> facts;
  std::vector<simt::SharedArray> arrays;  ///< dynamic ones with their end
  AccessCases cases;
};

namespace {

class BoundsObserver final : public simt::Observer {
 public:
  BoundsObserver(std::span<const simt::InstructionFacts> facts,
                 const std::vector<simt::SharedArray>& arrays)
      : facts_(facts), arrays_(arrays) {}

  void on_access(const simt::Access& access) override {
    if (access.space != ptx::Space::shared) return;
    const auto number = facts_[access.instruction].shared_array;
    if (number < 0) return;
    const auto& array = arrays_[static_cast<std::size_t>(number)];
    std::uint32_t outside = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto address = access.addresses[lane];
      if (address < array.begin || address + access.bytes_per_lane > array.end)
        outside |= 1u << lane;
    }
    if (outside == 0) return;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(outside));
    note(cases, access.instruction,
         {access.block, access.addresses[first], access.warp * 32 + first, outside,
          access.active & ~outside, static_cast<std::uint64_t>(std::popcount(outside))});
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_block_end(std::uint64_t) override {}

  AccessCases cases;

 private:
  std::span<const simt::InstructionFacts> facts_;
  const std::vector<simt::SharedArray>& arrays_;
};

}  // namespace

Bounds::Bounds(const simt::Program& program, const launch::Launch& launch)
    : seen_(std::make_unique<Seen>(
          Seen{simt::instructions(program), simt::facts(program).shared_arrays, {}})) {
  for (auto& array : seen_->arrays)
    if (array.is_dynamic) array.end = array.begin + launch.dynamic_shared_bytes;
}
Bounds::~Bounds() = default;

std::unique_ptr<simt::Observer> Bounds::make() {
  return std::make_unique<BoundsObserver>(seen_->facts, seen_->arrays);
}

void Bounds::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                     std::size_t) {
  for (const auto& [instruction, one] : static_cast<BoundsObserver&>(observer).cases)
    note(seen_->cases, instruction, one);
}

std::vector<launch::Finding> Bounds::findings(const Places& places) const {
  std::vector<launch::Finding> found;
  for (const auto& [instruction, one] : seen_->cases) {
    const auto& facts = seen_->facts[instruction];
    const auto& array = seen_->arrays[static_cast<std::size_t>(facts.shared_array)];
    launch::Finding finding;
    finding.kind = launch::FindingKind::out_of_bounds;
    finding.space = "shared";
    finding.kernel = places.kernel();
    finding.where = places.line(instruction);
    finding.where_inside = places.inside(instruction);
    finding.thread = places.thread(one.thread);
    finding.block = places.block(one.block);
    const auto place = simt::signed_offset(one.address);
    finding.address = static_cast<std::uint64_t>(place);
    finding.access_bytes = facts.bytes_per_lane;
    finding.lanes = one.lanes;
    finding.other_lanes = one.other_lanes;
    finding.count = one.count;
    const bool before = place < static_cast<std::int64_t>(array.begin);
    const auto name = source_name(array.name);
    finding.array = {name, array.begin, array.end - array.begin};
    finding.cause =
        before ? launch::Cause::out_of_bounds_negative_index : launch::Cause::out_of_bounds_shared;
    finding.access = facts.is_atomic  ? launch::Access::atomic
                     : facts.is_store ? launch::Access::write
                                      : launch::Access::read;
    const words::Parameter named{"array", name}, size{"size", words::count(finding.array.bytes)};
    const auto away = [&](std::uint64_t bytes) {
      return words::Parameter{"bytes", words::count(bytes)};
    };
    using words::Id;
    if (before)
      finding.evidence = {{Id::bounds_before, {away(array.begin - finding.address), named, size}}};
    else if (one.address < array.end)
      finding.evidence = {{Id::bounds_over_end, {named, size}}};
    else
      finding.evidence = {{Id::bounds_after, {away(one.address - array.end + 1), named, size}}};
    finding.fix = before ? words::Message{Id::bounds_fix_negative}
                         : words::Message{Id::bounds_fix_declared_size, {named}};
    const auto other = places.extent(ptx::Space::shared, one.address);
    if (!other.name.empty() && other.name != name)
      finding.evidence.push_back(
          {Id::bounds_lands_in,
           {{"offset", words::count(one.address - other.begin)}, {"array", other.name}}});
    found.push_back(std::move(finding));
  }
  return found;
}

}  // namespace labkit::observe
