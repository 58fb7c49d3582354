#include "cli/commands.h"

namespace labkit::cli {
namespace {

std::vector<void (*)(Command)>& registered() {
  static std::vector<void (*)(Command)> all;
  return all;
}

}  // namespace

void register_commands(void (*add)(Command)) { registered().push_back(add); }

int labkit_main(int argc, char** argv) {
  return run_commands(argc, argv, [](Command labkit) {
    add_grade(labkit);
    add_hint(labkit);
    add_watch(labkit);
    add_list(labkit);
    add_show(labkit);
    add_reset(labkit);
    add_profile(labkit);
    add_run(labkit);
    add_explain(labkit);
    Command lab = labkit.subcommand("lab", "for authors of labs");
    lab.require_subcommand();
    add_lab_check(lab);
    add_lab_figures(lab);
    add_calibrate(lab);
    for (const auto add : registered()) add(labkit);
    add_new_lab(labkit);
    add_doctor(labkit);
    add_completion(labkit);
  });
}

}  // namespace labkit::cli
