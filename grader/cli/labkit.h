#pragma once

namespace labkit::cli {

/// The program labkit: grade, hint, profile, lab check, list, doctor. Exit codes as in base/error.h.
int labkit_main(int argc, char** argv);

}  // namespace labkit::cli
