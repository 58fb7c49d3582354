// labkit-nvrtc: one NVRTC compilation, on the leash that compile() holds. Loads the library by path
// (no CUDA headers at build time), goes into the jail (process/jail.h), and only then reads what the
// student wrote. See compile/protocol.h.
//
// Why no file can be opened: NVRTC opens any that #include, #embed or __has_include names, relative,
// absolute, spelled through macros or spliced lines. With everything legitimate loaded or in memory,
// the kernel refuses every open(), whatever the spelling. A scan of the text could be tricked.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "compile/diagnostics.h"
#include "compile/machine_code.h"
#include "compile/protocol.h"
#include "process/jail.h"

// --- what NVRTC sees of the machine beside its job: the time and the current folder, both as the
// job has them. A result that depended on the real ones would be another one tomorrow, or
// elsewhere.
//
// How: NVRTC takes time() and getcwd() from the C library, as dynamic symbols (`nm -D`), and for
// those the loader looks into the executable first. So it gets the ones below, which room.cmake
// exports. Measured on 11.8, 12.0 and 13.0: __DATE__ and __TIME__ come from time() and ctime(),
// which asks for TZ; the PTX of two runs a second apart is the same with this, and differs without.
//
// Why not by an option: `-D__TIME__=...` is refused ("invalid macro definition"), SOURCE_DATE_EPOCH
// is ignored by all three, and a scan of the text does not see `__TI##ME__`. __TIMESTAMP__ and
// __COUNTER__ are not known to NVRTC. __FILE__ and __BASE_FILE__ are the name that the job gives;
// the folder before it is in the line table only.

namespace {

// Constants first: NVRTC's own start may ask before there is a job.
std::time_t now = 0;
std::string& current_directory() {
  static std::string directory = "/";
  return directory;
}

/// Before the jail: a fixed time zone, and the time stands still from here on. TZ and LC_ALL are
/// the only two names of the environment that decide a text; the worker is started with neither.
void fix_surroundings() {
  ::setenv("TZ", "UTC0", 1);
  ::setenv("LC_ALL", "C", 1);
  ::tzset();
}

}  // namespace

// No header declares what is defined here otherwise than the C library does; exceptions are not thrown.
extern "C" {

time_t time(time_t* out) noexcept {
  if (out != nullptr) *out = now;
  return now;
}

int gettimeofday(timeval* out, void*) noexcept {
  *out = {.tv_sec = now, .tv_usec = 0};
  return 0;
}

int clock_gettime(clockid_t which, timespec* out) noexcept {
  // Those that only measure how long something takes go on: a wait with an end must come to it.
  if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)
    return static_cast<int>(::syscall(SYS_clock_gettime, which, out));
  *out = {.tv_sec = now, .tv_nsec = 0};
  return 0;
}

/// NVRTC puts it into the names of functions that no other file sees ("_INTERNAL_..._4711").
pid_t getpid() noexcept { return 1; }

char* getcwd(char* buffer, std::size_t size) noexcept {
  const std::string& directory = current_directory();
  if (buffer == nullptr) return ::strdup(directory.c_str());
  if (directory.size() >= size) {
    errno = ERANGE;
    return nullptr;
  }
  std::memcpy(buffer, directory.c_str(), directory.size() + 1);
  return buffer;
}

}  // extern "C"

// --- the compilation

namespace {

using labkit::Error;
using labkit::compile::WorkerRequest;
using labkit::compile::WorkerResponse;
using nlohmann::json;

Error unusable(const std::string& why) { return Error(why, {}, labkit::error_id::kNvrtcUnusable); }

/// Functions of a library that is loaded by its path, each of which must be there.
class Library {
 public:
  explicit Library(const std::string& path)
      : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw unusable(::dlerror());
  }
  struct Function {
    void* address;
    template <typename F>
    operator F*() const {  // NOLINT: for that it is there
      return reinterpret_cast<F*>(address);
    }
  };
  Function operator[](const char* name) const {
    void* const address = ::dlsym(library_, name);
    if (address == nullptr) throw unusable(std::string("it has no function ") + name);
    return {address};
  }

