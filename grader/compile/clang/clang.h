// clang as a second device compiler, where NVRTC is not: Debian's and Ubuntu's package, with headers of our own and none of CUDA's.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "compile/protocol.h"
#include "process/process.h"

namespace labkit::compile {

/// How to get clang.
std::string clang_remedy();

/// WorkerRequest::options: all that clang is told. `read_before` names a header that is read before the source.
std::vector<std::string> clang_options(const ClangInfo& clang, const Request& request,
                                       const std::string& read_before);

/// Lines behind a source that make clang, or nvcc, instantiate each of `names`, and say its mangled name in the PTX.
std::string lines_asking_for(const std::vector<std::string>& names);
/// Takes these variables out of the PTX again; their values are the entries.
void take_entries(std::string& ptx, const std::vector<std::string>& names,
                std::map<std::string, std::string>& lowered);

/// What became of a request. Of a clang that did not come to its end `ended` says so, and nothing else counts.
struct ClangAnswer {
  std::optional<process::Result> ended;
  WorkerResponse response;
};
ClangAnswer compile_with_clang(const ClangInfo& clang, const WorkerRequest& request,
                               const Limits& limits, bool strict);

/// The PTX's target for an architecture that is asked for: "compute_90" -> 80. Clang 14 knows 8.0, and all that the kit compiles
/// runs on newer GPUs from its PTX.
int clang_architecture(const std::string& arch);

}  // namespace labkit::compile
