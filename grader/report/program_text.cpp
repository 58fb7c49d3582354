#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

#include "base/text.h"
#include "explain/words.h"
#include "report/program.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::number;
using words::Id;
using words::text;

constexpr std::size_t kMostRows = 40;
/// Of the kernels' time: below it, why it is spent is not worth a paragraph.
constexpr double kWorthTelling = 0.1;

double metric(const program::LaunchRow& row, const char* name) {
  const auto at = row.metrics.find(name);
  return at == row.metrics.end() ? 0 : at->second;
}

/// As verdicts are called: "out of bounds".
std::string kind_in_words(launch::FindingKind kind) {
  const std::string name(launch::name_of(kind));
  const std::string row(words::row_of("verdict_" + name));
  return row.empty() ? name : row;
}

/// Wrapped at 80 columns wherever it goes.
std::string paragraph(const std::string& sentences) {
  return lines_text({sentences}, {.columns = 80}, "");
}

/// "4.0"; "-" where there are none.
std::string sectors(const program::LaunchRow& row, const char* which) {
  const double requests =
      metric(row, fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", which).c_str());
  if (requests == 0) return "-";
  return fmt::format(
      "{:.1f}",
      metric(row, fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", which).c_str()) /
          requests);
}

std::string conflicts(const program::LaunchRow& row) {
  return number(metric(row, "memory_l1_wavefronts_shared") -
                metric(row, "memory_l1_wavefronts_shared_ideal"));
}

std::string launches_text(const program::Report& report, const Style& style) {
  if (report.launches.empty()) return report.stopped ? "" : text(Id::program_no_launch) + "\n";
  std::vector<std::vector<std::string>> rows = {
      {"launch", "kernel", "grid", "block", "us", "load", "store", "conflicts", ""}};
  for (std::string& cell : rows[0]) cell = style.dim(cell);
  for (std::size_t i = 0; i < std::min(report.launches.size(), kMostRows); ++i) {
    const program::LaunchRow& row = report.launches[i];
    const std::string times = row.count > 1 ? fmt::format(" x{}", row.count) : "";
    std::vector<std::string> cells = {std::to_string(row.first) + times,
                                      printable(row.kernel),
                                      launch::to_string(row.grid),
                                      launch::to_string(row.block),
                                      "-",
                                      "-",
                                      "-",
                                      "-",
                                      ""};
    if (!row.metrics.empty()) {
      cells[4] = number(row.time_us / static_cast<double>(row.count));
      cells[5] = sectors(row, "ld");
      cells[6] = sectors(row, "st");
      cells[7] = conflicts(row);
    }
    if (const launch::Finding* error = launch::first_error(row.findings))
      cells[8] = style.bad(kind_in_words(error->kind));
    else if (!row.findings.empty())
      cells[8] = text(Id::program_warning);
    else if (row.uses_images)
      cells[8] = "textures";
    rows.push_back(std::move(cells));
  }
  std::string all =
      table(rows, {false, false, true, true, true, true, true, true, false}, style.columns);
  if (report.launches.size() > kMostRows)
    all += text(Id::program_more_rows,
                {{"count", std::to_string(report.launches.size() - kMostRows)}}) +
           "\n";
  const auto is_uncounted = [](const program::LaunchRow& row) { return row.metrics.empty(); };
  const auto is_done = [](const program::LaunchRow& row) { return row.completed; };
  if (std::ranges::all_of(report.launches, is_uncounted))
    return std::ranges::none_of(report.launches, is_done)
               ? all
               : all + paragraph(text(Id::program_none_counted));
  all += paragraph(text(Id::program_columns));
  if (std::ranges::any_of(report.launches, &program::LaunchRow::uses_images))
    all += paragraph(text(Id::program_textures));
  return all;
}

/// A finding, and the launches in which it was made.
struct Told {
  const launch::Finding* finding = nullptr;
  const program::LaunchRow* row = nullptr;  ///< the first of them
  std::vector<std::string> launches;
};

/// The same fault at the same line of a kernel once, however many launches have it.
std::vector<Told> told_once(const program::Report& report) {
  std::vector<Told> all;
  std::map<std::tuple<std::string, launch::FindingKind, launch::Cause, std::string, std::uint32_t>,
           std::size_t>
      known;
  for (const program::LaunchRow& row : report.launches)
    for (const launch::Finding& one : row.findings) {
      const auto [at, is_new] = known.try_emplace(
          {row.kernel, one.kind, one.cause, one.where.file, one.where.line}, all.size());
      if (is_new) all.push_back({&one, &row, {}});
      std::vector<std::string>& launches = all[at->second].launches;
      const std::string number = std::to_string(row.first);
      if (launches.empty() || launches.back() != number) launches.push_back(number);
    }
  return all;
}

std::string findings_text(const program::Report& report, const Style& style) {
  std::string all;
  for (const Told& told : told_once(report)) {
    const launch::Finding& finding = *told.finding;
    const program::LaunchRow& row = *told.row;
    const std::string kind = style.bad(kind_in_words(finding.kind)),
                      launches = first_few(told.launches, 8), kernel = printable(row.kernel);
    all += "\n" +
           text(told.launches.size() > 1 ? Id::program_in_launches : Id::program_in_launch,
                {{"kind", finding.severity == launch::Severity::warning
                              ? text(Id::program_warning_kind, {{"kind", kind}})
                              : kind},
                 {"launches", launches},
                 {"kernel", kernel}}) +
           "\n";
    const std::vector<std::string> lines = explain::tell_finding(finding, row.block);
    all += lines_text({lines.front()}, style, "  ");
    std::vector<explain::LineAtFault> shown = {{finding.where.line, finding.array.name}};
    for (const words::SourceLine* more : {&finding.where_inside, &finding.other})
      if (more->line != 0 &&
          std::ranges::count(shown, more->line, &explain::LineAtFault::line) == 0)
        shown.push_back({more->line, finding.array.name});
    std::ranges::sort(shown, {}, &explain::LineAtFault::line);
    all += source_lines(report.source, shown, style, "  ");
    all += lines_text({lines.begin() + 1, lines.end()}, style, "  ");
  }
  return all;
}

/// Of the kernel on which most time is spent, in its costliest row.
std::string costliest_text(const program::Report& report, const Style& style) {
  if (report.has_errors() || report.kernel_time_us <= 0) return "";  // first it must be right
  std::map<std::string, double> of_kernel;
  for (const program::LaunchRow& row : report.launches) of_kernel[row.entry] += row.time_us;
  const auto costs_less = [&](const program::LaunchRow& a, const program::LaunchRow& b) {
    return std::pair(of_kernel[a.entry], a.time_us) < std::pair(of_kernel[b.entry], b.time_us);
  };
  const auto most = std::ranges::max_element(report.launches, costs_less);
  if (most == report.launches.end() || !most->slow) return "";
  const double part = of_kernel[most->entry] / report.kernel_time_us;
  if (part < kWorthTelling) return "";
  const bool has_other_rows =
      std::ranges::count(report.launches, most->entry, &program::LaunchRow::entry) > 1;
  std::vector<std::string> lines = {
      text(has_other_rows ? Id::program_costliest_launch : Id::program_costliest,
           {{"percent", fmt::format("{:.0f}", 100 * part)},
            {"kernel", printable(most->kernel)},
            {"launch", std::to_string(most->first)}})};
  for (const std::string& line : explain::message_lines(most->slow->evidence))
    lines.push_back("  " + line);
  for (const std::string& line : explain::fix_lines(most->slow->fix)) lines.push_back("  " + line);
  return "\n" + lines_text(lines, style, "");
}

Id copies_row(std::string_view kind) {
  return kind == "host to device"     ? Id::program_copies_to_device
         : kind == "device to host"   ? Id::program_copies_to_host
         : kind == "device to device" ? Id::program_copies_on_device
         : kind == "host to host"     ? Id::program_copies_on_host
                                      : Id::program_fills;
}

std::string copies_text(const program::Report& report) {
  std::string all;
  for (const auto& [kind, total] : report.copies)
    all += (all.empty() ? "" : "; ") + words::render({copies_row(kind),
                                                      {{"count", words::count(total.count)},
                                                       {"bytes", words::count(total.bytes)},
                                                       {"us", number(total.time_us)}}});
  return all.empty() ? "" : text(Id::program_copies, {{"copies", all}});
}

std::string incidents_text(const program::Report& report, const Style& style) {
  std::string all;
  for (const program::Incident& one : report.incidents) {
    std::vector<std::string> lines = explain::message_lines(one.what);
    std::string first = lines.front();
    if (one.count > 1)
      first = words::beside(first, text(Id::program_times, {{"count", std::to_string(one.count)}}));
    lines.erase(lines.begin());
    explain::append(lines, explain::fix_lines(one.fix));
    const auto is_here = [&](const words::SourceLine& line) {
      return std::filesystem::path(line.file).filename() == report.program;
    };
    all += "\n" + style.bad(text(one.is_error ? Id::program_itself : Id::program_warning));
    const std::string file = std::filesystem::path(one.where.file).filename().string();
    if (one.where.line != 0) all += fmt::format(", {}:{}", printable(file), one.where.line);
    all += "\n" + lines_text({first}, style, "  ");
    std::vector<explain::LineAtFault> shown;  // of the call, and of what is said about others
    if (is_here(one.where)) shown.push_back({one.where.line, ""});
    for (const words::Message& what : one.what)
      if (const words::Value* line = what.find("line"))
        if (const auto* at = std::get_if<words::SourceLine>(line); at != nullptr && is_here(*at))
          if (std::ranges::count(shown, at->line, &explain::LineAtFault::line) == 0)
            shown.push_back({at->line, ""});
    std::ranges::sort(shown, {}, &explain::LineAtFault::line);
    if (!shown.empty()) all += source_lines(report.source, shown, style, "  ");
    all += lines_text(lines, style, "  ");
  }
  return all;
}

}  // namespace

std::string program_text(const program::Report& report, const Style& style) {
  std::string all =
      lines_text({text(report.compiler.empty() ? Id::program_title : Id::program_title_built,
                       {{"program", printable(report.program)},
                        {"compiler", report.compiler},
                        {"gpu", report.title}})},
                 style, "") +
      "\n" + launches_text(report, style);
  all +=
      findings_text(report, style) + incidents_text(report, style) + costliest_text(report, style);
  std::vector<std::string> last;
  if (std::string copies = copies_text(report); !copies.empty()) last.push_back(copies);
  last.push_back(text(report.kernel_time_us > 0 ? Id::program_launches_timed : Id::program_launches,
                      {{"count", number(static_cast<double>(report.launch_count))},
                       {"us", number(report.kernel_time_us)},
                       {"seconds", number(std::max(0.01, report.simulated_seconds))}}));
  if (report.stopped)
    last.push_back(
        report.stopped_in.empty()
            ? text(Id::program_stopped)
            : text(Id::program_stopped_in, {{"launch", std::to_string(report.launch_count + 1)},
                                            {"kernel", printable(report.stopped_in)}}));
  else if (report.signal != 0)
    last.push_back(text(Id::program_killed, {{"signal", std::to_string(report.signal)},
                                             {"name", ::strsignal(report.signal)}}));
  else if (report.exit_code != 0)
    last.push_back(text(Id::program_exit_code, {{"code", std::to_string(report.exit_code)}}));
  return all + "\n" + lines_text(last, style, "");
}

}  // namespace labkit::report
