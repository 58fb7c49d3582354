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
//             options   [string]
//             names     [string] name expressions
//             cubin     bool: machine code is wanted beside the PTX
//   response  error     NVRTC cannot be used, and why (our fault); nothing else is set then
//             version   [major, minor]
//             architectures  [75, 80, ...], as compute capabilities without the point
//             jail      {landlock: ABI or 0, seccomp: bool, problem: text}
//             refused   true: strict, and the jail is not whole; nothing below is set then
//             outcome   "ok" | "rejected" | "missing" (compiles without some of the names) |
//             "memory" | "internal"
//             log, ptx  text
//             cubin     bytes, if wanted
//             lowered   {name: mangled}, for the names that exist
//             name_logs {name: log}, for those that do not
#pragma once
#include <nlohmann/json.hpp>

#include "process/jail.h"

namespace labkit::compile {

inline constexpr char kWorkerName[] = "labkit-nvrtc";
/// Part of every cache key: change it when the worker's or the preparation's behaviour changes.
inline constexpr int kProtocolVersion = 3;

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

}  // namespace labkit::compile
