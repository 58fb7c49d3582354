// What stops a launch, in compute-sanitizer's wording.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "simt/cost.h"
#include "simt/spaces.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

std::string hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string triple(const launch::Dim3& d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

const char* sanitizer_space(std::uint8_t space) {
  switch (static_cast<ptx::Space>(space)) {
    case ptx::Space::shared:
      return "__shared__";
    case ptx::Space::local:
      return "__local__";
    case ptx::Space::constant:
      return "__constant__";
    case ptx::Space::param:
      return "__param__";
    default:
      return "__global__";
  }
}

std::string plural(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

launch::Finding Worker::finding_at(launch::FindingKind kind, std::uint32_t instruction,
                                   std::uint32_t warp, std::uint32_t lane) const {
  launch::Finding finding;
  finding.kind = kind;
  finding.kernel = launch_.launch->kernel.empty() ? program_.facts.entry : launch_.launch->kernel;
  const std::uint32_t thread = warp * kLanes + lane;
  const auto& block = launch_.launch->block;
  finding.thread = {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
  finding.block = {block_x_, block_y_, block_z_};
  std::string at = finding.kernel;
  if (instruction < program_.instructions.size()) {
    const auto& facts = program_.instructions[instruction];
    const auto& files = program_.module->files;
    // a line of a header is of no use to the reader: the line of the kernel that brought it in
    const auto& known = facts.inlined_at.line != 0 && facts.inlined_at.file < files.size()
                            ? facts.inlined_at
                            : facts.location;
    const auto where =
        facts.line_is_of_caller ? caller_line(warps_[warp], instruction, lane) : known;
    if (!facts.line_is_of_caller && facts.inlined_at.line != 0 && facts.location.line != 0 &&
        facts.inlined_at.file == facts.location.file && facts.location.file < files.size())
      finding.where_inside = {files[facts.location.file], facts.location.line};
    finding.where.line = where.line;
    if (where.file < files.size()) finding.where.file = files[where.file];
    if (where.line != 0) at += " in " + finding.where.file + ":" + std::to_string(where.line);
  }
  const char* what = "";
  switch (kind) {
    case launch::FindingKind::barrier:
      what = "Barrier error detected. Divergent thread(s) in warp.";
      break;
    case launch::FindingKind::trap:
      what = "The kernel stopped itself (trap).";
      break;
    default:
      break;
  }
  finding.text = std::string(what) + (*what != 0 ? "\n" : "") + "at " + at + "\nby thread " +
                 triple(finding.thread) + " in block " + triple(finding.block);
  return finding;
}

/// The line that called the function of a header in which a lane is at `instruction`; line 0 if it is not there.
ptx::SourceLocation Worker::caller_line(const Warp& warp, std::uint32_t instruction,
                                        std::uint32_t lane) const {
  const auto function = program_.blocks[program_.block_of[instruction]].function;
  for (const Split& split : warp.splits) {
    const bool is_there = split.state != SplitState::unused && !split.is_call &&
                          split.function == function && (split.mask >> lane & 1) != 0;
    if (!is_there) continue;
    for (auto at = split.parent; at >= 0;) {
      const Split& caller = warp.splits[static_cast<std::size_t>(at)];
      at = caller.parent;
      if (!caller.is_call || program_.functions[caller.function].is_of_header) continue;
      const auto& facts = program_.instructions[program_.calls[caller.call_site].instruction];
      if (facts.line_is_of_caller) return {};
      return facts.inlined_at.line != 0 ? facts.inlined_at : facts.location;
    }
    return {};
  }
  return {};
}

void Worker::fail(launch::Finding finding) {
  if (failed_) return;
  failed_ = true;
  failures.push_back({block_, std::move(finding)});
  auto lowest = launch_.stop_at.load();
  while (block_ < lowest && !launch_.stop_at.compare_exchange_weak(lowest, block_)) {
  }
}

void Worker::access_fault(const MemoryOp& memory, std::uint8_t space, std::uint32_t lane,
                          std::uint64_t address, bool misaligned, std::uint32_t lanes,
                          std::uint32_t other_lanes) {
  const auto& facts = program_.instructions[memory.index];
  if (space == kSharedSpace && address >= kReservedShared &&
      address < kReservedShared + kReservedSharedBytes) {
    auto finding = finding_at(launch::FindingKind::unsupported, memory.index, warp_->number, lane);
    finding.text =
        "The simulator has no shared memory of the toolkit's own (%reserved_smem_offset_1), which "
        "groups larger than a warp use\n" +
        finding.text;
    fail(std::move(finding));
    return;
  }
  const bool in_window = space == kSharedSpace || space == kLocalSpace || space == kParameterSpace;
  if (in_window) address = static_cast<std::uint64_t>(signed_offset(address));
  const bool before_window = in_window && static_cast<std::int64_t>(address) < 0;
  auto finding =
      finding_at(misaligned ? launch::FindingKind::misaligned : launch::FindingKind::out_of_bounds,
                 memory.index, warp_->number, lane);
  finding.space = ptx::name_of(static_cast<ptx::Space>(space));
  finding.address = address;
  finding.access_bytes = memory.bytes;
  finding.lanes = lanes;
  finding.other_lanes = other_lanes;
  const char* what = facts.is_atomic ? "atomic" : memory.is_store ? "write" : "read";
  std::string text = std::string("Invalid ") + sanitizer_space(space) + " " + what + " of size " +
                     plural(memory.bytes, "byte") + "\n" + finding.text + "\nAddress " +
                     hex(address) + (misaligned ? " is misaligned" : " is out of bounds");
  if (!misaligned) {
    struct Range {
      std::uint64_t begin, end;
      std::string name;
      bool is_constant = false;
    };
    std::vector<Range> ranges;
    bool constant = false;
    if (space == kSharedSpace) {
      ranges.push_back({0, launch_.shared_bytes, "the block's shared memory"});
    } else if (space == kLocalSpace) {
      ranges.push_back({0, warp_->local_capacity, "the thread's local memory"});
    } else if (space == kParameterSpace) {
      ranges.push_back({0, launch_.parameters.size(), "the kernel's parameters"});
    } else {
      for (const auto& allocation : launch_.memory->allocations) {
        ranges.push_back(
            {allocation.begin, allocation.end(), allocation.name, allocation.is_constant});
        constant = constant || (allocation.is_constant && address >= allocation.begin &&
                                address < allocation.end());
      }
    }
    auto distance = [&](const Range& r) {
      return address < r.begin ? r.begin - address : address < r.end ? 0 : address - r.end;
    };
    const auto nearest =
        std::min_element(ranges.begin(), ranges.end(),
                         [&](const Range& a, const Range& b) { return distance(a) < distance(b); });
    // a build for debugging has one kind of address for all: what was meant lies nearest
    if (memory.space == kGenericSpace && !constant && nearest != ranges.end() &&
        nearest->is_constant) {
      finding.space = ptx::name_of(ptx::Space::constant);
      const std::string as = sanitizer_space(space);
      text.replace(text.find(as), as.size(), "__constant__");
    }
    if (constant) {
      text += "\nand lies in constant memory, which kernels cannot write";
    } else if ((space == kGlobalSpace || space == kGenericSpace) && address < (1ull << 20)) {
      text += "\nand is (or is near) a null pointer";
    } else if (nearest != ranges.end()) {
      const bool before = before_window || address < nearest->begin,
                 inside = !before && address < nearest->end;
      // compute-sanitizer counts the first byte after an allocation as 1 byte after it
      const std::uint64_t away = before ? nearest->begin - address : address - nearest->end + 1;
      text += inside ? "\nand runs past the end of the nearest allocation"
                     : "\nand is " + plural(away, "byte") + (before ? " before" : " after") +
                           " the nearest allocation";
      text += " at " + hex(nearest->begin) + " of size " +
              plural(nearest->end - nearest->begin, "byte") + " (" + nearest->name + ")";
      if (space == kGlobalSpace || space == kSharedSpace || nearest->is_constant)
        finding.array = {nearest->name, nearest->begin, nearest->end - nearest->begin};
      if (space == kSharedSpace && facts.shared_array >= 0) {  // the array that was meant
        const auto& array =
            program_.facts.shared_arrays[static_cast<std::size_t>(facts.shared_array)];
        const auto end = array.is_dynamic ? std::uint64_t{launch_.shared_bytes} : array.end;
        finding.array = {array.name, array.begin, end - array.begin};
      }
    }
  }
  if (misaligned && space == kGlobalSpace)
    for (const auto& allocation : launch_.memory->allocations)
      if (address >= allocation.begin && address < allocation.end()) {
        text += "\nand is inside the nearest allocation at " + hex(allocation.begin) + " of size " +
                plural(allocation.end() - allocation.begin, "byte") + " (" + allocation.name + ")";
        finding.array = {allocation.name, allocation.begin, allocation.end() - allocation.begin};
      }
  if (misaligned && space == kSharedSpace && facts.shared_array >= 0) {
    const auto& array = program_.facts.shared_arrays[static_cast<std::size_t>(facts.shared_array)];
    const auto end = array.is_dynamic ? std::uint64_t{launch_.shared_bytes} : array.end;
    if (address >= array.begin && address < end)
      finding.array = {array.name, array.begin, end - array.begin};
  }
  finding.text = std::move(text);
  fail(std::move(finding));
}

std::string over_budget_text(std::uint64_t budget) {
  std::string digits = std::to_string(budget / kLanes);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return "The kernel did not end within " + digits +
         " plain warp instructions, all its warps together (what takes longer counts for several)";
}

std::string print_fix_text() {
  return "\nIt is a printf: each call of a warp counts for " + std::to_string(kPrintCost / kLanes) +
         " instructions.\nFix: print from one thread, and not in a long loop.";
}

std::string one_lane_text(std::uint64_t warp_instructions, std::uint64_t thread_instructions) {
  if (thread_instructions * 4 > warp_instructions * 5) return {};
  return std::string("\nNearly all of it was done by ") + kOneLaneAlone +
         ", while the others had nothing to do.\nFix: share the work out: let each thread begin at "
         "its own place, or find the condition that lets only one through.";
}

void Worker::budget_fault(const Warp& warp, const Split& split, bool prints) {
  const auto& block = program_.blocks[static_cast<std::size_t>(split.block)];
  const auto instruction = block.first_instruction;
  auto finding = finding_at(launch::FindingKind::budget, instruction, warp.number,
                            static_cast<std::uint32_t>(std::countr_zero(split.mask)));
  finding.text = over_budget_text(launch_.budget) + "; a loop may never end\n" + finding.text;
  const auto& count = block_counts_[static_cast<std::size_t>(split.block)];
  if (prints)
    finding.text += print_fix_text();
  else if (launch_.threads > 1)
    finding.text += one_lane_text(count.warps, count.threads);
  fail(std::move(finding));
}

/// No warp of the block can go on: barriers that some threads never reach, or warp-wide instructions that name lanes
/// which do not come.
void Worker::deadlock() {
  for (const auto& warp : warps_) {
    for (const auto& split : warp.splits) {
      const bool at_barrier = split.state == SplitState::at_barrier;
      if (!at_barrier && split.state != SplitState::at_warp_sync) continue;
      const Op& op = launch_.ops[split.op];
      std::uint32_t here = 0;
      for (const auto& other : warp.splits)
        if (other.state == split.state && other.op == split.op) here |= other.waiting;
      if ((warp.live & ~here) == 0) continue;
      auto finding = finding_at(launch::FindingKind::barrier, op.index, warp.number,
                                static_cast<std::uint32_t>(std::countr_zero(split.waiting)));
      finding.lanes = here;
      finding.other_lanes = warp.live & ~here;
      finding.text += at_barrier
                          ? what_it_waits_for(warp, split)
                          : "\nFix: let every lane that the mask names come by, or name only "
                            "those that do.";
      return fail(std::move(finding));
    }
  }
  for (const auto& warp : warps_)
    for (const auto& split : warp.splits) {
      if (split.state != SplitState::at_barrier && split.state != SplitState::at_warp_sync)
        continue;
      const Op& op = launch_.ops[split.op];
      auto finding = finding_at(launch::FindingKind::barrier, op.index, warp.number,
                                static_cast<std::uint32_t>(std::countr_zero(split.waiting)));
      const std::string in_warp = "in warp.";
      if (const auto at = finding.text.find(in_warp); at != std::string::npos)
        finding.text.replace(at, in_warp.size(), "in block.");
      if (split.state == SplitState::at_barrier) finding.text += what_it_waits_for(warp, split);
      return fail(std::move(finding));
    }
  auto finding = finding_at(launch::FindingKind::barrier, ~0u, 0, 0);
  finding.text = "Barrier error detected. No thread of the block can go on.\n" + finding.text;
  fail(std::move(finding));
}

void Worker::assert_failed(Warp& warp, const Op& op, std::uint32_t mask) {
  const auto& site = program_.calls[op.aux];
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const auto* parameters =
      warp.parameters.data() + std::size_t{lane} * program_.parameter_bytes_per_lane;
  auto text_of = [&](std::size_t k) {
    std::uint64_t address;
    std::memcpy(&address, parameters + site.arguments[k].offset, sizeof address);
    std::string text;
    for (; text.size() < 4096; ++address) {
      const auto* c = locate_lane(kGlobalSpace, address, 1, lane, false);
      if (c == nullptr || *c == std::byte{0}) break;
      text += static_cast<char>(*c);
    }
    return text;
  };
  std::uint32_t line;
  std::memcpy(&line, parameters + site.arguments[2].offset, sizeof line);
  auto finding = finding_at(launch::FindingKind::assertion, op.index, warp.number, lane);
  if (finding.where.line == 0) finding.where = {text_of(1), line};
  auto spaced = [](const launch::Dim3& d) {
    return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
  };
  // the words of CUDA's own assert()
  finding.text = text_of(1) + ":" + std::to_string(line) + ": " + text_of(3) +
                 ": block: " + spaced(finding.block) + ", thread: " + spaced(finding.thread) +
                 " Assertion `" + text_of(0) + "` failed.";
  fail(std::move(finding));
}

}  // namespace labkit::simt
