// An error of ours, thrown inside the worker and sent to the grader as an error reply.
#pragma once
#include <string>

#include "base/error.h"

namespace labkit::device::cuda {

struct Trouble {
  std::string message, remedy;
  std::string id = error_id::kGpuFailed;
};

}  // namespace labkit::device::cuda
