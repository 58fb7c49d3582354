// Style: 64-bit indices against overflow, one expression each, brace initialisation, ternaries.
// Right: conversion to long long comes before the product; the formula is exact for strides up to 8.
using i64 = long long;

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const i64 i{i64(blockIdx.x) * i64(blockDim.x) + i64(threadIdx.x)};
  const bool mine{i < n};
  if (mine) out[i] = in[i64(offset) + i * i64(stride)];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const i64 c{i64(blockIdx.x) * i64(blockDim.x) + i64(threadIdx.x)};
  if (c < cases) {
    const i64 phase{offset[c] % 8};
    sectors[c] = stride[c] >= 8 ? 32 : int((phase + 31 * i64(stride[c])) / 8 + 1);
  }
}
