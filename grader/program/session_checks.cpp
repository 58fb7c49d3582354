// What of the program's copies and fills shows a mistake, though no rule of CUDA's is broken.
#include <algorithm>
#include <bit>
#include <cctype>
#include <utility>

#include "compile/declarations.h"
#include "compile/outline.h"
#include "program/session_parts.h"

namespace labkit::program {

using words::Id;

void Session::check_host_array(std::uint64_t bytes, std::uint64_t caller,
                               const std::string& function, bool is_to_host) {
  if ((function != "cudaMemcpy" && function != "cudaMemcpyAsync") ||
      !checked_arrays_.insert({caller, bytes}).second)
    return;
  const auto array = host_array_at(lines_.at(caller), function, is_to_host ? 0 : 1);
  if (!array || array->bytes >= bytes) return;
  caller_ = caller;
  note({is_to_host ? "host_small" : "host_short",
        {{is_to_host ? Id::program_host_small : Id::program_host_short,
          {{"function", function},
           {"bytes", words::count(bytes)},
           {"array", array->name},
           {"size", words::count(array->bytes)}}}},
        {Id::program_fix_copy_fits}});
}

void Session::mark_padding(const std::string& entry, const std::string& kernel) {
  const auto [known, is_new] = padding_.try_emplace(entry);
  if (is_new)
    for (std::size_t i = 0; i < last_arguments_.size(); ++i)
      known->second.push_back(
          compile::padding_of_pointed(options_.source, compile::base_name(kernel), i));
  for (std::size_t i = 0; i < last_arguments_.size(); ++i)
    memory_.mark_padding(last_arguments_[i].value, known->second[i]);
}

void Session::check_fill(const std::string& kernel) {
  // 63 and 127 are known ways to large numbers; nobody who writes 1 means 16,843,009
  constexpr int kMost = 31;
  for (const LaunchArgument& one : last_arguments_) {
    const std::string type = one.pointed_type();
    const std::uint32_t bytes = bytes_of_type(type);
    const auto allocation = memory_.allocation_at(one.value);
    if (bytes < 2 || bytes > 8 || std::isdigit(static_cast<unsigned char>(type.back())) != 0 ||
        !allocation || allocation->fill < 1 || allocation->fill > kMost)
      continue;
    std::uint64_t element = 0;
    for (std::uint32_t b = 0; b < bytes; ++b)
      element = element << 8 | static_cast<std::uint64_t>(allocation->fill);
    const bool is_float = type == "float", is_double = type == "double";
    const double number = is_float ? std::bit_cast<float>(static_cast<std::uint32_t>(element))
                                   : std::bit_cast<double>(element);
    caller_ = allocation->written_by;
    note({"fill_value",
          {{Id::program_fill_value,
            {{"function", "cudaMemset"},
             {"array", one.name},
             {"value", words::count(static_cast<std::uint64_t>(allocation->fill))},
             {"kernel", kernel},
             {"type", type},
             {"element", is_float || is_double ? words::Value(number) : words::count(element)}}}},
          {Id::program_fix_fill_value},
          false});
  }
}

void Session::forget_copies_into(const words::SourceLine& allocation) {
  const std::lock_guard lock(report_mutex_);
  std::erase_if(report_.incidents, [&](const Incident& one) {
    return one.kind == "bad_copy" && std::ranges::any_of(one.what, [&](const words::Message& what) {
             const words::Value* line = what.find("line");
             return line != nullptr && *line == words::Value(allocation);
           });
  });
}

/// Where the allocation was made; without sizeof, while the copy has it, that is what is wrong.
std::pair<std::vector<words::Message>, words::Message> Session::too_small_for_copy(
    const IncidentRequest& copy) {
  const Sizes here = sizes_at(lines_.at(copy.caller));
  // elements and bytes are not confused where sizeof stands there
  const words::Message fix{here.all.empty() ? Id::program_fix_bad_copy : Id::program_fix_copy_fits};
  const auto allocation = memory_.allocation_at(copy.address);
  const auto line = allocation ? lines_.at(allocation->allocated_by) : words::SourceLine{};
  if (line.line == 0) return {{}, fix};
  const Sizes there = sizes_at(line);
  for (const Sizes::Size& size : there.all)
    if (size.of_pointer && allocation->bytes == sizeof(void*) && !here.all.empty())
      return {{at(Id::program_sizeof_pointer_there, line, {{"written", size.written}})},
              at(Id::program_fix_sizeof, line, {{"type", here.all.front().written}})};
  if (!there.is_known || !there.all.empty() || here.all.empty())
    return {{at(Id::program_allocated, line)}, fix};
  return {{at(Id::program_no_sizeof_there, line)},
          at(Id::program_fix_no_sizeof, line, {{"type", here.all.front().written}})};
}

void Session::check_size(std::uint64_t address, std::uint64_t bytes, std::uint64_t caller,
                         const std::string& function) {
  constexpr std::uint64_t kPointerBytes = sizeof(void*);
  const auto allocation = memory_.allocation_at(address);
  if (bytes != kPointerBytes || !allocation || allocation->bytes == bytes ||
      !checked_callers_.insert(caller).second)
    return;
  for (const Sizes::Size& size : sizes_at(lines_.at(caller)).all) {
    if (!size.of_pointer) continue;
    caller_ = caller;
    return note(
        {"pointer_size",
         {{Id::program_pointer_copy,
           {{"function", function}, {"bytes", words::count(bytes)}, {"written", size.written}}}},
         {Id::program_fix_bad_copy}});
  }
}

/// Of a whole array as many bytes as it has elements: sizeof is missing.
bool Session::check_few_bytes(const MovedRequest& copy, const std::string& function) {
  const auto allocation = memory_.allocation_at(copy.from);
  const auto argument = std::ranges::find_if(last_arguments_, [&](const LaunchArgument& one) {
    return one.is_pointer() && one.value == copy.from;
  });
  if (!allocation || allocation->address != copy.from || argument == last_arguments_.end())
    return false;
  const std::uint64_t each = bytes_of_type(argument->pointed_type()), bytes = copy.rows.bytes();
  if (each < 2 || copy.rows.height * copy.rows.depth != 1 || bytes * each != allocation->bytes)
    return false;
  const auto line = lines_.at(copy.caller);
  const Sizes sizes = sizes_at(line);
  if (!sizes.is_known || !sizes.all.empty()) return false;
  caller_ = copy.caller;
  const words::Parameter size{"bytes", words::count(allocation->bytes)};
  note({"few_bytes",
        {{Id::program_few_bytes,
          {{"function", function}, {"bytes", words::count(bytes)}, {"size", size.value}}}},
        at(Id::program_fix_part_written, line, {size}),
        false});
  return true;
}

/// It takes along what was not written. Of what comes to the host, all of it is an error; a part may be room that is not used.
void Session::copied_from_device(const MovedRequest& copy, const std::string& function) {
  check_size(copy.from, copy.rows.bytes(), copy.caller, function);
  if (memory_.bytes_at(copy.to) == 0)
    check_host_array(copy.rows.bytes(), copy.caller, function, true);
  if (!options_.check) return;
  if (memory_.bytes_at(copy.to) == 0 && check_few_bytes(copy, function)) return;
  if (memory_.bytes_at(copy.to) != 0) {
    copy.rows.each([&](std::uint64_t to, std::uint64_t from) {
      memory_.copy_written(copy.to + to, copy.from + from, copy.rows.width);
    });
    return;
  }
  DeviceMemory::Unwritten all;
  copy.rows.each([&](std::uint64_t, std::uint64_t from) {
    const auto one = memory_.unwritten(copy.from + from, copy.rows.width);
    if (all.bytes == 0) all.first = one.first;
    all.bytes += one.bytes;
    all.longest = std::max(all.longest, one.longest);
  });
  const std::uint64_t bytes = copy.rows.bytes();
  const auto of_launch = std::ranges::find_if(last_arguments_, [&](const LaunchArgument& one) {
    return one.is_pointer() && one.value == copy.from;
  });
  const bool is_of_numbers =
      of_launch != last_arguments_.end() && bytes_of_type(of_launch->pointed_type()) != 0;
  // nobody writes what lies between the members of a structure, of which mark_padding() does not know all
  constexpr std::uint64_t kMostPadding = 7;
  const bool is_padding = !is_of_numbers && all.longest <= kMostPadding && all.bytes < bytes;
  if (all.bytes == 0 || is_padding) return;
  caller_ = copy.caller;
  Incident incident{.kind = "unwritten_copy",
                    .what = {{Id::program_unwritten_copy,
                              {{"function", function},
                               {"unwritten", words::count(all.bytes)},
                               {"bytes", words::count(bytes)},
                               {"first", words::count(all.first - copy.from)}}}},
                    .fix = {Id::program_fix_unwritten_copy},
                    .is_error = all.bytes == bytes};
  if (!report_.launches.empty() && all.first != copy.from) {
    const LaunchRow& last = report_.launches.back();
    const std::uint64_t threads = last.grid.count() * last.block.count();
    const auto line = lines_.at(last.caller);
    const auto allocation = memory_.allocation_at(copy.from);
    const auto argument = std::ranges::find_if(last_arguments_, [&](const LaunchArgument& one) {
      return allocation && one.is_pointer() && one.value == allocation->address;
    });
    const std::uint64_t each =
        argument == last_arguments_.end() ? 0 : bytes_of_type(argument->pointed_type());
    const bool is_of_threads = each != 0 && all.first - allocation->address == each * threads;
    if (is_of_threads && line.line != 0) {
      incident.what.push_back(at(Id::program_few_threads, line,
                                 {{"kernel", last.kernel}, {"threads", words::count(threads)}}));
      incident.fix = at(Id::program_fix_few_threads, line);
    }
  }
  note(std::move(incident));
}

}  // namespace labkit::program
