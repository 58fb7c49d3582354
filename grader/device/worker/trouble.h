// What is ours to mend, thrown inside the worker and told to the grader as an error reply.
#pragma once
#include <string>

namespace labkit::device::cuda {

struct Trouble {
  std::string what, mend;
  bool no_gpu = false;  ///< there is no driver or no GPU at all
};

}  // namespace labkit::device::cuda
