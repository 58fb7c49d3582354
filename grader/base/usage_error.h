// What a command line names is not what it must be: no such file, a policy with an unknown key, a file
// that is no archive. An Error in all but its exit code, which is kExitUsage: nothing of ours is broken.
#pragma once
#include <string>
#include <utility>

#include "base/error.h"

namespace labkit {

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message, std::string remedy = {},
                      std::string id = error_id::kUsage)
      : Error(message, std::move(remedy), std::move(id)) {}
};

/// `work()`, whose every Error is about something that the command line names. `remedy`: for errors
/// that have none of their own.
template <typename Work>
decltype(auto) as_usage(Work&& work, const std::string& remedy = {}) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw UsageError(error.what(), error.remedy().empty() ? remedy : error.remedy());
  }
}

}  // namespace labkit
