#!/usr/bin/env python3
"""What PTX instructions cost on the GPU of this machine, as ptxas of the toolkit here makes them: writes a CUDA program, runs it, and prints
instruction,latency_cycles,issue_slots. Latency: of one that needs the result of the one before, one warp alone. Issue slots: what one
takes of an SM's four schedulers when 32 warps each have eight chains of it under way; 1 is what an instruction costs that only has to be issued.
Less the loop around them, which is measured, too.

  python3 grader/tests/h200/instruction_costs.py > grader/tests/h200/instruction_costs.csv
"""
import subprocess, sys, tempfile, pathlib

F, D, U, L = ("float", "f"), ("double", "d"), ("unsigned", "r"), ("unsigned long long", "l")
ONE, TWO, THREE = "%0, %1;", "%0, %1, %2;", "%0, %1, %2, %1;"
OPS = []  # name, type, asm with %0 the result, %1 the result before and %2 a number that stays


def add(names, type_, operands):
    for name in names.split():
        OPS.append((name, type_, f"{name} {operands}"))


add("add.f32 mul.f32 min.f32 max.f32", F, TWO)
add("fma.rn.f32", F, THREE)
add("ex2.approx.f32 ex2.approx.ftz.f32 lg2.approx.f32 lg2.approx.ftz.f32 sin.approx.f32 cos.approx.f32 tanh.approx.f32", F, ONE)
add("rcp.approx.f32 rcp.approx.ftz.f32 rcp.rn.f32 rsqrt.approx.f32 rsqrt.approx.ftz.f32 sqrt.approx.f32 sqrt.approx.ftz.f32 sqrt.rn.f32", F, ONE)
add("cvt.rni.f32.f32 abs.f32 neg.f32", F, ONE)
for name in ("div.approx.f32", "div.full.f32", "div.rn.f32"):
    OPS.append((name, F, f"{name} %0, %2, %1;"))
add("add.f64 mul.f64 min.f64", D, TWO)
add("fma.rn.f64", D, THREE)
add("rcp.approx.ftz.f64 rcp.rn.f64 rsqrt.approx.f64 sqrt.rn.f64 abs.f64 neg.f64 cvt.rni.f64.f64", D, ONE)
OPS.append(("div.rn.f64", D, "div.rn.f64 %0, %2, %1;"))
add("add.u32 sub.u32 mul.lo.u32 mul.hi.u32 mul24.lo.u32 min.u32 max.s32 and.b32 xor.b32 shl.b32 shr.u32 shr.s32", U, TWO)
add("popc.b32 clz.b32 brev.b32 bfind.u32 not.b32 abs.s32", U, ONE)
OPS.append(("mad.lo.u32", U, "mad.lo.u32 " + THREE))
OPS.append(("mad.hi.u32", U, "mad.hi.u32 " + THREE))
OPS.append(("prmt.b32", U, "prmt.b32 %0, %1, %2, 0x1250;"))
OPS.append(("shf.l.wrap.b32", U, "shf.l.wrap.b32 %0, %1, %2, 7;"))
OPS.append(("lop3.b32", U, "lop3.b32 %0, %1, %2, %1, 0x6a;"))
OPS.append(("bfe.u32", U, "bfe.u32 %0, %1, 3, 20;"))
OPS.append(("bfi.b32", U, "bfi.b32 %0, %1, %2, 3, 20;"))
OPS.append(("dp4a.u32.u32", U, "dp4a.u32.u32 %0, %1, %2, %1;"))
for name in ("div.u32", "div.s32", "rem.u32", "rem.s32"):
    OPS.append((name, U, f"{name} %0, %2, %1;"))
add("add.u64 sub.u64 mul.lo.u64 mul.hi.u64 min.u64 and.b64 xor.b64", L, TWO)
OPS.append(("mad.lo.u64", L, "mad.lo.u64 " + THREE))
for name in ("shl.b64", "shr.u64", "shr.s64"):
    OPS.append((name, L, "{ .reg .u32 t; cvt.u32.u64 t, %2; " + name + " %0, %1, t; }"))
for name in ("div.u64", "div.s64", "rem.u64", "rem.s64"):
    OPS.append((name, L, f"{name} %0, %2, %1;"))
