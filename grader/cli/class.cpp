#include "cli/class.h"

namespace labkit::cli {

void add_class_commands(CLI::App& app, ClassCommand& chosen) {
  app.require_subcommand(1);
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

}  // namespace labkit::cli
