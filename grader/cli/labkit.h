#pragma once
#include <CLI/App.hpp>
#include <functional>

namespace labkit::cli {

/// The program labkit: grade, hint, profile, lab check, list, doctor. Exit codes as in base/error.h.
int labkit_main(int argc, char** argv);

/// What is to be run once the command line is parsed; set by the subcommand that was named.
using ChosenCommand = std::function<int()>;
/// Lets `add` add commands to labkit's own, before labkit_main() begins: for a layer above this one, which a student's kit
/// may leave out. Commands so added find a full disk and a file's size limit (ulimit -f) as errors, never as a signal.
void register_commands(void (*add)(CLI::App& labkit, ChosenCommand& chosen));

}  // namespace labkit::cli
