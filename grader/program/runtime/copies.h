// Copies between places in memory, whose rows may lie apart: what all functions that copy come down to.
#pragma once
#include "program/include/cuda_runtime_api.h"
#include "program/protocol.h"

namespace labkit::program {

/// `name`: the function that the program called, which does not wait for streams other than its own.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 const char* name, cudaStream_t stream = nullptr);
/// Of `rows` what is said of the place that is filled.
cudaError_t fill(void* to, int value, const Rows& rows, const char* name,
                 cudaStream_t stream = nullptr);

}  // namespace labkit::program
