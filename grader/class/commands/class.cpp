#include "class/commands/class.h"

namespace labkit::course {

void add_class_commands(cli::Command labkit) {
  cli::Command command = labkit.subcommand("class", "for teaching assistants: a whole class");
  command.require_subcommand();
  CLI::App& app = command;
  ClassCommand& chosen = labkit.chosen();
  add_class_grade(app, chosen);
  add_class_status(app, chosen);
  add_class_replay(app, chosen);
  add_class_report(app, chosen);
  add_class_rescore(app, chosen);
  add_class_set(app, chosen);
  add_class_show(app, chosen);
  add_class_similar(app, chosen);
  add_class_policy(app, chosen);
}

}  // namespace labkit::course
