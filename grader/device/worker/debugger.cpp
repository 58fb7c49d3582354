#include "device/worker/debugger.h"

#include <sys/prctl.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "device/cuda_protocol.h"

namespace labkit::device::cuda {

bool is_debugged() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "TracerPid:") return status >> word && word != "0";
  return false;
}

void wait_for_debugger() {
  if (std::getenv(kDebuggerVariable) == nullptr) return;
  // Debian's and Ubuntu's kernels let only ancestors attach unless it is said so.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  while (!is_debugged()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace labkit::device::cuda
