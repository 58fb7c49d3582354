// What a command line names is not what it must be: no such file, a policy with an unknown key, a file
// that is no archive. An Error in all but its exit code, which is kExitUsage: nothing of ours is broken.
#pragma once
#include <string>
#include <utility>

#include "base/error.h"

namespace labkit {

class UsageError : public Error {
 public:
  using Error::Error;
};

/// `work()`, whose every Error is about something that the command line names. `mend`: where it has
/// none of its own.
template <typename Work>
decltype(auto) as_usage(Work&& work, const std::string& mend = {}) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw UsageError(error.what(), error.mend().empty() ? mend : error.mend());
  }
}

}  // namespace labkit
