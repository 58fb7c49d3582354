// Is a process gone?
#pragma once
#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace labkit::process {

/// True once `pid` is gone or a zombie that init has yet to collect; waits for it as long as a
/// broken test may take.
inline bool ends(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string id, name, state;
    if (!(file >> id >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace labkit::process
