// CUDA device code to PTX with NVRTC or clang, in a child process with limits: a compiler fed by students
// may hang or eat memory, and then that is the submission's verdict, not the grader's death.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compile/machine_code.h"
#include "process/jail.h"
#include "words/message.h"

namespace labkit::compile {

// The time that the compiler sees. A source can ask for it (`__TIME__`, `__DATE__`, also pasted together), and a grade must
// not depend on when it was reached: so it is always the same, and the receipt and the cache's key have it.
inline constexpr std::int64_t kCompilerClock = 946'684'800;  ///< seconds since 1970, UTC
inline constexpr char kCompilerClockText[] = "2000-01-01 00:00:00 UTC";

struct Request {
  std::string source;                ///< text of the .cu
  std::string name;                  ///< how messages call it ("kernel.cu"); shows up in .file
  std::vector<std::string> kernels;  ///< name expressions: "transpose<float>", "matmul"
  std::string arch = "compute_90";   ///< NVRTC's --gpu-architecture; "sm_90" also makes a cubin
  bool line_info = true;
  /// Name expression -> the declaration wanted, for the message when it is missing. May be empty.
  std::map<std::string, std::string> signatures = {};
  bool device_debug = false;  ///< -G: unoptimised, for the sanitizers
  /// Of a source that is rejected, tries which of `kernels` are to blame: a compilation for each. Without, it is rejected
  /// as a whole, and the log says where.
  bool tries_each = true;
  /// With a virtual `arch` ("compute_90"): tell Result::assembled, too. Never changes the rest of the
  /// result: what ptxas refuses, or does not finish within the limits, has no registers and says why.
  bool registers = false;
  /// Absolute path of the file, for the line table of a cubin, by which Nsight Compute and cuda-gdb
  /// find the source; messages and PTX say `name`. Empty: `name` there, too.
  std::string path = {};
};

enum class Status {
  ok,
  rejected,        ///< the source does not compile (verdict)
  missing_kernel,  ///< it compiles, but a requested kernel is not there or cannot be instantiated
                   ///< (verdict)
  limit,           ///< the compiler ran over time, memory or output size (verdict)
};

struct Result {
  Status status = Status::rejected;
  std::string ptx;
  std::string cubin;  ///< machine code, if Request::arch is a real architecture ("sm_90")
  std::string log;    ///< the compiler's messages, paths cut to Request::name
  std::vector<words::Message> message;  ///< for a status other than ok: why, for the student
  std::vector<words::Message> notes;    ///< what was accepted silently (main() was left out)
  std::map<std::string, std::string>
      entries;           ///< name expression -> mangled entry, for those that exist
  std::string compiler;  ///< "NVRTC 13.0", "clang 14.0.6"
  Assembled assembled;   ///< for Request::registers, or a real architecture
  std::string jail;      ///< what held while it compiled: "Landlock (ABI 6), seccomp and limits"
};

/// What a compilation may take: the one place for these numbers.
///
/// Measured on 2 cores with NVRTC 11.8, 12.0 and 13.0, to PTX, to machine code and with device_debug:
/// of this kit's 116 stubs and solutions the largest takes 39 MiB beyond the libraries, 0.5 MB of
/// output and about 0.2 s. A kernel that includes all of CUDA 13's device headers (cuda/pipeline, mma.h,
/// cooperative groups) takes 212 MiB and 1.2 s; that kernel with a loop unrolled to 512 sines 348 MiB,
/// 5.5 MB and 8 s, and is refused. Where Request::registers are wanted and a limit is met, which may be ptxas's doing, it is
/// compiled once more without them.
struct Limits {
  double cpu_seconds = 10;
  /// Beyond what NVRTC's libraries take (70 to 120 MiB, which processes share). Eight times what the largest solution
  /// takes; small enough that a class graded by two jobs stays under 1 GB when both compile a bomb.
  unsigned long long memory_bytes = 320ull << 20;
  unsigned long long output_bytes = 16ull << 20;
  /// Not a student's limit: time passes too when the machine is busy with others, so meeting it is
  /// our error.
  double wall_seconds = 120;
  /// Refuse where the kernel has not all that the jail is made of (labkit::Error). LABKIT_JAIL=strict
  /// in the environment asks for the same.
  bool strict_jail = false;
};

/// Compiles in a child. Throws labkit::Error if the compiler itself is missing or unusable (remedy() says
/// how to get it).
Result compile(const Request& request, const Limits& limits = {});

/// As compile(), with results kept in `cache_directory` under a hash of everything that decides
/// them.
Result compile_cached(const Request& request, const std::string& cache_directory,
                      const Limits& limits = {});

/// No device compiler can be used; remedy() says how to get one.
class NoCompiler : public Error {
 public:
  explicit NoCompiler(const std::string& message, std::string remedy = {},
                      std::string id = error_id::kCompilerMissing)
      : Error(message, std::move(remedy), std::move(id)) {}
};
class NoNvrtc : public NoCompiler {
 public:
  explicit NoNvrtc(const std::string& message, std::string remedy = {},
                   std::string id = error_id::kNvrtcMissing)
      : NoCompiler(message, std::move(remedy), std::move(id)) {}
};
class NoClang : public NoCompiler {
 public:
  explicit NoClang(const std::string& message, std::string remedy = {},
                   std::string id = error_id::kClangMissing)
      : NoCompiler(message, std::move(remedy), std::move(id)) {}
};

struct NvrtcInfo {
  std::string library;  ///< path as loaded
  int major = 0, minor = 0;
  std::string include_directory;   ///< CUDA headers (cuda_fp16.h), empty if there are none
  std::vector<int> architectures;  ///< that it compiles for, rising: 75, 80, 86, 90, ...
  process::JailState jail = {};    ///< in which it compiles
};
/// Looks for a usable NVRTC (LABKIT_NVRTC, CUDA_HOME, /usr/local/cuda*, the distribution's). Throws
/// NoNvrtc.
NvrtcInfo find_nvrtc();

struct ClangInfo {
  std::string program;  ///< the real file, not a link to it
  int major = 0, minor = 0, patch = 0;
  process::JailState jail = {};  ///< in which it compiles
};
/// Looks for a usable clang (LABKIT_CLANG, PATH, clang-19 to clang-14). Throws NoClang.
ClangInfo find_clang();

/// The compiler that compile() uses.
struct CompilerInfo {
  bool is_clang = false;
  NvrtcInfo nvrtc;      ///< if it is not clang
  ClangInfo clang;      ///< if it is
  std::string version;  ///< "NVRTC 13.0", "clang 14.0.6"
  const std::string& file() const { return is_clang ? clang.program : nvrtc.library; }
  const process::JailState& jail() const { return is_clang ? clang.jail : nvrtc.jail; }
};
/// The one that LABKIT_COMPILER names: nvrtc, clang, or auto (also where it is not set), which is NVRTC where there is one, and
/// clang otherwise. Throws NoCompiler.
CompilerInfo find_compiler();
/// The setting of these that --compiler takes.
inline constexpr const char* kCompilerSetting = "LABKIT_COMPILER";

/// Request::arch for a GPU of that compute capability: its own ("sm_90") or, if it is newer than
/// this NVRTC knows or clang compiles, the nearest below it ("compute_90"), whose PTX the driver compiles. Throws
/// labkit::Error with the mend if it is older than all that NVRTC knows.
std::string arch_for(const NvrtcInfo& nvrtc, int major, int minor);
std::string arch_for(const CompilerInfo& compiler, int major, int minor);

}  // namespace labkit::compile
