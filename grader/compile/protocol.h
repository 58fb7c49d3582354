// What compile() and the worker say to each other: one CBOR map each way (nlohmann::json), over
// stdin and stdout. CBOR, because a student's file need not be UTF-8.
//
//   request   library   path of libnvrtc
//             source    text, or absent: only the version is asked for
//             name      how messages call the source
//             headers   {name: text}, all that #include can find
//             options   [string]
//             names     [string] name expressions
//             cubin     bool: machine code is wanted beside the PTX
//   response  error     NVRTC cannot be used, and why (our fault); nothing else is set then
//             version   [major, minor]
//             architectures  [75, 80, ...], as compute capabilities without the point
//             outcome   "ok" | "rejected" | "missing" (compiles without some of the names) |
//             "memory" | "internal"
//             log, ptx  text
//             cubin     bytes, if wanted
//             lowered   {name: mangled}, for the names that exist
//             name_logs {name: log}, for those that do not
#pragma once

namespace labkit::compile {

inline constexpr char kWorkerName[] = "labkit-nvrtc";
/// Part of every cache key: change it when the worker's or the preparation's behaviour changes.
inline constexpr int kProtocolVersion = 2;

}  // namespace labkit::compile
