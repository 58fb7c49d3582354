#include "observe/findings.h"
#include "observe/thread_values.h"
#include "simt/definedness.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using words::Id;

words::Message use_of(const simt::UndefinedUse& use, const Places& places) {
  const launch::SourceLine line = places.line(use.instruction);
  switch (use.kind) {
    case simt::UndefinedUse::Kind::address:
      return {Id::undefined_decides_address, {{"line", line}}};
    case simt::UndefinedUse::Kind::predicate:
      return {Id::undefined_decides_condition, {{"line", line}}};
    case simt::UndefinedUse::Kind::output: {
      const launch::Extent array = places.extent(ptx::Space::global, use.address);
      if (array.name.empty()) return {Id::undefined_stored, {{"line", line}}};
      return {Id::undefined_stored_in,
              {{"line", line},
               {"offset", words::count(use.address - array.begin)},
               {"array", array.name}}};
    }
  }
  return {};
}

bool is_unset_variable(const simt::UndefinedUse& use) {
  return use.origin_space == ptx::Space::reg && use.origin_address == simt::kNeverSet;
}

bool is_own_array(const simt::UndefinedUse& use, const simt::Program& program) {
  return use.origin_space == ptx::Space::local && picks_element(program, use.origin);
}

/// `bins[b] += 1` and `atomicAdd(&bins[b], 1)`: what reads the element is there to change it.
bool is_update(const simt::UndefinedUse& use, const Places& places) {
  const auto all = simt::instructions(places.program());
  if (use.origin >= all.size()) return false;
  const simt::InstructionFacts& origin = all[use.origin];
  if (origin.is_atomic || origin.shared_array < 0) return origin.is_atomic;
  std::size_t loads = 0, stores = 0;
  for (const simt::InstructionFacts& one : all)
    if (one.function == origin.function && one.shared_array == origin.shared_array &&
        one.location.line == origin.location.line && one.location.file == origin.location.file) {
      loads += one.is_load;
      stores += one.is_store;
    }
  return loads == 1 && stores == 1;
}

/// The finding's cause and fix.
void explain(launch::Finding& finding, const simt::UndefinedUse& use, const Places& places) {
  switch (use.origin_space) {
    case ptx::Space::shared:
      diagnose(finding, Cause::uninitialized_shared, {Id::undefined_fix_shared});
      if (const std::string array = places.extent(use.origin_space, use.origin_address).name;
          !array.empty() && is_update(use, places))
        finding.fix = {Id::undefined_fix_set_first, {{"line", finding.where}, {"array", array}}};
      return;
    case ptx::Space::reg:
      if (is_unset_variable(use))
        diagnose(finding, Cause::uninitialized_variable,
                 {Id::undefined_fix_variable, {{"line", finding.where}}});
      else
        diagnose(finding, Cause::uninitialized_shuffle, {Id::undefined_fix_shuffle});
      return;
    case ptx::Space::local:
      if (!is_own_array(use, places.program()))
        diagnose(finding, Cause::uninitialized_variable, {Id::undefined_fix_declared});
      else if (address_differs_by_thread(places.program(), use.origin))
        // who lets the thread pick the element means one array for all of them
        diagnose(finding, Cause::uninitialized_not_shared, {Id::undefined_fix_not_shared});
      else
        diagnose(finding, Cause::uninitialized_variable, {Id::undefined_fix_own_array});
      return;
    default: {
      const launch::Extent from = places.extent(ptx::Space::global, use.origin_address);
      const bool is_input = use.kind == simt::UndefinedUse::Kind::output && !from.name.empty() &&
                            from.begin != places.extent(ptx::Space::global, use.address).begin;
      diagnose(finding, Cause::uninitialized_output,
               is_input ? words::Message{Id::undefined_fix_input, {{"array", from.name}}}
                        : words::Message{Id::undefined_fix_output});
    }
  }
}

}  // namespace

launch::Finding undefined_finding(const simt::UndefinedUse& use, const Places& places) {
  launch::Finding finding;
  finding.kind = launch::FindingKind::uninitialized;
  finding.space = std::string(ptx::name_of(use.origin_space));
  finding.kernel = places.kernel();
  finding.where = places.line(use.origin);
  finding.other = places.line(use.instruction);
  finding.where_inside = places.inside(use.origin);
  finding.other_inside = places.inside(use.instruction);
  finding.thread = places.thread(use.origin_thread);
  finding.other_thread = places.thread(use.thread);
  finding.block = finding.other_block = places.block(use.block);
  finding.address = use.origin_address;
  finding.count = use.count;
  const auto instructions = simt::instructions(places.program());
  const std::uint32_t bytes =
      use.origin < instructions.size() ? instructions[use.origin].bytes_per_lane : 0;
  finding.access = launch::Access::read;
  explain(finding, use, places);
  if (is_unset_variable(use)) {
    // one of the thread's own, whether the compiler keeps it in a register or in local memory
    finding.space = std::string(ptx::name_of(ptx::Space::local));
    finding.thread = finding.other_thread;
    finding.address = 0;
    finding.evidence = {{Id::undefined_variable}, use_of(use, places)};
    return finding;
  }
  finding.access_bytes = bytes;
  // the first byte is described; an access begins at a multiple of its size
  if (bytes != 0 && use.origin_space != ptx::Space::reg) {
    finding.unwritten_from = static_cast<std::uint32_t>(use.origin_address % bytes);
    finding.address -= finding.unwritten_from;
  }
  finding.array = places.extent(use.origin_space, use.origin_address);
  if (use.origin_space == ptx::Space::reg) {
    finding.space.clear();
    finding.evidence.push_back({Id::undefined_lane, {{"lane", words::count(use.origin_address)}}});
  }
  if (is_own_array(use, places.program())) finding.evidence.push_back({Id::undefined_own_array});
  finding.evidence.push_back(use_of(use, places));
  return finding;
}

}  // namespace labkit::observe
