#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "cli/hint_state.h"
#include "cli/paths.h"
#include "explain/defect.h"
#include "explain/hints.h"
#include "explain/words.h"
#include "report/json.h"
#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

using words::Id;

constexpr std::size_t kWidth = 80;

struct HintOptions {
  std::string lab;
  bool again = false;  ///< those already shown, and no new one
  bool reset = false;  ///< forget which were shown
  GradeRequest request;
};

/// Of everything that the result depends on.
std::string key_of(const grade::Manifest& lab, const GradeRequest& request,
                   const std::string& source) {
  const auto program = check_program();
  std::error_code unknown;
  return sha256_hex(
      fmt::format("{}\n{}\n{} {} {}\n{} {} {} {}", sha256_hex(source),
                  sha256_hex(read_file(lab.directory / "lab.toml")), program.string(),
                  std::filesystem::file_size(program, unknown),
                  std::filesystem::last_write_time(program, unknown).time_since_epoch().count(),
                  request.device.device, request.device.gpu_id, request.gpu, request.seed));
}

/// The last result, if it is of the same file, else a new one.
grade::LabResult result_of(const grade::Manifest& lab, const GradeRequest& request,
                           const std::string& source, HintState& state) {
  const std::string key = key_of(lab, request, source);
  if (const std::string kept = state.result(key); !kept.empty()) {
    try {
      return report::read_lab_json(kept, lab.id + "'s last result");
    } catch (const std::exception&) {  // of an older kit: grade again
    }
  }
  grade::LabResult result = grade_file(lab, request, grading_text(lab.id));
  explain::add_lane_strides(result);
  for (grade::TestResult& test : result.tests) test.detail.reset();  // only that is needed of it
  state.set_result(key, report::lab_json(result));
  return result;
}

/// What is wrong and where, as `labkit grade` says it.
std::string headline(const grade::LabResult& result, const explain::Defect& defect,
                     const std::string& source) {
  const report::Style style = report::style_for(stdout);
  if (!defect.test) {
    const std::vector<words::Message> slips = explain::compile_slips(result);
    const std::string message =
        result.message.empty() ? result.verdict.text() : words::render(result.message);
    return fmt::format("{}: {}\n", result.lab, style.bold(explain::verdict_words(result))) +
           report::lines_text(
               slips.empty() ? std::vector{message} : explain::slip_lines(slips.front()), style,
               "  ") +
           (result.verdict.kind == "untouched"
                ? ""
                : report::source_lines(source, {{result.where.line, ""}}, style, "  "));
  }
  return fmt::format("{}: {}\n", defect.test->name,
                     style.bold(explain::verdict_words(*defect.test))) +
         report::lines_text({explain::headline(*defect.test)}, style, "  ") +
         report::source_lines(source, explain::lines_at_fault(*defect.test), style, "  ");
}

std::string tier_text(const explain::Hint& hint, std::size_t tier, const explain::Defect& defect,
                      const grade::LabResult& result) {
  return fmt::format(
      "\n{}\n{}",
      words::text(Id::hint_of,
                  {{"hint", std::to_string(tier + 1)}, {"all", std::to_string(hint.tiers.size())}}),
      report::wrapped(report::printable(explain::fill_in(hint.tiers[tier], defect, result)), kWidth,
                      "  "));
}

/// Where it is: the line that it is told of, by its number and by what stands there.
HintedDefect hinted(const explain::Defect& defect, const grade::LabResult& result,
                    const std::string& source) {
  HintedDefect about;
  about.id = defect.id + " " + (defect.test ? defect.test->kernel : "");
  about.line = defect.idle      ? defect.idle->line
               : defect.finding ? defect.finding->where.line
               : defect.gate    ? defect.gate->culprit.where.line
                                : result.where.line;
  const auto lines = split_lines(source);
  if (about.line != 0 && about.line <= lines.size())
    about.text = std::string(trim(lines[about.line - 1]));
  else if (defect.test)  // a wrong result has no line; it is of another size, or another test, now
    about.text = defect.test->name;
  return about;
}

std::string left_text(std::size_t left, const std::string& lab, const std::filesystem::path& file) {
  if (left == 0) return "\n" + words::text(Id::hint_was_last) + "\n";
  return fmt::format(
      "\n{}\n  {} hint {}{}\n", words::text(Id::hints_left, {{"count", std::to_string(left)}}),
      command_name(), lab,
      (file.empty() ? "" : " --file " + report::printable(file.string())) + language_argument());
}

