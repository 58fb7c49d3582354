// What compile() and the worker say to each other.
//
//   labkit-nvrtc LIBRARY version                  only loads it and tells its version
//   labkit-nvrtc LIBRARY MEMORY strict|lenient    compiles with MEMORY bytes beyond what is loaded;
//                                                 strict: refuses where the jail is not whole
//
// The request comes on stdin, which is read in the jail; the response goes to stdout: a CBOR map each. CBOR, because a
// student's file need not be UTF-8.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

#include "compile/machine_code.h"
#include "process/jail.h"

namespace labkit::process {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(JailState, landlock_abi, seccomp, problem)

}  // namespace labkit::process

namespace labkit::compile {

inline constexpr char kWorkerName[] = "labkit-nvrtc";
/// Part of every cache key: change it when the worker's or the preparation's behaviour changes.
inline constexpr int kProtocolVersion = 7;

struct WorkerRequest {
  std::string source;
  std::string name;                            ///< how messages call the source
  std::string directory;                       ///< what the line table has before `name`
  std::int64_t clock = 0;                      ///< what the source sees, in seconds since 1970
  std::map<std::string, std::string> headers;  ///< name -> text: all that #include can find
  std::vector<std::string> options;            ///< without the architecture
  std::string arch;                            ///< "compute_90"
  /// "sm_90": made as for that, if ptxas takes it, and for `arch` if not; "": for `arch`.
  std::string assemble;
  std::vector<std::string> names;  ///< name expressions
  bool tries_each = false;         ///< of a source that is rejected: which names are to blame
  bool cubin = false;              ///< machine code is wanted beside the PTX
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerRequest, source, name, directory, clock, headers, options,
                                   arch, assemble, names, tries_each, cubin)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Assembled::Kernel, registers, stack_bytes)

struct WorkerResponse {
  std::string error;  ///< NVRTC cannot be used (our fault): base/error.h; nothing else is set then
  int major = 0, minor = 0;
  std::vector<int> architectures;  ///< compute capabilities without the point: 75, 80, ...
  process::JailState jail;
  bool refused = false;  ///< strict, and the jail is not whole; nothing below is set then
  /// "ok", "rejected", "missing" (compiles without some of the names), "memory" or "internal".
  std::string outcome;
  std::string log, ptx;
  std::string cubin;                                 ///< if wanted
  std::map<std::string, Assembled::Kernel> kernels;  ///< mangled, if machine code was made
  std::string no_kernels;                            ///< why it was not, for `assemble`
  std::map<std::string, std::string> lowered;        ///< name -> mangled, for those that exist
  std::map<std::string, std::string> name_logs;      ///< for those that do not
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorkerResponse, error, major, minor, architectures, jail,
                                   refused, outcome, log, ptx, cubin, kernels, no_kernels, lowered,
                                   name_logs)

}  // namespace labkit::compile
