#include "observe/findings.h"
#include "observe/sanitizers.h"
#include "simt/access.h"

namespace labkit::observe {
namespace {

struct OutsideAccess {
  std::uint64_t block = 0, address = 0;
  std::uint32_t thread = 0;
  std::uint32_t lanes = 0, other_lanes = 0;  ///< of that access: outside and inside
  std::uint64_t count = 0;
};
using ByInstruction = std::map<std::uint32_t, OutsideAccess>;

class BoundsObserver final : public simt::Observer {
 public:
  BoundsObserver(std::span<const simt::InstructionFacts> facts,
                 const std::vector<simt::SharedArray>& arrays)
      : facts_(facts), arrays_(arrays) {}

  void on_access(const simt::Access& access) override {
    if (access.space != ptx::Space::shared) return;
    const auto number = facts_[access.instruction].shared_array;
    if (number < 0) return;
    const auto& array = arrays_[number];
    std::uint32_t outside = 0;
    for (const auto lane : Lanes(access.active)) {
      const auto address = access.addresses[lane];
      if (address < array.begin || address + access.bytes_per_lane > array.end)
        outside |= 1u << lane;
    }
    if (outside == 0) return;
    const auto first = first_lane(outside);
    note(cases, access.instruction,
         {access.block, access.addresses[first], access.warp * 32 + first, outside,
          access.active & ~outside, simt::lane_count(outside)});
  }

  ByInstruction cases;

 private:
  std::span<const simt::InstructionFacts> facts_;
  const std::vector<simt::SharedArray>& arrays_;
};

class Bounds final : public Sanitizer {
 public:
  Bounds(const simt::Program& program, const launch::Launch& launch)
      : facts_(simt::instructions(program)), arrays_(simt::facts(program).shared_arrays) {
    for (auto& array : arrays_)
      if (array.is_dynamic) array.end = array.begin + launch.dynamic_shared_bytes;
  }
  std::unique_ptr<simt::Observer> make() override {
    return std::make_unique<BoundsObserver>(facts_, arrays_);
  }
  void collect(simt::Observer& observer, const simt::Executions&) override {
    for (const auto& [instruction, one] : static_cast<BoundsObserver&>(observer).cases)
      note(cases_, instruction, one);
  }
  std::vector<launch::Finding> findings(const Places& places) const override {
    std::vector<launch::Finding> found;
    for (const auto& [instruction, one] : cases_)
      found.push_back(finding(instruction, one, places));
    return found;
  }

 private:
  launch::Finding finding(std::uint32_t instruction, const OutsideAccess& one,
                          const Places& places) const {
    using launch::Cause;
    using words::Id;
    const auto& facts = facts_[instruction];
    const auto& array = arrays_[facts.shared_array];
    const auto name = source_name(array.name);
    const auto place = simt::signed_offset(one.address);
    launch::Finding finding;
    finding.kind = launch::FindingKind::out_of_bounds;
    finding.space = "shared";
    finding.access = access_of(facts.is_store, facts.is_atomic);
    finding.kernel = places.kernel();
    finding.where = places.line(instruction);
    finding.where_inside = places.inside(instruction);
    finding.thread = places.thread(one.thread);
    finding.block = places.block(one.block);
    finding.address = static_cast<std::uint64_t>(place);
    finding.access_bytes = facts.bytes_per_lane;
    finding.array = {name, array.begin, array.end - array.begin};
    finding.lanes = one.lanes;
    finding.other_lanes = one.other_lanes;
    finding.count = one.count;
    const words::Parameter named = with("array", name), size = with("size", finding.array.bytes);
    if (place < static_cast<std::int64_t>(array.begin))
      diagnose(finding, Cause::out_of_bounds_negative_index, {Id::bounds_fix_negative},
               {{Id::bounds_before, {with("bytes", array.begin - finding.address), named, size}}});
    else if (one.address < array.end)
      diagnose(finding, Cause::out_of_bounds_shared, {Id::bounds_fix_declared_size, {named}},
               {{Id::bounds_over_end, {named, size}}});
    else
      diagnose(finding, Cause::out_of_bounds_shared, {Id::bounds_fix_declared_size, {named}},
               {{Id::bounds_after, {with("bytes", one.address - array.end + 1), named, size}}});
    const auto other = places.extent(ptx::Space::shared, one.address);
    if (!other.name.empty() && other.name != name)
      finding.evidence.push_back(
          {Id::bounds_lands_in,
           {{"offset", words::count(one.address - other.begin)}, {"array", other.name}}});
    return finding;
  }

  std::span<const simt::InstructionFacts> facts_;
  std::vector<simt::SharedArray> arrays_;  ///< dynamic ones with their end
  ByInstruction cases_;
};

}  // namespace

std::unique_ptr<Sanitizer> bounds_sanitizer(const simt::Program& program,
                                            const launch::Launch& launch) {
  return std::make_unique<Bounds>(program, launch);
}

}  // namespace labkit::observe
