#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/text.h"
#include "explain/words.h"
#include "report/program.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::number;

constexpr std::size_t kMostRows = 40;
/// Of the kernels' time: below it, why it is spent is not worth a paragraph.
constexpr double kWorthTelling = 0.1;

double metric(const program::LaunchRow& row, const char* name) {
  const auto at = row.metrics.find(name);
  return at == row.metrics.end() ? 0 : at->second;
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
  if (report.launches.empty()) return report.stopped ? "" : "It launched no kernel.\n";
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
      cells[8] = style.bad(launch::name_of(error->kind));
    else if (!row.findings.empty())
      cells[8] = "warning";
    else if (row.uses_images)
      cells[8] = "textures";
    rows.push_back(std::move(cells));
  }
  std::string text =
      table(rows, {false, false, true, true, true, true, true, true, false}, style.columns);
  if (report.launches.size() > kMostRows)
    text += fmt::format("and {} more; --json FILE has all\n", report.launches.size() - kMostRows);
  const auto is_uncounted = [](const program::LaunchRow& row) { return row.metrics.empty(); };
  const auto is_done = [](const program::LaunchRow& row) { return row.completed; };
  if (std::ranges::all_of(report.launches, is_uncounted))
    return std::ranges::none_of(report.launches, is_done)
               ? text
               : text +
                     "None of them was counted or timed: see --kernel, --launches and "
                     "--no-model.\n";
  text +=
      "us: predicted, of one launch. load, store: sectors of 32 bytes per request, 4\n"
      "where each lane takes the next float. conflicts: extra shared wavefronts.\n";
  if (std::ranges::any_of(report.launches, &program::LaunchRow::uses_images))
    text +=
        "textures: what goes through textures and surfaces is computed, but neither\n"
        "counted nor timed.\n";
  return text;
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
  std::string text;
  for (const Told& told : told_once(report)) {
    const launch::Finding& finding = *told.finding;
    const program::LaunchRow& row = *told.row;
    text += fmt::format("\n{}{} in launch{} {}, {}\n", style.bad(launch::name_of(finding.kind)),
                        finding.severity == launch::Severity::warning ? " (warning)" : "",
                        told.launches.size() > 1 ? "es" : "", first_few(told.launches, 8),
                        printable(row.kernel));
    const std::vector<std::string> lines = explain::tell_finding(finding, row.block);
    text += lines_text({lines.front()}, style, "  ");
    std::vector<explain::LineAtFault> shown = {{finding.where.line, finding.array.name}};
    if (finding.other.line != 0 && finding.other.line != finding.where.line)
      shown.push_back({finding.other.line, finding.array.name});
    std::ranges::sort(shown, {}, &explain::LineAtFault::line);
    text += source_lines(report.source, shown, style, "  ");
    text += lines_text({lines.begin() + 1, lines.end()}, style, "  ");
  }
  return text;
}

/// Of the kernel on which most time is spent.
std::string costliest_text(const program::Report& report, const Style& style) {
  if (report.has_errors()) return "";  // first it must be right
  const auto most = std::ranges::max_element(report.launches, {}, &program::LaunchRow::time_us);
  if (most == report.launches.end() || !most->slow || report.kernel_time_us <= 0) return "";
  const double part = most->time_us / report.kernel_time_us;
  if (part < kWorthTelling) return "";
  std::vector<std::string> lines = {
      fmt::format("{:.0f}% of the kernels' time: {}", 100 * part, printable(most->kernel))};
  for (const std::string& line : explain::message_lines(most->slow->evidence))
    lines.push_back("  " + line);
  for (const std::string& line : explain::fix_lines(most->slow->fix)) lines.push_back("  " + line);
  return "\n" + lines_text(lines, style, "");
}

std::string copies_text(const program::Report& report) {
  std::string text;
  for (const auto& [kind, total] : report.copies)
    text += fmt::format("{}{} {} ({} bytes, {} us)", text.empty() ? "Copies: " : "; ",
                        number(static_cast<double>(total.count)), kind,
                        number(static_cast<double>(total.bytes)), number(total.time_us));
  return text;
}

std::string incidents_text(const program::Report& report, const Style& style) {
  std::string text;
  for (const program::Incident& one : report.incidents) {
    std::vector<std::string> lines = explain::message_lines(one.what);
    const std::string first =
        lines.front() + (one.count > 1 ? fmt::format(" ({} times)", one.count) : "");
    lines.erase(lines.begin());
    explain::append(lines, explain::fix_lines(one.fix));
    const std::string file = std::filesystem::path(one.where.file).filename().string();
    text += "\n" + style.bad(one.is_error ? "program" : "warning");
    if (one.where.line != 0) text += fmt::format(", {}:{}", printable(file), one.where.line);
    text += "\n" + lines_text({first}, style, "  ");
    if (file == report.program)
      text += source_lines(report.source, {{one.where.line, ""}}, style, "  ");
    text += lines_text(lines, style, "  ");
  }
  return text;
}

}  // namespace

std::string program_text(const program::Report& report, const Style& style) {
  std::string text = lines_text({fmt::format("{} on the simulator; times are predicted for {}",
                                             printable(report.program), report.title)},
                                style, "") +
                     "\n" + launches_text(report, style);
  text +=
      findings_text(report, style) + incidents_text(report, style) + costliest_text(report, style);
  std::vector<std::string> last;
  if (std::string copies = copies_text(report); !copies.empty()) last.push_back(copies);
  const std::string predicted =
      report.kernel_time_us > 0
          ? fmt::format(", {} us in kernels (predicted)", number(report.kernel_time_us))
          : "";
  last.push_back(fmt::format(
      "{} launch{}{}; simulated in {} s", number(static_cast<double>(report.launch_count)),
      report.launch_count == 1 ? "" : "es", predicted, number(report.simulated_seconds)));
  if (report.stopped)
    last.push_back(report.stopped_in.empty()
                       ? "Stopped: this is what it did so far."
                       : fmt::format("Stopped in launch {}, {}: this is what it did before.",
                                     report.launch_count + 1, printable(report.stopped_in)));
  else if (report.signal != 0)
    last.push_back(fmt::format("The program was killed by signal {} ({}).", report.signal,
                               ::strsignal(report.signal)));
  else if (report.exit_code != 0)
    last.push_back(fmt::format("The program ended with exit code {}.", report.exit_code));
  return text + "\n" + lines_text(last, style, "");
}

}  // namespace labkit::report
