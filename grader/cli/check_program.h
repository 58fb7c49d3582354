// The program around a lab's check.cpp: labN_check. It compiles the student's file, runs the
// GoogleTest tests asked for and tells what came out in the kit's own words; GoogleTest's printer
// is silent.
#pragma once
#include <string>

namespace labkit::cli {

/// labN_check [--ready] [--file F] [--json F] [--html F] [--failure-page F] [--device D] [--gpu-id N] [--gpu G] [--seed N]
/// [--threads N] [GoogleTest's own flags]. Exit codes as in base/error.h.
/// `lab_folder`: its name in labs/.
int check_main(int argc, char** argv, const std::string& lab_folder);

}  // namespace labkit::cli
