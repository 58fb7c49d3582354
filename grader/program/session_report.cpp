// What a session keeps for the report.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/session.h"

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

void Session::add_row(LaunchRow row) {
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
    return;
  }
  rows.push_back(std::move(row));
  const auto kept =
      std::ranges::count_if(rows, [](const LaunchRow& one) { return one.outcome.has_value(); });
  if (kept <= static_cast<std::ptrdiff_t>(kMostOutcomes)) return;
  LaunchRow* least = nullptr;
  for (LaunchRow& one : rows)
    if (one.outcome && (least == nullptr || one.time_us < least->time_us)) least = &one;
  least->outcome.reset();
}

void Session::note(Incident incident) {
  incident.caller = caller_;
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
                       Id fix) {
    parameters.insert(parameters.begin(), caller);
    is_noted_ = true;
    note({kind, {{what, std::move(parameters)}}, {fix}});
  };
  switch (one.incident) {
    case IncidentKind::unsupported:
      return say("unsupported",
                 function.find(' ') == std::string::npos ? Id::program_unsupported
                                                         : Id::program_unsupported_use,
                 {}, Id::none);
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
      return say("host_access", Id::program_host_access,
                 {{"address", fmt::format("{:#x}", one.number)}}, Id::program_fix_host_access);
    case IncidentKind::bad_copy:
      return say("bad_copy", Id::program_bad_copy,
                 {{"bytes", words::count(one.number)},
                  {"size", words::count(memory_.bytes_at(one.address))}},
                 Id::program_fix_bad_copy);
    case IncidentKind::direction:
      return say("direction",
                 static_cast<Misfit>(one.number) == Misfit::host_target ? Id::program_host_target
                                                                        : Id::program_host_source,
                 {}, Id::program_fix_direction);
    case IncidentKind::freed_use:
    case IncidentKind::freed_twice: {
      const auto freed = memory_.freed_at(one.number);
      if (!freed) return;
      std::vector<words::Parameter> parameters = {{"address", fmt::format("{:#x}", one.number)},
                                                  {"bytes", words::count(freed->bytes)},
                                                  {"launches", words::count(freed->launches)}};
      if (one.incident == IncidentKind::freed_twice)
        return say("freed_twice", Id::program_freed_twice, std::move(parameters),
                   Id::program_fix_freed_twice);
      return say("freed_use", function.empty() ? Id::program_freed_host_use : Id::program_freed_use,
                 std::move(parameters), Id::program_fix_freed_use);
    }
  }
}

/// It takes along what was not written. Of what comes to the host, all of it is an error; a part may be room that is not used.
void Session::copied_from_device(const MovedRequest& copy, const std::string& function) {
  if (!options_.check) return;
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
  });
  if (all.bytes == 0) return;
  caller_ = copy.caller;
  note({"unwritten_copy",
        {{Id::program_unwritten_copy,
          {{"function", function},
           {"unwritten", words::count(all.bytes)},
           {"bytes", words::count(copy.rows.bytes())},
           {"first", words::count(all.first - copy.from)}}}},
        {Id::program_fix_unwritten_copy},
        all.bytes == copy.rows.bytes()});
}

Session::Response Session::refuse(const std::string& kernel, std::vector<words::Message> why,
                                  words::Message fix, std::int32_t error) {
  tell_refused(false);
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

void Session::finish() {
  tell_refused(false);
  caller_ = 0;
  std::uint64_t bytes = 0;
  const auto leaks = memory_.live();
  for (const DeviceMemory::Leak& leak : leaks) bytes += leak.bytes;
  if (!leaks.empty())
    note({"leak",
          {{Id::program_leak,
            {{"count", words::count(leaks.size())}, {"bytes", words::count(bytes)}}}},
          {Id::program_fix_leak},
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
