// Directives spelled as operators.
_Pragma("include_alias(\"cstdio\", \"/etc/passwd\")") _Pragma("GCC dependency \"/etc/passwd\"")
#pragma GCC system_header
#pragma once
#include <cstdio>
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
