// The lines of the program's own calls, by its debug information, which addr2line reads (binutils, LLVM).
#include <fmt/format.h>

#include <sstream>

#include "process/process.h"
#include "program/compilers.h"
#include "program/run.h"

namespace labkit::program {

void find_lines(Report& report, const std::filesystem::path& program) {
  constexpr double kMostSeconds = 20;
  process::Command command;
  std::vector<Incident*> asked;
  for (Incident& one : report.incidents) {
    if (one.caller == 0) continue;
    asked.push_back(&one);
    command.argv.push_back(fmt::format("{:#x}", one.caller - 1));  // inside the call
  }
  std::string reader = find_program("addr2line");
  if (reader.empty()) reader = find_program("llvm-addr2line");
  if (asked.empty() || reader.empty()) return;
  command.argv.insert(command.argv.begin(), {reader, "-e", program.string()});
  command.environment = process::whole_environment();
  command.limits.wall_seconds = kMostSeconds;
  const process::Result ran = process::run(command);
  std::istringstream lines(ran.out);
  for (Incident* one : asked) {
    std::string line;
    std::getline(lines, line);
    line = line.substr(0, line.find(' '));  // " (discriminator 1)"
    // without debug information "??:0"; CUDA's own wrappers are no place to look at
    if (line.find('?') == std::string::npos && line.find("cuda_runtime") == std::string::npos)
      one->line = std::filesystem::path(line).filename().string();
  }
}

}  // namespace labkit::program
