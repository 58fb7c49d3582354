#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/class.h"

namespace labkit::cli {

void add_class_replay(CLI::App& app, ClassCommand& chosen) {
  CLI::App& command = *app.add_subcommand("replay", "");
  command.callback([&chosen] { chosen = []() -> int { throw Error("not there yet"); }; });
}

}  // namespace labkit::cli