OPS.append(("popc.b64", L, "{ .reg .u32 t; popc.b64 t, %1; cvt.u64.u32 %0, t; }"))
OPS.append(("clz.b64", L, "{ .reg .u32 t; clz.b64 t, %1; cvt.u64.u32 %0, t; }"))
OPS.append(("brev.b64", L, "brev.b64 %0, %1;"))
OPS.append(("mul.wide.u32", L, "{ .reg .u32 t, u; cvt.u32.u64 t, %1; cvt.u32.u64 u, %2; mul.wide.u32 %0, t, u; }"))
OPS.append(("mad.wide.u32", L, "{ .reg .u32 t, u; cvt.u32.u64 t, %1; cvt.u32.u64 u, %2; mad.wide.u32 %0, t, u, %1; }"))
# pairs, there and back
OPS.append(("cvt.rn.f32.s32+cvt.rzi.s32.f32", U, "{ .reg .f32 t; cvt.rn.f32.s32 t, %1; cvt.rzi.s32.f32 %0, t; }"))
OPS.append(("cvt.rn.f32.u64+cvt.rzi.u64.f32", L, "{ .reg .f32 t; cvt.rn.f32.u64 t, %1; cvt.rzi.u64.f32 %0, t; }"))
OPS.append(("cvt.f64.f32+cvt.rn.f32.f64", F, "{ .reg .f64 t; cvt.f64.f32 t, %1; cvt.rn.f32.f64 %0, t; }"))
OPS.append(("cvt.rn.f64.s32+cvt.rzi.s32.f64", U, "{ .reg .f64 t; cvt.rn.f64.s32 t, %1; cvt.rzi.s32.f64 %0, t; }"))
OPS.append(("cvt.rn.f16.f32+cvt.f32.f16", F, "{ .reg .b16 t; cvt.rn.f16.f32 t, %1; cvt.f32.f16 %0, t; }"))
OPS.append(("cvt.s64.s32+cvt.u32.u64", U, "{ .reg .s64 t; cvt.s64.s32 t, %1; cvt.u32.u64 %0, t; }"))
OPS.append(("setp.lt.f32+selp.f32", F, "{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.f32 %0, %2, %1, p; }"))
OPS.append(("setp.lt.s32+selp.b32", U, "{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.b32 %0, %2, %1, p; }"))
OPS.append(("setp.lt.s64+selp.b64", L, "{ .reg .pred p; setp.lt.s64 p, %1, %2; selp.b64 %0, %2, %1, p; }"))
OPS.append(("setp.lt.f64+selp.f64", D, "{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %2, %1, p; }"))
OPS.append(("shfl.sync.bfly.b32", U, "shfl.sync.bfly.b32 %0, %1, 1, 31, -1;"))
OPS.append(("fma.rn.f16x2", U, "fma.rn.f16x2 %0, %1, %2, %1;"))

PROGRAM = """#include <cstdio>
constexpr int kTurns = 16, kChains = 8, kUnrolled = 16;
template <typename Op, typename T, int Chains>
__global__ void run(T* out, T seed, T other, long long* cycles) {
  T x[Chains];
  for (int i = 0; i < Chains; ++i) x[i] = seed + (T)i;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int turn = 0; turn < kTurns; ++turn)
#pragma unroll
    for (int u = 0; u < kUnrolled; ++u)
#pragma unroll
      for (int i = 0; i < Chains; ++i) x[i] = Op::once(x[i], other);
  __syncthreads();
  const long long end = clock64();
  T sum = 0;
  for (int i = 0; i < Chains; ++i) sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
template <typename Op, typename T, int Chains>
double cycles(int threads, T seed, T other) {
  T* out;
  long long* taken;
  cudaMalloc(&out, 1024 * sizeof(T));
  cudaMallocManaged(&taken, sizeof(long long));
  double least = 1e30;
  for (int i = 0; i < 5; ++i) {
    run<Op, T, Chains><<<1, threads>>>(out, seed, other, taken);
    if (cudaDeviceSynchronize() != cudaSuccess) { std::fprintf(stderr, "%s\\n", cudaGetErrorString(cudaGetLastError())); return -1; }
    least = *taken < least ? *taken : least;
  }
  cudaFree(out);
  cudaFree(taken);
  return least;
}
template <typename T>
struct Nothing { static __device__ T once(T x, T) { return x; } };
template <typename Op, typename T>
void measure(const char* name, T seed, T other) {
  const double empty = cycles<Nothing<T>, T, 1>(32, seed, other), empty_full = cycles<Nothing<T>, T, kChains>(1024, seed, other);
  const double one = cycles<Op, T, 1>(32, seed, other), full = cycles<Op, T, kChains>(1024, seed, other);
  const double count = kTurns * kUnrolled;
  std::printf("%s,%.2f,%.2f\\n", name, (one - empty) / count, 4 * (full - empty_full) / (count * kChains * 32));
  std::fflush(stdout);
}
"""


def main():
    text, calls = PROGRAM, ""
    for i, (name, (type_, letter), asm) in enumerate(OPS):
        text += f'struct Op{i} {{ static __device__ {type_} once({type_} x, {type_} y) {{ {type_} r; asm volatile("{asm}" : "={letter}"(r) : "{letter}"(x), "{letter}"(y)); return r; }} }};\n'
        seed, other = ("1.5", "2.7") if type_ in ("float", "double") else ("1234567", "987654321")
        calls += f'  measure<Op{i}, {type_}>("{name}", {seed}, {other});\n'
    text += "int main() {\n" + calls + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "instruction_costs.cu"
        file.write_text(text)
        subprocess.run(["nvcc", "-arch=sm_90", "-O3", "-o", folder + "/program", str(file)], check=True)
        sys.stdout.write("instruction,latency_cycles,issue_slots\n" + subprocess.run([folder + "/program"], check=True, capture_output=True, text=True).stdout)


main()
