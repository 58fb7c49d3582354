// A function of this program run in a copy of the process that is in the jail, for parsers of what
// strangers wrote: whatever they do to it, the program itself only gets bytes.
#pragma once
#include <functional>
#include <string>

#include "process/jail.h"

namespace labkit::process {

/// What `work` returns, run in a forked child in `jail`. `doing` is for messages: "reading
/// class.zip". A labkit::Error that `work` throws is thrown here again, with its id and remedy; any other end
/// but its return is a labkit::Error too. The child has this thread only: nothing that `work` calls may
/// wait for another.
std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string()>& work);

}  // namespace labkit::process
