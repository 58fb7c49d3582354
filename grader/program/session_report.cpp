// What a session keeps for the report.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "program/session_parts.h"

namespace labkit::program {
namespace {

using words::Id;

/// Launches that are kept with all their counters, to be looked at closely.
constexpr std::size_t kMostOutcomes = 64;
constexpr std::size_t kMostIncidents = 100;

std::string_view name_of(Copy copy) {
  switch (copy) {
    case Copy::to_device:
      return "host to device";
    case Copy::to_host:
      return "device to host";
    case Copy::on_device:
      return "device to device";
    case Copy::on_host:
      return "host to host";
    case Copy::fill:
      return "memset";
  }
  return "";
}

std::string error_name(std::uint64_t number) {
  switch (number) {
#define CUDA_ERROR(name, value, text) \
  case value:                         \
    return #name;
#include "program/include/cuda_errors.def"
#undef CUDA_ERROR
    default:
      return std::to_string(number);
  }
}

}  // namespace

bool Report::has_errors() const {
  return std::ranges::any_of(
             launches,
             [](const LaunchRow& row) { return launch::first_error(row.findings) != nullptr; }) ||
         std::ranges::any_of(incidents, &Incident::is_error);
}

void Session::add_copy(const CopiedRequest& copied) {
  const std::lock_guard lock(report_mutex_);
  CopyTotal& total = report_.copies[name_of(copied.copy)];
  ++total.count;
  total.bytes += copied.bytes;
  total.time_us += 1e6 * copied.seconds;
}

std::size_t Session::add_row(LaunchRow row) {
  const std::lock_guard lock(report_mutex_);
  auto& rows = report_.launches;
  row.first = ++report_.launch_count;
  report_.kernel_time_us += row.time_us;
  const auto about_as_long = [](double a, double b) { return a <= 1.05 * b && b <= 1.05 * a; };
  const auto is_alike = [&](const LaunchRow& one) {
    return one.entry == row.entry && one.grid == row.grid && one.block == row.block &&
           one.dynamic_shared_bytes == row.dynamic_shared_bytes && one.completed && row.completed &&
           one.observed == row.observed && row.findings.empty() && one.findings.empty() &&
           about_as_long(one.time_us / static_cast<double>(one.count), row.time_us);
  };
  // A program's loop launches a few kernels in turn; it is looked for among the last rows alone, however many there are.
  constexpr std::size_t kReach = 64;
  const std::size_t reached = std::min(rows.size(), kReach);
  if (const auto at = std::find_if(rows.rbegin(),
                                   rows.rbegin() + static_cast<std::ptrdiff_t>(reached), is_alike);
      at != rows.rbegin() + static_cast<std::ptrdiff_t>(reached)) {
    ++at->count;
    at->time_us += row.time_us;
    return static_cast<std::size_t>(rows.rend() - at) - 1;
  }
  rows.push_back(std::move(row));
  const auto kept =
      std::ranges::count_if(rows, [](const LaunchRow& one) { return one.outcome.has_value(); });
  if (kept <= static_cast<std::ptrdiff_t>(kMostOutcomes)) return rows.size() - 1;
  LaunchRow* least = nullptr;
  for (LaunchRow& one : rows)
    if (one.outcome && (least == nullptr || one.time_us < least->time_us)) least = &one;
  least->outcome.reset();
  return rows.size() - 1;
}

void Session::note(Incident incident) {
  incident.caller = caller_;
  incident.where = lines_.at(caller_);
  const std::lock_guard lock(report_mutex_);
  const auto is_same = [&](const Incident& known) {
    if (caller_ == 0) return known.what == incident.what;
    return known.caller == caller_ && known.kind == incident.kind &&
           known.is_error == incident.is_error;
  };
  for (Incident& known : report_.incidents)
    if (is_same(known)) {
      ++known.count;
      return;
    }
  if (report_.incidents.size() < kMostIncidents) report_.incidents.push_back(std::move(incident));
}

void Session::add_incident(const IncidentRequest& one, const std::string& function) {
  caller_ = one.caller;
  const words::Parameter caller{"function", function};
  const auto say = [&](std::string_view kind, Id what, std::vector<words::Parameter> parameters,
                       words::Message fix, std::vector<words::Message> more = {}) {
    parameters.insert(parameters.begin(), caller);
    is_noted_ = true;
    more.insert(more.begin(), {what, std::move(parameters)});
    note({kind, std::move(more), std::move(fix)});
  };
  const words::Parameter address{"address", fmt::format("{:#x}", one.number)};
  const auto allocation = memory_.allocation_at(one.number);
  switch (one.incident) {
    case IncidentKind::unsupported:
      return say("unsupported",
                 function.find(' ') == std::string::npos ? Id::program_unsupported
                                                         : Id::program_unsupported_use,
                 {}, {});
    case IncidentKind::failed:  // the program may have asked for it; what it does then says
      failure_is_noted_ = std::exchange(is_noted_, false);
      if (refused_ && refused_->count == 0) {
        refused_->caller = one.caller;
        refused_->count = 1;
      } else {
        tell_refused(false);
      }
      return;
    case IncidentKind::unchecked:
      if (refused_) return tell_refused(true);
      // what another call returned, the program may have looked at
      if (!function.starts_with("cudaLaunch") && !function.starts_with("cudaMemcpy") &&
          !function.starts_with("cudaMemset"))
        return;
      if (failure_is_noted_) return;
      return note({"unchecked_error",
                   {{Id::program_unchecked, {caller, {"error", error_name(one.number)}}}},
                   {Id::program_fix_unchecked},
                   function.starts_with("cudaLaunch")});
    case IncidentKind::host_access:
      // free() and delete look at what lies before
      return say("host_access", Id::program_host_access, {address},
                 {allocation ? Id::program_fix_host_access : Id::program_fix_host_free});
    case IncidentKind::bad_copy: {
      memory_.mark_all_written();  // what follows from it is not told
      auto [more, fix] = too_small_for_copy(one);
      return say("bad_copy", Id::program_bad_copy,
                 {{"bytes", words::count(one.number)},
                  {"size", words::count(memory_.bytes_at(one.address))}},
                 std::move(fix), std::move(more));
    }
    case IncidentKind::host_end:
      return say("bad_copy", Id::program_host_end, {{"bytes", words::count(one.number)}},
                 {Id::program_fix_bad_copy});
    case IncidentKind::direction:
      memory_.mark_all_written();
      return say("direction",
                 static_cast<Misfit>(one.number) == Misfit::host_target ? Id::program_host_target
                                                                        : Id::program_host_source,
                 {}, {Id::program_fix_direction});
    case IncidentKind::freed_use:
    case IncidentKind::freed_twice: {
      if (!allocation || allocation->is_live) return;
      const words::SourceLine line = lines_.at(allocation->freed_by);
      std::vector<words::Message> more = {
          line.line != 0 ? at(Id::program_freed_at, line)
                         : words::Message{Id::program_freed_after,
                                          {{"launches", words::count(allocation->freed_after)}}}};
      std::vector<words::Parameter> parameters = {address,
                                                  {"bytes", words::count(allocation->bytes)}};
      if (one.incident == IncidentKind::freed_twice)
        return say("freed_twice", Id::program_freed_twice, std::move(parameters),
                   {Id::program_fix_freed_twice}, std::move(more));
      return say("freed_use", function.empty() ? Id::program_freed_host_use : Id::program_freed_use,
                 std::move(parameters), {Id::program_fix_freed_use}, std::move(more));
    }
    case IncidentKind::bad_free: {
      std::vector<words::Message> more;
      if (allocation && allocation->address != one.number)
        more.push_back(
            {Id::program_inside, {{"offset", words::count(one.number - allocation->address)}}});
      return say("bad_free", Id::program_bad_free, {address}, {Id::program_fix_bad_free},
                 std::move(more));
    }
    case IncidentKind::early_read:
      return say("early_read", Id::program_early_read, {}, {Id::program_fix_early_read});
    case IncidentKind::unordered_upload: {
      if (report_.launches.empty()) return;
      const words::Parameter kernel{"kernel", report_.launches[last_row_].kernel};
      std::vector<words::Message> more;
      if (const auto line = lines_.at(one.number); line.line != 0)
        more.push_back(at(Id::program_copied_at, line));
      return say("unordered_upload", Id::program_unordered_upload, {kernel},
                 {Id::program_fix_unordered_upload}, std::move(more));
    }
    case IncidentKind::host_small:
    case IncidentKind::host_short: {
      const bool is_small = one.incident == IncidentKind::host_small;
      return say(is_small ? "host_small" : "host_short",
                 is_small ? Id::program_host_block_small : Id::program_host_block_short,
                 {{"bytes", words::count(one.number)}, {"size", words::count(one.address)}},
                 {Id::program_fix_copy_fits});
    }
    case IncidentKind::destroyed_stream:
      return say("destroyed", Id::program_destroyed_stream, {}, {Id::program_fix_destroyed});
    case IncidentKind::destroyed_event:
      return say("destroyed", Id::program_destroyed_event, {}, {Id::program_fix_destroyed});
    case IncidentKind::unknown_stream:
      return say("not_created", Id::program_unknown_stream, {}, {Id::program_fix_unknown_stream});
    case IncidentKind::unknown_event:
      return say("not_created", Id::program_unknown_event, {}, {Id::program_fix_unknown_event});
    case IncidentKind::unordered:
    case IncidentKind::early_access: {
      if (!allocation) return;
      const words::Parameter kernel{"kernel", allocation->kernel};
      std::vector<words::Message> more;
      if (const auto line = lines_.at(allocation->launched_by); line.line != 0)
        more.push_back(at(Id::program_launched_at, line, {kernel}));
      if (one.incident == IncidentKind::unordered)
        return say("unordered_copy", Id::program_unordered, {kernel}, {Id::program_fix_unordered},
                   std::move(more));
      return say("early_access", Id::program_early_access, {kernel}, {Id::program_fix_early_access},
                 std::move(more));
    }
  }
}

Session::Response Session::refuse(const std::string& kernel, std::vector<words::Message> why,
                                  words::Message fix, std::int32_t error) {
  tell_refused(false);
  memory_.mark_all_written();  // what it would have written is no fault of who reads it
  if (why.front().id != Id::launch_impossible)
    why.insert(why.begin(), {Id::launch_impossible, {{"kernel", kernel}}});
  refused_ = Incident{"refused_launch", std::move(why), std::move(fix), false, 0};
  return {.error = error};
}

void Session::tell_refused(bool is_error) {
  if (!refused_) return;
  Incident incident = *std::exchange(refused_, std::nullopt);
  incident.is_error = is_error;
  caller_ = incident.caller;
  note(std::move(incident));
}

/// Of those that are told apart by their lines; a program that failed has other troubles.
void Session::tell_leaks() {
  constexpr std::size_t kMostLines = 8;
  std::uint64_t bytes = 0;
  struct Sum {
    words::SourceLine line;
    std::uint64_t count = 0, bytes = 0;
  };
  std::vector<Sum> sums;  // by line
  std::set<std::uint64_t> callers;
  const auto leaks = memory_.live();
  for (const DeviceMemory::Allocation& leak : leaks) {
    bytes += leak.bytes;
    callers.insert(leak.allocated_by);
    const auto line = lines_.at(leak.allocated_by);
    auto sum = std::ranges::find(sums, line, &Sum::line);
    if (sum == sums.end()) sum = sums.insert(sum, {line});
    ++sum->count;
    sum->bytes += leak.bytes;
  }
  if (leaks.empty()) return;
  caller_ = sums.size() == 1 ? *callers.begin() : 0;
  std::vector<words::Message> what = {
      {Id::program_leak, {{"count", words::count(leaks.size())}, {"bytes", words::count(bytes)}}}};
  if (sums.size() > 1)
    for (const Sum& sum : sums)
      if (sum.line.line != 0 && what.size() <= kMostLines)
        what.push_back(
            at(Id::program_leak_at, sum.line,
               {{"count", words::count(sum.count)}, {"bytes", words::count(sum.bytes)}}));
  note({"leak", std::move(what), {Id::program_fix_leak}, false});
}

void Session::finish(bool is_success) {
  tell_refused(false);
  if (!is_success || report_.has_errors()) return;
  tell_leaks();
  if (!has_output_ || is_seen_elsewhere_ || report_.copies.contains(name_of(Copy::to_host))) return;
  caller_ = last_launch_;
  note({"not_returned",
        {{Id::program_nothing_returned}},
        {Id::program_fix_nothing_returned},
        false});
}

std::optional<Session::UnderWay> Session::under_way() const {
  const std::lock_guard lock(report_mutex_);
  std::optional<UnderWay> now = under_way_;
  if (now)
    now->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  return now;
}

Report Session::report() const {
  const std::lock_guard lock(report_mutex_);
  return report_;
}

}  // namespace labkit::program
