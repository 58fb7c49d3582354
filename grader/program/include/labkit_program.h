// Read before each source that clang compiles as a whole program: what nvcc reads before it.
#pragma once
#define LABKIT_WITH_HOST 1
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <labkit_cuda.h>
#include <cuda_runtime.h>