 private:
  void* library_;
};

/// The part of NVRTC's interface that is used (NVRTC documentation, chapter 3). 0 is success for
/// every function.
struct Nvrtc {
  const Library library;
  using Program = void*;
  int (*version)(int*, int*) = library["nvrtcVersion"];
  const char* (*error_string)(int) = library["nvrtcGetErrorString"];
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = library["nvrtcCreateProgram"];
  int (*destroy)(Program*) = library["nvrtcDestroyProgram"];
  int (*add_name)(Program, const char*) = library["nvrtcAddNameExpression"];
  int (*compile)(Program, int, const char* const*) = library["nvrtcCompileProgram"];
  int (*log_size)(Program, std::size_t*) = library["nvrtcGetProgramLogSize"];
  int (*log)(Program, char*) = library["nvrtcGetProgramLog"];
  int (*ptx_size)(Program, std::size_t*) = library["nvrtcGetPTXSize"];
  int (*ptx)(Program, char*) = library["nvrtcGetPTX"];
  int (*cubin_size)(Program, std::size_t*) = library["nvrtcGetCUBINSize"];
  int (*cubin)(Program, char*) = library["nvrtcGetCUBIN"];
  int (*lowered)(Program, const char*, const char**) = library["nvrtcGetLoweredName"];
  int (*architecture_count)(int*) = library["nvrtcGetNumSupportedArchs"];
  int (*architectures)(int*) = library["nvrtcGetSupportedArchs"];
};
// nvrtcResult, NVRTC documentation 3.1.
constexpr int kOutOfMemory = 1;
constexpr int kCompilationError = 6;

/// NVRTC loads its built-in declarations from a second library at its first compilation; it must be
/// there before the door closes. It lies beside the first, or where the loader looks.
void load_builtins(const std::string& nvrtc, int major, int minor) {
  const std::string name =
      "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  std::error_code ignored;
  const auto beside = std::filesystem::canonical(nvrtc, ignored).parent_path() / name;
  if (::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  if (::dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) throw unusable(::dlerror());
}

struct Attempt {
  int code = 0;
  std::string log, ptx, cubin;
  std::map<std::string, std::string> lowered;
  std::map<std::string, labkit::compile::Assembled::Kernel> kernels;  ///< if there is machine code
  std::string no_kernels;  ///< why there is none, although it was wanted
};

class Compiler {
 public:
  Compiler(const Nvrtc& nvrtc, const WorkerRequest& request) : nvrtc_(nvrtc), request_(request) {
    for (const auto& [name, text] : request.headers) {
      header_names_.push_back(name.c_str());
      header_texts_.push_back(text.c_str());
    }
    for (const std::string& option : request.options) option_words_.push_back(option.c_str());
  }

  /// For `architecture`, virtual or real.
  Attempt attempt(const std::vector<std::string>& names, const std::string& architecture) const {
    Attempt result;
    const std::string option = "--gpu-architecture=" + architecture;
    std::vector<const char*> words = {option.c_str()};
    words.insert(words.end(), option_words_.begin(), option_words_.end());
    Nvrtc::Program program = nullptr;
    result.code = nvrtc_.create(&program, request_.source.c_str(), request_.name.c_str(),
                                static_cast<int>(header_names_.size()), header_texts_.data(),
                                header_names_.data());
    if (result.code != 0) return result;
    for (const std::string& name : names)
      if (result.code == 0) result.code = nvrtc_.add_name(program, name.c_str());
    if (result.code == 0)
      result.code = nvrtc_.compile(program, static_cast<int>(words.size()), words.data());
    result.log = without_end(bytes(program, nvrtc_.log_size, nvrtc_.log));
    if (result.code == 0) {
      result.ptx = without_end(bytes(program, nvrtc_.ptx_size, nvrtc_.ptx));
      if (architecture.starts_with("sm_")) {
        const std::string cubin = bytes(program, nvrtc_.cubin_size, nvrtc_.cubin);
        result.kernels = labkit::compile::kernels_of_cubin(cubin);
        if (request_.cubin) result.cubin = cubin;
      }
      for (const std::string& name : names) {
        const char* lowered = nullptr;
        if (nvrtc_.lowered(program, name.c_str(), &lowered) == 0 && lowered != nullptr)
          result.lowered[name] = lowered;
      }
    }
    nvrtc_.destroy(&program);
    return result;
  }

 private:
  using Size = int (*)(Nvrtc::Program, std::size_t*);
  using Get = int (*)(Nvrtc::Program, char*);
  static std::string bytes(Nvrtc::Program program, Size size_of, Get get) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0 || size == 0) return {};
    std::string bytes(size, '\0');
    return get(program, bytes.data()) == 0 ? bytes : std::string{};
  }
  /// A text of C's without the zeros that end it.
  static std::string without_end(std::string text) {
    text.erase(text.find_last_not_of('\0') + 1);
    return text;
  }

  const Nvrtc& nvrtc_;
  const WorkerRequest& request_;
  std::vector<const char*> header_names_, header_texts_, option_words_;
};

