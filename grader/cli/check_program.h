// lab_check, the program around the check.cpp of all labs. It compiles the student's file, runs the tests of one lab and
// reports what came of them in the kit's own words; GoogleTest's printer is silent.
#pragma once

namespace labkit::cli {

/// lab_check --lab LAB [--ready] [--file F] [--json F] [--html F] [--failure-page F] [--device D] [--gpu-id N] [--gpu G]
/// [--seed N] [--threads N] [GoogleTest's own flags]. Exit codes as in base/error.h.
int check_main(int argc, char** argv);

}  // namespace labkit::cli
