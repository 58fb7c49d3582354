#pragma once
#include "cli/command_line.h"

namespace labkit::cli {

/// The program labkit: grade, hint, profile, lab check, list, doctor. Exit codes as in base/error.h.
int labkit_main(int argc, char** argv);

/// Lets `add` add commands to labkit's own, before labkit_main() begins: for a layer above this one, which a student's kit
/// may leave out.
void register_commands(void (*add)(Command labkit));

}  // namespace labkit::cli
