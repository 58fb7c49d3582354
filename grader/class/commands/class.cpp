// Linked into the program itself, where it registers `class` when the program starts: nothing else calls it. A student's
// kit is without this folder.
#include "class/commands/class.h"

namespace labkit::course {

void add_class_commands(cli::Command labkit) {
  cli::Command command = labkit.subcommand("class", "for teaching assistants: a whole class");
  command.require_subcommand();
  CLI::App& app = command;
  ClassCommand& chosen = labkit.chosen();
  add_class_grade(app, chosen);
  add_class_plan(app, chosen);
  add_class_work(app, chosen);
  add_class_merge(app, chosen);
  add_class_submit(app, chosen);
  add_class_status(app, chosen);
  add_class_show(app, chosen);
  add_class_set(app, chosen);
  add_class_reports(app, chosen);
  add_class_replay(app, chosen);
}

namespace {
[[maybe_unused]] const bool kRegistered = (cli::register_commands(add_class_commands), true);
}

}  // namespace labkit::course
