// `labkit class ...`: a whole class's submissions. One file a command, class_<command>.cpp.
#pragma once
#include <CLI/App.hpp>
#include <functional>

namespace labkit::cli {

/// What is to be run once the command line is parsed; set by the subcommand that was named.
using ClassCommand = std::function<int()>;

/// Ended by Ctrl-C or SIGTERM, with everything kept: as shells tell it.
inline constexpr int kExitStopped = 130;

/// Adds all subcommands to `app`, which is "class". `chosen` must outlive the parsing.
void add_class_commands(CLI::App& app, ClassCommand& chosen);

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

}  // namespace labkit::cli
