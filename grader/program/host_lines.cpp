// The lines of the program's own calls, by its debug information, which addr2line reads (binutils, LLVM).
#include <fmt/format.h>

#include <charconv>
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
  command.argv.insert(command.argv.begin(), {reader, "-a", "-i", "-e", program.string()});
  command.environment = process::whole_environment();
  command.limits.wall_seconds = kMostSeconds;
  const process::Result ran = process::run(command);
  // of each an address, then its line and those that it was inlined at
  std::istringstream lines(ran.out);
  auto next = asked.begin();
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      if (next == asked.end()) return;
      ++next;
      continue;
    }
    if (next == asked.begin()) return;
    words::SourceLine& where = (*std::prev(next))->where;
    // without debug information "??:0"; CUDA's own wrappers are no place to look at
    const bool is_of_program =
        line.find('?') == std::string::npos && line.find("cuda_runtime") == std::string::npos;
    const auto colon = line.rfind(':');
    if (where.line != 0 || !is_of_program || colon == std::string::npos) continue;
    where.file = line.substr(0, colon);
    // behind it may stand " (discriminator 1)"
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), where.line);
  }
}

}  // namespace labkit::program
