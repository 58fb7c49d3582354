#include "cli/list.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/command_name.h"
#include "base/error.h"
#include "cli/grading.h"
#include "cli/lab_state.h"
#include "cli/paths.h"

namespace labkit::cli {

const lab::Manifest* next_lab(const std::vector<lab::Manifest>& labs) {
  for (const lab::Manifest& lab : labs)
    if (!progress_of(cache_directory(), lab).complete()) return &lab;
  return nullptr;
}

std::string list_text(const std::vector<lab::Manifest>& labs, const report::Style& style) {
  std::vector<std::vector<std::string>> rows = {{"lab", "points", "state", "what", "folder"}};
  for (const lab::Manifest& lab : labs) {
    const Progress progress = progress_of(cache_directory(), lab);
    const std::string state = progress_text(progress);
    rows.push_back({lab.id, points_text(lab, progress),
                    progress.complete()                       ? style.good(state)
                    : progress.kind == Progress::Kind::graded ? style.bad(state)
                                                              : style.dim(state),
                    lab.title, "labs/" + lab.folder});
  }
  std::string text = report::table(rows, {false, false, false, false, false}) + "\n";
  if (const lab::Manifest* next = next_lab(labs))
    text += fmt::format("Next: {0}. Its task: {1} show {0}; grade at each save: {1} watch\n",
                        next->id, command_name());
  else
    text += "Every lab passes.\n";
  return text;
}

int run_list() {
  std::fputs(list_text(select_labs({}), report::style_for(stdout)).c_str(), stdout);
  return kExitOk;
}

}  // namespace labkit::cli
