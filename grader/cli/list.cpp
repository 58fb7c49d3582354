#include <fmt/format.h>

#include <cstdio>

#include "base/command_name.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/grading.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::cli {

const grade::Manifest* next_lab(const std::vector<grade::Manifest>& labs) {
  for (const grade::Manifest& lab : labs)
    if (!progress_of(cache_directory(), lab).complete()) return &lab;
  return nullptr;
}

std::string list_text(const std::vector<grade::Manifest>& labs, const report::Style& style) {
  std::vector<std::vector<std::string>> rows = {{"lab", "points", "state", "what"}};
  for (const grade::Manifest& lab : labs) {
    const Progress progress = progress_of(cache_directory(), lab);
    const std::string state = progress_text(progress);
    rows.push_back({lab.id, points_text(lab, progress),
                    progress.complete()                       ? style.good(state)
                    : progress.kind == Progress::Kind::graded ? style.bad(state)
                                                              : style.dim(state),
                    lab.title});
  }
  std::string text = report::table(rows, {false, false, false, false}, style.columns) + "\n";
  if (const grade::Manifest* next = next_lab(labs))
    text += fmt::format(
        "Next: {0}, in labs/{2}.\nIts task: {1} show {0}\nGrade at each save: {1} watch {0}\n",
        next->id, command_name(), next->folder);
  else
    text += "Every lab passes.\n";
  return text;
}

void add_list(Command labkit) {
  labkit.subcommand("list", "the labs: points, how far you are, what is next").run([] {
    const report::Style style = report::style_for(stdout);
    std::fputs(list_text(select_labs({}), style).c_str(), stdout);
    return kExitOk;
  });
}

}  // namespace labkit::cli