/// The front end reports want of memory as one more error of the source; errors that it found before stand.
bool is_for_memory(const Attempt& attempt) {
  return attempt.code == kOutOfMemory ||
         (attempt.code == kCompilationError && labkit::compile::ran_out_of_memory(attempt.log));
}

const char* outcome_of(const Attempt& attempt) {
  if (attempt.code == 0) return "ok";
  if (is_for_memory(attempt)) return "memory";
  return attempt.code == kCompilationError ? "rejected" : "internal";
}

constexpr char kAssembler[] = "ptxas";

/// What ptxas complains of first, cut to what is read.
std::string word_of_ptxas(const std::string& log) {
  constexpr std::size_t kMost = 200;
  for (const char* start : {"ptxas error", "ptxas fatal", kAssembler}) {
    std::size_t at = log.find(start);
    if (at == std::string::npos) continue;
    const std::size_t end = std::min(log.find('\n', at), log.size());
    if (const std::size_t colon = log.find(": ", at); colon < end) at = colon + 2;
    return log.substr(at, std::min(kMost, end - at));
  }
  return log.substr(0, kMost);
}

/// Without the lines that begin with ptxas's name: what it says of machine code that nobody runs.
std::string without_ptxas(const std::string& log) {
  std::string rest;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size() - 1) + 1;
    if (log.compare(at, sizeof kAssembler - 1, kAssembler) != 0) rest.append(log, at, end - at);
    at = end;
  }
  return rest;
}

/// As for request["assemble"] where ptxas takes it; PTX and log are as for the virtual architecture.
Attempt attempt_assembled(const Compiler& compiler, const WorkerRequest& request,
                          const std::vector<std::string>& names) {
  if (request.assemble.empty()) return compiler.attempt(names, request.arch);
  Attempt result = compiler.attempt(names, request.assemble);
  if (result.code == 0) {
    result.log = without_ptxas(result.log);
    return result;
  }
  // What the front end rejects, it rejects for any architecture.
  if (result.code == kCompilationError && result.log.find(kAssembler) == std::string::npos)
    return result;
  const std::string why = word_of_ptxas(result.log);
  result = compiler.attempt(names, request.arch);
  result.no_kernels = why;
  return result;
}

