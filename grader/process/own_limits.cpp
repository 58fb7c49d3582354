#include "process/own_limits.h"

#include <sys/resource.h>

namespace labkit::process {

#if defined(__SANITIZE_ADDRESS__)
#define LABKIT_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LABKIT_HAS_ASAN 1
#endif
#endif

bool limit_own_memory(std::uint64_t bytes) {
#ifdef LABKIT_HAS_ASAN
  (void)bytes;
  return false;
#else
  struct rlimit now {};
  if (::getrlimit(RLIMIT_DATA, &now) != 0) return false;
  if (now.rlim_cur != RLIM_INFINITY && now.rlim_cur <= bytes) return false;
  now.rlim_cur = bytes;
  return ::setrlimit(RLIMIT_DATA, &now) == 0;
#endif
}

}  // namespace labkit::process
