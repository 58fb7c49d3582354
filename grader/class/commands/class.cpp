// Linked into the program itself, where it registers `class` when the program starts: nothing else calls it. A student's
// kit is without this folder.
#include "class/commands/class.h"

namespace labkit::course {

void add_class_commands(cli::Command labkit) {
  cli::Command command = labkit.subcommand("class", "for teaching assistants: a whole class");
  command.require_subcommand();
  add_class_grade(command);
  add_class_plan(command);
  add_class_work(command);
  add_class_merge(command);
  add_class_submit(command);
  add_class_status(command);
  add_class_set(command);
  add_class_reports(command);
  add_class_replay(command);
}

[[maybe_unused]] const bool kRegistered = (cli::register_commands(add_class_commands), true);

}  // namespace labkit::course
