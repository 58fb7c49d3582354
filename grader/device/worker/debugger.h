#pragma once

namespace labkit::device::cuda {

/// Does a debugger hold this process?
bool is_debugged();

/// If kDebuggerVariable is set, waits until one does; any process of the user may then be it.
void wait_for_debugger();

}  // namespace labkit::device::cuda
