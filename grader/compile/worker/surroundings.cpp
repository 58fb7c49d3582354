// How: NVRTC takes time() and getcwd() from the C library, as dynamic symbols (`nm -D`), and for those
// the loader looks into the executable first. So it gets the ones below, which room.cmake exports.
// Measured on 11.8, 12.0 and 13.0: __DATE__ and __TIME__ come from time() and ctime(), which asks for
// TZ; the PTX of two runs a second apart is the same with this, and differs without.
//
// Why not by an option: `-D__TIME__=...` is refused ("invalid macro definition"), SOURCE_DATE_EPOCH is
// ignored by all three, and a scan of the text does not see `__TI##ME__`. __TIMESTAMP__ and __COUNTER__
// are not known to NVRTC. __FILE__ and __BASE_FILE__ are the name that the job gives; the folder before
// it is in the line table only.
#include "compile/worker/surroundings.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace labkit::compile {
namespace {

// Constants first: NVRTC's own start may ask before there is a job.
std::time_t now = 0;
std::string& current_directory() {
  static std::string directory = "/";
  return directory;
}

}  // namespace

void fix_surroundings() {
  // The only two names of the environment that decide a text; the worker is started with none.
  ::setenv("TZ", "UTC0", 1);
  ::setenv("LC_ALL", "C", 1);
  ::tzset();
}

void set_surroundings(std::int64_t clock, const std::string& directory) {
  now = static_cast<std::time_t>(clock);
  current_directory() = directory;
}

}  // namespace labkit::compile

// No header declares what is defined here otherwise than the C library does; exceptions are not thrown.
extern "C" {

time_t time(time_t* out) noexcept {
  if (out != nullptr) *out = labkit::compile::now;
  return labkit::compile::now;
}

int gettimeofday(timeval* out, void*) noexcept {
  *out = {.tv_sec = labkit::compile::now, .tv_usec = 0};
  return 0;
}

int clock_gettime(clockid_t which, timespec* out) noexcept {
  // Those that only measure how long something takes go on: a wait with an end must come to it.
  if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)
    return static_cast<int>(::syscall(SYS_clock_gettime, which, out));
  *out = {.tv_sec = labkit::compile::now, .tv_nsec = 0};
  return 0;
}

char* getcwd(char* buffer, std::size_t size) noexcept {
  const std::string& directory = labkit::compile::current_directory();
  if (buffer == nullptr) return ::strdup(directory.c_str());
  if (directory.size() >= size) {
    errno = ERANGE;
    return nullptr;
  }
  std::memcpy(buffer, directory.c_str(), directory.size() + 1);
  return buffer;
}

}  // extern "C"
