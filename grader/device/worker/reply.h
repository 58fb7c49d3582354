#pragma once
#include "device/cuda_protocol.h"

namespace labkit::device::cuda {

/// Writes the whole reply; ends the process if nobody reads any more.
void send(int fd, const Reply& reply);

}  // namespace labkit::device::cuda