void compile(const Nvrtc& nvrtc, const WorkerRequest& request, WorkerResponse& response) {
  now = request.clock;
  current_directory() = request.directory;
  const Compiler compiler(nvrtc, request);
  Attempt whole = attempt_assembled(compiler, request, request.names);
  std::string outcome = outcome_of(whole);
  if (outcome == "rejected" && !request.names.empty() && request.tries_each) {
    // Is it the file or one of the names? A name that cannot be had must not cost the student the
    // others.
    Attempt bare = compiler.attempt({}, request.arch);
    if (bare.code != 0) {
      whole = std::move(bare);
      outcome = outcome_of(whole);
    } else {
      std::vector<std::string> good;
      for (const std::string& name : request.names) {
        Attempt one = compiler.attempt({name}, request.arch);
        if (is_for_memory(one)) {
          response.outcome = "memory";
          response.log = one.log;
          return;
        }
        if (one.code == 0)
          good.push_back(name);
        else
          response.name_logs[name] = one.log;
      }
      whole = attempt_assembled(compiler, request, good);
      outcome = whole.code == 0 ? "missing" : outcome_of(whole);
    }
  }
  if (outcome == "internal") whole.log += std::string(nvrtc.error_string(whole.code)) + "\n";
  response.outcome = outcome;
  response.log = std::move(whole.log);
  response.ptx = std::move(whole.ptx);
  response.cubin = std::move(whole.cubin);
  response.kernels = std::move(whole.kernels);
  response.no_kernels = std::move(whole.no_kernels);
  response.lowered = std::move(whole.lowered);
}

std::vector<int> architectures_of(const Nvrtc& nvrtc) {
  int count = 0;
  if (nvrtc.architecture_count(&count) != 0 || count <= 0)
    throw unusable("it does not tell its architectures");
  std::vector<int> list(static_cast<std::size_t>(count));
  if (nvrtc.architectures(list.data()) != 0) throw unusable("it does not tell its architectures");
  return list;
}

/// All of stdin. No buffers of the C library: in the jail they would only cost calls.
std::string read_all() {
  std::string text(1 << 16, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(2 * text.size());
    const ssize_t got = ::read(0, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unusable(std::string("stdin: ") + std::strerror(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

struct Order {
  std::string library;
  bool only_version = false;
  std::uint64_t memory_bytes = 0;
  bool strict = false;
};

/// argv as compile/protocol.h has it: what must be known before the jail, and nothing of a student's.
Order order_of(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "version")
    return {.library = words[0], .only_version = true};
  if (words.size() == 3 && (words[2] == "strict" || words[2] == "lenient"))
    return {.library = words[0],
            .memory_bytes = std::strtoull(words[1].c_str(), nullptr, 10),
            .strict = words[2] == "strict"};
  throw unusable("labkit-nvrtc is started by the kit, with the words that its protocol.h has");
}

void serve(const Order& order, WorkerResponse& response) {
  const Nvrtc nvrtc{Library(order.library)};
  if (nvrtc.version(&response.major, &response.minor) != 0)
    throw unusable("it does not tell its version");
  if (!order.only_version) load_builtins(order.library, response.major, response.minor);
  response.jail = labkit::process::enter_jail({.more_memory_bytes = order.memory_bytes});
  response.architectures = architectures_of(nvrtc);
  response.refused = order.strict && !response.jail.whole();
  if (order.only_version || response.refused) return;
  compile(nvrtc, json::from_cbor(read_all()).get<WorkerRequest>(), response);
}

}  // namespace

int main(int argc, char** argv) {
  WorkerResponse response;
  fix_surroundings();
  try {
    serve(order_of({argv + 1, argv + argc}), response);
  } catch (const Error& error) {
    response = {};
    response.error = labkit::error_json(error);
  } catch (const std::bad_alloc&) {
    response.outcome = "memory";
  } catch (const std::exception& problem) {
    response = {};
    response.error = labkit::error_json(unusable(problem.what()));
  }
  std::string bytes;
  json::to_cbor(json(response), bytes);
  // Without NVRTC's destructors: the result is out, and they cost time.
  ::_exit(labkit::write_all(1, bytes) ? 0 : 1);
}
