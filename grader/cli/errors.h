// From exceptions to exit codes, in one place for every program of the kit.
#pragma once
#include <CLI/App.hpp>
#include <functional>

namespace labkit::cli {

/// Parses the command line, runs `body`, and ends with its exit code. --help and --version end with
/// 0, a wrong command line with kExitUsage, labkit::Error and any other exception with
/// kExitOurError; stderr then says "Error: ..." and "Fix: ...". Where `error_fd` is given and not below 0,
/// the error is written there too, as base/error_json.h has it: for the program that started this one.
int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
            const int* error_fd = nullptr);

}  // namespace labkit::cli
