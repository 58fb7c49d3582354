// What compile() and the worker say to each other.
//
//   labkit-nvrtc LIBRARY version                  only loads it and tells its version
//   labkit-nvrtc LIBRARY MEMORY strict|lenient    compiles with MEMORY bytes beyond what is loaded;
//                                                 strict: refuses where the jail is not whole
//
// The request comes on stdin, which is read in the jail; the response goes to stdout: a CBOR map each
// (nlohmann::json). CBOR, because a student's file need not be UTF-8.
//
//   request   source    text
//             name      how messages call the source
//             headers   {name: text}, all that #include can find
//             arch      "compute_90"
//             assemble  "sm_90": made as for that, if ptxas takes it, and for `arch` if not; "": for `arch`
//             options   [string], without the architecture
//             names     [string] name expressions
//             tries_each  bool: of a source that is rejected, which names are to blame
//             cubin     bool: machine code is wanted beside the PTX
//             clock     the time that the source sees, in seconds since 1970
//             directory what the line table has before `name`
//   response  error     NVRTC cannot be used (our fault): base/error.h; nothing else is set then
//             version   [major, minor]
//             architectures  [75, 80, ...], as compute capabilities without the point
//             jail      {landlock: ABI or 0, seccomp: bool, problem: text}
//             refused   true: strict, and the jail is not whole; nothing below is set then
//             outcome   "ok" | "rejected" | "missing" (compiles without some of the names) |
//             "memory" | "internal"
//             log, ptx  text
//             cubin     bytes, if wanted
//             kernels   {mangled: [registers, stack_bytes]}, if machine code was made
//             no_kernels  text: why it was not, for `assemble`
//             lowered   {name: mangled}, for the names that exist
//             name_logs {name: log}, for those that do not
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

#include "compile/machine_code.h"
#include "process/jail.h"

namespace labkit::compile {

inline constexpr char kWorkerName[] = "labkit-nvrtc";
/// Part of every cache key: change it when the worker's or the preparation's behaviour changes.
inline constexpr int kProtocolVersion = 6;

inline nlohmann::json to_json(const process::JailState& jail) {
  return {{"landlock", jail.landlock_abi}, {"seccomp", jail.seccomp}, {"problem", jail.problem}};
}
/// Of a response.
inline process::JailState jail_of(const nlohmann::json& response) {
  const nlohmann::json& jail = response.at("jail");
  return {.landlock_abi = jail.at("landlock").get<int>(),
          .seccomp = jail.at("seccomp").get<bool>(),
          .problem = jail.at("problem").get<std::string>()};
}

/// Of a response, or of what the cache keeps.
inline nlohmann::json to_json(const std::map<std::string, Assembled::Kernel>& kernels) {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [entry, kernel] : kernels) all[entry] = {kernel.registers, kernel.stack_bytes};
  return all;
}
inline std::map<std::string, Assembled::Kernel> read_kernels(const nlohmann::json& all) {
  std::map<std::string, Assembled::Kernel> kernels;
  for (const auto& [entry, kernel] : all.items())
    kernels[entry] = {.registers = kernel.at(0).get<std::uint32_t>(),
                      .stack_bytes = kernel.at(1).get<std::uint32_t>()};
  return kernels;
}

}  // namespace labkit::compile
