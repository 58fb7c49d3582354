// `labkit class ...`: a whole class's submissions. One file a command, <command>.cpp.
#pragma once
#include <CLI/App.hpp>

#include "cli/labkit.h"

namespace labkit::course {

using ClassCommand = cli::ChosenCommand;

/// Stopped by Ctrl-C or SIGTERM, with everything kept: the exit code that shells use.
inline constexpr int kExitStopped = 130;

/// Adds `class` with its subcommands to labkit's.
void add_class_commands(cli::Command labkit);

// Each adds one subcommand.
void add_class_grade(CLI::App& app, ClassCommand& chosen);
void add_class_status(CLI::App& app, ClassCommand& chosen);
void add_class_policy(CLI::App& app, ClassCommand& chosen);
void add_class_replay(CLI::App& app, ClassCommand& chosen);
void add_class_report(CLI::App& app, ClassCommand& chosen);
void add_class_rescore(CLI::App& app, ClassCommand& chosen);
void add_class_set(CLI::App& app, ClassCommand& chosen);
void add_class_show(CLI::App& app, ClassCommand& chosen);
void add_class_similar(CLI::App& app, ClassCommand& chosen);

}  // namespace labkit::course
