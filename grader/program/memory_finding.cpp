#include "program/memory_finding.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "compile/declarations.h"
#include "compile/outline.h"
#include "observe/findings.h"

namespace labkit::program {
namespace {

using launch::Cause;
using launch::Finding;
using launch::FindingKind;
using words::Id;

constexpr std::uint64_t kPointerBytes = 8;
constexpr std::uint64_t kOfHost = 1ull << 46;  // device memory lies below

/// A line of another file than the kernel's has its name.
words::Parameter line_of(const words::SourceLine& line, const Finding& finding) {
  const std::filesystem::path file(line.file), of_kernel(finding.where.file);
  if (file.filename() == of_kernel.filename()) return {"line", line};
  return {"line", file.filename().string() + ":" + std::to_string(line.line)};
}

const LaunchArgument* argument_at(const LaunchFacts& facts, std::uint64_t address) {
  const auto at = std::ranges::find_if(facts.arguments, [&](const LaunchArgument& one) {
    return one.is_pointer() && one.value == address;
  });
  return at == facts.arguments.end() ? nullptr : &*at;
}

/// Of what the argument points to; 0: not known.
std::uint64_t element_bytes(const LaunchArgument& argument, const LaunchFacts& facts,
                            const Finding& finding) {
  if (const std::uint64_t bytes = bytes_of_type(argument.pointed_type()); bytes != 0) return bytes;
  const auto structure =
      compile::pointed_structure(facts.source, compile::base_name(finding.kernel), argument.name);
  if (!structure) return 0;
  return structure->number_bytes *
         std::max<std::uint64_t>(structure->extent, structure->members.size());
}

/// How many elements an array of the launch may be meant to have: a number that it is given, or the product of two, its threads,
/// or as many as another array has.
std::vector<std::uint64_t> meant_elements(const LaunchFacts& facts, std::uint64_t address) {
  constexpr std::uint64_t kMost = 1ull << 31;
  std::vector<std::uint64_t> numbers;
  for (const LaunchArgument& one : facts.arguments)
    if (!one.is_pointer() && one.value >= 2 && one.value < kMost) numbers.push_back(one.value);
  std::vector<std::uint64_t> meant = numbers;
  for (const std::uint64_t one : numbers)
    for (const std::uint64_t other : numbers) meant.push_back(one * other);
  meant.push_back(facts.threads);
  for (const LaunchArgument& one : facts.arguments) {
    const std::uint64_t each = bytes_of_type(one.pointed_type());
    if (each == 0 || one.value == address) continue;
    if (const auto other = facts.memory.allocation_at(one.value))
      meant.push_back(other->bytes / each);
  }
  return meant;
}

/// Elements and bytes were confused where it was allocated, as its statement shows.
bool describe_small(Finding& finding, const DeviceMemory::Allocation& allocation,
                    const words::SourceLine& line, const LaunchFacts& facts) {
  const LaunchArgument* const argument = argument_at(facts, allocation.address);
  const std::string type = argument == nullptr ? "" : argument->pointed_type();
  const std::uint64_t wanted = type.empty() ? 0 : element_bytes(*argument, facts, finding),
                      bytes = allocation.bytes;
  const Sizes sizes = sizes_at(line);
  if (type.empty() || !sizes.is_known || finding.address < allocation.address + bytes) return false;
  const words::Parameter array{"array", finding.array.name},
      at = line_of(line, finding), size{"bytes", words::count(bytes)}, element{"type", type};
  const auto diagnose = [&](words::Message why, Id fix) {
    observe::forget_index(finding);
    finding.other = line;
    return observe::diagnose(finding, Cause::out_of_bounds_small_allocation, {fix, {at, element}},
                             {std::move(why)});
  };
  for (const Sizes::Size& one : sizes.all)
    if (one.of_pointer && bytes == kPointerBytes && !type.ends_with('*'))
      return diagnose(
          {Id::program_sizeof_pointer, {array, at, size, {"written", one.written}}},
          one.without_star() == type ? Id::program_fix_sizeof : Id::program_fix_no_sizeof);
  if (wanted == 0) return false;
  const std::uint64_t index = (finding.address - allocation.address) / wanted;
  if (sizes.all.empty()) {
    const auto meant = meant_elements(facts, allocation.address);
    const bool is_right = std::ranges::any_of(
        meant, [&](std::uint64_t elements) { return elements * wanted == bytes; });
    if (is_right || index >= bytes || std::ranges::count(meant, bytes) == 0) return false;
    return diagnose({Id::program_no_sizeof, {array, at, size}}, Id::program_fix_no_sizeof);
  }
  for (const Sizes::Size& one : sizes.all) {
    const words::Parameter written{"written", one.written};
    const std::uint64_t each =
        one.written.ends_with('*') ? kPointerBytes : bytes_of_type(one.written);
    if (each != 0 && each < wanted && bytes % each == 0 && index < bytes / each)
      return diagnose({Id::program_small_sizeof,
                       {array,
                        at,
                        {"bytes", words::count(each)},
                        written,
                        element,
                        {"wanted", words::count(wanted)}}},
                      Id::program_fix_sizeof);
  }
  return false;
}

void describe_freed(Finding& finding, const DeviceMemory::Allocation& allocation,
                    const LaunchFacts& facts) {
  const words::SourceLine freed = facts.lines.at(allocation.freed_by),
                          allocated = facts.lines.at(allocation.allocated_by);
  if (freed.line != 0) {
    finding.evidence.push_back({Id::program_freed_at, {line_of(freed, finding)}});
    finding.other = freed;
  }
  if (allocated.line != 0)
    finding.evidence.push_back({Id::program_allocated, {line_of(allocated, finding)}});
}

void describe_unwritten(Finding& finding, const DeviceMemory::Allocation& allocation,
                        const LaunchFacts& facts) {
  const words::SourceLine filled = facts.lines.at(allocation.written_by);
  const words::Parameter bytes{"bytes", words::count(allocation.bytes)};
  if (filled.line != 0 &&
      finding.address + finding.unwritten_from >= allocation.address + allocation.written_end) {
    const words::Parameter at = line_of(filled, finding);
    finding.evidence.push_back(
        {Id::program_part_written, {at, {"written", words::count(allocation.written_end)}, bytes}});
    finding.fix = {Id::program_fix_part_written, {at, bytes}};
    finding.other = filled;
    return;
  }
  // a sum that begins with what is there
  if (finding.fix.id == Id::undefined_fix_output && allocation.written_by == 0)
    finding.fix = {Id::program_fix_zero,
                   {{"array", finding.array.name}, {"size", std::to_string(allocation.bytes)}}};
  if (const auto line = facts.lines.at(allocation.allocated_by); line.line != 0)
    finding.evidence.push_back({Id::program_allocated, {line_of(line, finding)}});
}

void describe_pointer(Finding& finding, const LaunchFacts& facts) {
  const auto named = [](const LaunchArgument& one) {
    return one.is_pointer() && !one.name.empty();
  };
  if (finding.cause == Cause::out_of_bounds_null_pointer) {
    const auto is_null = [&](const LaunchArgument& one) { return named(one) && one.value == 0; };
    if (std::ranges::count_if(facts.arguments, is_null) != 1) return;
    const words::Parameter array{"array", std::ranges::find_if(facts.arguments, is_null)->name};
    finding.evidence.push_back({Id::program_null_argument, {array}});
    finding.fix = {Id::program_fix_null_argument, {array}};
    return;
  }
  const LaunchArgument* nearest = nullptr;  // of those before the address
  for (const LaunchArgument& one : facts.arguments)
    if (named(one) && one.value >= kOfHost && one.value <= finding.address &&
        (nearest == nullptr || one.value > nearest->value))
      nearest = &one;
  if (nearest != nullptr) finding.array = {nearest->name, nearest->value, 0};
}

}  // namespace

std::string LaunchArgument::pointed_type() const {
  std::string_view text = type;
  for (const std::string_view end : {" restrict", " __restrict__"})
    if (text.ends_with(end)) text.remove_suffix(end.size());
  if (!text.ends_with('*')) return "";
  text.remove_suffix(1);
  if (text.ends_with(" const")) text.remove_suffix(6);
  return std::string(text);
}

void describe_memory(Finding& finding, const LaunchFacts& facts) {
  if (finding.cause == Cause::out_of_bounds_null_pointer ||
      finding.cause == Cause::out_of_bounds_host_pointer)
    return describe_pointer(finding, facts);
  if (finding.fix.id == Id::bounds_fix_no_dynamic)
    if (const auto line = facts.lines.at(facts.launched); line.line != 0) {
      finding.fix = {Id::program_fix_dynamic_size,
                     {line_of(line, finding), {"array", finding.array.name}}};
      finding.other = line;
    }
  if (finding.space != "global" || finding.array.name.empty()) return;
  const auto allocation = facts.memory.allocation_at(finding.array.begin);
  if (!allocation) return;
  if (finding.kind == FindingKind::uninitialized)
    return describe_unwritten(finding, *allocation, facts);
  if (finding.kind != FindingKind::out_of_bounds) return;
  if (!allocation->is_live) return describe_freed(finding, *allocation, facts);
  const words::SourceLine line = facts.lines.at(allocation->allocated_by);
  if (line.line == 0 || describe_small(finding, *allocation, line, facts)) return;
  finding.other = line;
  finding.evidence.push_back({Id::program_allocated, {line_of(line, finding)}});
}

}  // namespace labkit::program
