#include "cli/class.h"

namespace labkit::cli {

void add_class_commands(CLI::App& app, ClassCommand& chosen) {
  app.require_subcommand(1);
  add_class_grade(app, chosen);
  add_class_status(app, chosen);
  add_class_replay(app, chosen);
}

}  // namespace labkit::cli