struct HintText {
  std::string head;  ///< what is wrong and where
  std::string text;  ///< the hint, or that there is none
  std::size_t left = 0;
  bool is_hint = false;  ///< else there is none
};

/// Of the first defect, and notes in `state` that it was shown. `again`: those already shown, and no new one.
HintText hint_of(const grade::Manifest& lab, const grade::LabResult& result,
                 const std::string& name, const std::string& source, bool again, HintState& state) {
  const explain::Hints hints = explain::load_hints(lab);
  const auto defect = explain::first_defect(result, hints.extents);
  if (!defect) {
    if (!result.verdict.passed())
      return {.head = {},
              .text = fmt::format("{}: {}\n", explain::verdict_words(result),
                                  explain::next_step(result.verdict.kind))};
    state.forget(name);  // what is fixed is past
    return {.head = {},
            .text = words::text(Id::hint_passes,
                                {{"lab", lab.id},
                                 {"points", explain::number(result.points + result.bonus)},
                                 {"most", explain::number(result.max_points)}}) +
                    "\n"};
  }
  HintText hint = {.head = headline(result, *defect, source), .text = {}};
  const explain::Hint* const found = hints.find(*defect);
  if (!found) {
    hint.text =
        words::text(Id::hint_none, {{"next", explain::next_step(result.verdict.kind)}}) + "\n";
    return hint;
  }
  hint.is_hint = true;
  const HintedDefect about = hinted(*defect, result, source);
  const std::size_t tiers = found->tiers.size();
  std::size_t shown = std::min(state.shown(name, about), tiers);
  if (again) {
    if (shown == 0) hint.text += "\n" + words::text(Id::hint_none_shown) + "\n";
    for (std::size_t tier = 0; tier < shown; ++tier)
      hint.text += tier_text(*found, tier, *defect, result);
  } else {
    shown = std::min(shown + 1, tiers);
    hint.text += tier_text(*found, shown - 1, *defect, result);
    state.set_shown(name, about, shown);
  }
  hint.left = tiers - shown;
  return hint;
}

int run_hint(const HintOptions& options) {
  const grade::Manifest lab = select_labs({options.lab}).front();
  const auto file = file_of(lab, options.request);
  const std::string name = std::filesystem::weakly_canonical(file).string();
  HintState state(cache_directory() / "hints", lab.id);
  if (!state.warning.empty()) std::fprintf(stderr, "labkit: %s\n", state.warning.c_str());
  const auto end_with = [&](const std::string& text) {
    state.write();
    report::print(text);
    return kExitOk;
  };
  if (options.reset) {
    state.forget(name);
    return end_with(words::text(Id::hints_start_again, {{"lab", lab.id}}) + "\n");
  }
  const std::string source = std::filesystem::exists(file) ? read_file(file) : std::string{};
  const grade::LabResult result = result_of(lab, options.request, source, state);
  const HintText hint = hint_of(lab, result, name, source, options.again, state);
  return end_with(hint.head + hint.text +
                  (hint.is_hint ? left_text(hint.left, lab.id, options.request.file) : ""));
}

}  // namespace

std::string next_hint(const grade::Manifest& lab, grade::LabResult result) {
  HintState state(cache_directory() / "hints", lab.id);
  explain::add_lane_strides(result);
  const std::string name = std::filesystem::weakly_canonical(file_of(lab, GradeRequest{})).string();
  const HintText hint = hint_of(lab, result, name, result.source, false, state);
  try {
    state.write();
  } catch (const Error&) {  // it is shown again then
  }
  return std::string(trim(hint.text)) + "\n" +
         (hint.is_hint
              ? words::text(Id::hints_left_short, {{"count", std::to_string(hint.left)}}) + "\n"
              : "");
}

void add_hint(Command labkit) {
  const auto options = std::make_shared<HintOptions>();
  Command command = labkit.subcommand("hint", "the next hint for what is wrong in a lab");
  command.footer(
      "Each call shows one hint more for the defect that the verdict is about, from a\nquestion to "
      "nearly the line. Fix it, and the next defect has hints of its own. No\nhint shows a "
      "solution.");
  add_lab(command, options->lab);
  const Option again =
      command.flag("--again", options->again, "show those already shown, and no new one");
  command.flag("--reset", options->reset, "forget which were shown").excludes(again);
  add_language_option(command);
  add_request(command, options->request, "about this .cu, not the lab's kernel.cu");
  command.run([options] { return run_hint(*options); });
}

}  // namespace labkit::cli
