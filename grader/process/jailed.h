// A function of this program run in a copy of the process that is in the jail, for parsers of what
// strangers wrote: whatever they do to it, the program itself only gets bytes.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "process/jail.h"

namespace labkit::process {

/// What `work` returns, run in a forked child in `jail`. `doing` is for messages: "reading
/// class.zip". A labkit::Error that `work` throws is thrown here again, with its id and remedy; any other end
/// but its return is a labkit::Error too. The child has this thread only: nothing that `work` calls may
/// wait for another.
std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string()>& work);

/// Says, in the child, what the work is at now; "": nothing that has a share of its own.
using BeginStep = std::function<void(std::string_view step)>;

/// What the parent does meanwhile.
struct StepWatch {
  double cpu_seconds = 0;  ///< share of each step; who takes longer is ended with StepTooLong
  /// A few times a second: how many steps were begun.
  std::function<void(std::size_t steps)> look = {};
};

class StepTooLong : public Error {
 public:
  StepTooLong(const std::string& what, std::string step) : Error(what), step_(std::move(step)) {}
  const std::string& step() const { return step_; }

 private:
  std::string step_;
};

/// The same for work of many steps, of which none may keep the others from their end.
std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string(const BeginStep&)>& work,
                        const StepWatch& watch);

}  // namespace labkit::process
