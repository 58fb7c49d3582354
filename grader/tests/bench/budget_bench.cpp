// What kinds of instructions cost the host, beside what the simulator charges a budget for them (simt/limits.h): the source
// of the weights there. Each row runs one kind of instruction, 16 to a loop, under one watcher:
//   plain     nobody watches
//   graded    counters and the time model's trace, as for a launch that is graded
//   checked   the quick look of the sanitizers, as for a test of correctness
//   closely   the sanitizers themselves
// Counters of a row: ns a warp instruction, times fma.rn.f32 under the same watcher, units of budget (a plain
// instruction's cost, 32, is one), ns a unit. Usage: budget_bench [--benchmark_filter=graded/]; LABKIT_SIMD picks the
// target of the simulator.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "observe/checks.h"
#include "observe/counting.h"
#include "observe/suspicion.h"
#include "simt/both_observers.h"
#include "simt/machine.h"
#include "timing/locality.h"
#include "words/render.h"

namespace {

using namespace labkit;

struct Kind {
  std::string name;
  std::string body;       ///< one instruction, or what stands for it
  std::string before{};   ///< once, before the loop
  std::string globals{};  ///< before the kernel
  std::uint32_t block = 256;
  int per_loop = 16;
};

constexpr std::uint64_t kBufferBytes = 64ull << 20;

/// %r0 tid.x, %r1 the loop's counter, %r2 its end; %d0 a buffer, %d1 this thread's element of it; %r10.. free.
std::string text_of(const Kind& kind, int turns) {
  std::string text =
      ".version 7.8\n.target sm_90\n.address_size 64\n" + kind.globals +
      "\n.visible .entry k(.param .u64 p0)\n{\n"
      ".reg .b32 %r<64>; .reg .b64 %d<64>; .reg .f32 %f<64>; .reg .f64 %g<64>; .reg "
      ".pred %p<32>; .reg .b16 %h<32>;\n"
      ".local .align 8 .b8 mine[1024];\n.shared .align 8 .b8 tile[16384];\n"
      "ld.param.u64 %d0, [p0];\nmov.u32 %r0, %tid.x;\nmov.u32 %r3, %ctaid.x;\n"
      "mov.u32 %r4, %ntid.x;\nmad.lo.u32 %r5, %r3, %r4, %r0;\n"
      "mul.wide.u32 %d1, %r5, 4;\nadd.s64 %d1, %d1, %d0;\n"
      "mov.u32 %r1, 0;\nmov.u32 %r2, " +
      std::to_string(turns) +
      ";\nmul.lo.u32 %r6, %r5, 2654435761;\nshr.u32 %r7, %r6, 6;\nand.b32 %r7, %r7, 16777212;\n"
      "cvt.u64.u32 %d2, %r7;\nadd.s64 %d3, %d2, %d0;\n"
      "shl.b32 %r8, %r0, 2;\nmov.f32 %f0, 0f3F800001;\nmov.f32 %f1, 0f3F800003;\n"
      "mov.f64 %g0, 0d3FF0000000000001;\nmov.f64 %g1, 0d3FF0000000000003;\n"
      "mov.b16 %h0, 15361;\nmov.b16 %h1, 15363;\nmov.u32 %r10, 1006648321;\n"
      "mov.u64 %d10, 1234567890123;\nmov.u64 %d11, 987654321;\n" +
      kind.before + "\nLOOP:\n";
  for (int n = 0; n < kind.per_loop; ++n) {
    std::string body = kind.body;
    for (std::size_t at; (at = body.find('#')) != std::string::npos;)
      body.replace(at, 1, std::to_string(n));
    text += body + "\n";
  }
  return text + "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, %r2;\n@%p0 bra LOOP;\nret;\n}\n";
}

std::vector<Kind> kinds() {
  std::vector<Kind> all = {
      {"fma.rn.f32", "fma.rn.f32 %f2, %f0, %f1, %f2;"},
      {"add.u32", "add.u32 %r11, %r11, %r0;"},
      {"mov.u32", "mov.u32 %r11, %r0;"},
      {"setp.u32", "setp.lt.u32 %p2, %r0, %r1;"},
      {"selp.u32", "selp.u32 %r11, %r0, %r1, %p2;"},
      {"mul.lo.u64", "mul.lo.u64 %d12, %d10, %d11;"},
      {"mul.hi.u64", "mul.hi.u64 %d12, %d10, %d11;"},
      {"div.u32", "div.u32 %r11, %r6, %r4;"},
      {"rem.u32", "rem.u32 %r11, %r6, %r4;"},
      {"div.u64", "div.u64 %d12, %d10, %d11;"},
      {"rem.s64", "rem.s64 %d12, %d10, %d11;"},
      {"sad.u64", "sad.u64 %d12, %d10, %d11, %d12;"},
      {"bfe.u32", "bfe.u32 %r11, %r6, %r0, %r4;"},
      {"bfi.b64", "bfi.b64 %d12, %d10, %d11, %r0, %r4;"},
      {"prmt", "prmt.b32 %r11, %r6, %r0, %r4;"},
      {"brev.b64", "brev.b64 %d12, %d10;"},
      {"clz.b64", "clz.b64 %r11, %d10;"},
      {"popc.b64", "popc.b64 %r11, %d10;"},
      {"fns", "fns.b32 %r11, %r6, 3, 5;"},
      {"dp4a", "dp4a.u32.u32 %r11, %r6, %r4, %r0;"},
      {"add.cc", "add.cc.u32 %r11, %r6, %r4;"},
      {"madc", "madc.hi.cc.u64 %d12, %d10, %d11, %d10;"},
      {"div.rn.f32", "div.rn.f32 %f2, %f0, %f1;"},
      {"sqrt.rn.f32", "sqrt.rn.f32 %f2, %f0;"},
      {"div.rz.f32", "div.rz.f32 %f2, %f0, %f1;"},
      {"fma.rz.f32", "fma.rz.f32 %f2, %f0, %f1, %f0;"},
      {"add.rp.f32", "add.rp.f32 %f2, %f0, %f1;"},
      {"sin", "sin.approx.f32 %f2, %f0;"},
      {"ex2", "ex2.approx.f32 %f2, %f0;"},
      {"lg2", "lg2.approx.f32 %f2, %f0;"},
      {"tanh", "tanh.approx.f32 %f2, %f0;"},
      {"rsqrt", "rsqrt.approx.f32 %f2, %f0;"},
      {"fma.rn.f64", "fma.rn.f64 %g2, %g0, %g1, %g0;"},
      {"add.rn.f64", "add.rn.f64 %g2, %g0, %g1;"},
      {"fma.rz.f64", "fma.rz.f64 %g2, %g0, %g1, %g0;"},
      {"div.rn.f64", "div.rn.f64 %g2, %g0, %g1;"},
      {"div.rz.f64", "div.rz.f64 %g2, %g0, %g1;"},
      {"sqrt.rn.f64", "sqrt.rn.f64 %g2, %g0;"},
      {"sqrt.rp.f64", "sqrt.rp.f64 %g2, %g0;"},
      {"rcp.rn.f64", "rcp.rn.f64 %g2, %g0;"},
      {"rcp.approx.f64", "rcp.approx.ftz.f64 %g2, %g0;"},
      {"rsqrt.f64", "rsqrt.approx.f64 %g2, %g0;"},
      {"min.f64", "min.f64 %g2, %g0, %g1;"},
      {"add.f16", "add.f16 %h2, %h0, %h1;"},
      {"fma.f16x2", "fma.rn.f16x2 %r11, %r10, %r10, %r10;"},
      {"fma.bf16x2", "fma.rn.bf16x2 %r11, %r10, %r10, %r10;"},
      {"tanh.f16x2", "tanh.approx.f16x2 %r11, %r10;"},
      {"min.f16x2", "min.f16x2 %r11, %r10, %r10;"},
      {"setp.f16x2", "setp.lt.f16x2 %p2|%p3, %r10, %r10;"},
      {"cvt.f16.f64", "cvt.rn.f16.f64 %h2, %g0;"},
      {"cvt.f32.f64", "cvt.rn.f32.f64 %f2, %g0;"},
      {"cvt.rz.f32.f64", "cvt.rz.f32.f64 %f2, %g0;"},
      {"cvt.u64.f64", "cvt.rzi.u64.f64 %d12, %g0;"},
      {"cvt.f64.u64", "cvt.rn.f64.u64 %g2, %d10;"},
      {"cvt.rp.f32.u64", "cvt.rp.f32.u64 %f2, %d10;"},
      {"cvt.s8.f32", "cvt.rni.sat.s8.f32 %r11, %f0;"},
      {"pack", "mov.b64 %d12, {%r0, %r1};"},
      {"unpack", "mov.b64 {%r11, %r12}, %d10;"},
      {"isspacep", "isspacep.shared %p2, %d0;"},
      {"clock", "mov.u32 %r11, %clock;"},
      {"guarded off", "@%p5 add.u32 %r11, %r11, %r0;", "setp.ne.u32 %p5, %r0, %r0;"},
      {"masked add", "@%p5 add.u32 %r11, %r11, %r0;",
       "and.b32 %r13, %r0, 1; setp.ne.u32 %p5, %r13, 0;"},
      {"masked div.f64", "@%p5 div.rn.f64 %g2, %g0, %g1;",
       "and.b32 %r13, %r0, 31; setp.eq.u32 %p5, %r13, 0;"},
      {"jump", "bra.uni J#;\nJ#:"},
      {"branch together",
       "@%p5 bra J#;\nadd.u32 %r11, %r11, 1;\nJ#:", "setp.ne.u32 %p5, %r0, %r0;"},
      {"branch apart", "@%p5 bra J#;\nadd.u32 %r11, %r11, 1;\nJ#:",
       "and.b32 %r13, %r0, 1; setp.ne.u32 %p5, %r13, 0;"},
      {"ld.global", "ld.global.u32 %r11, [%d1];"},
      {"ld.global.v4", "ld.global.v4.u32 {%r11,%r12,%r13,%r14}, [%d4];",
       "mul.wide.u32 %d4, %r5, 16; add.s64 %d4, %d4, %d0;"},
      {"ld.global.u8", "ld.global.u8 %r11, [%d1];"},
      {"ld.global scattered", "ld.global.u32 %r11, [%d3];"},
      {"ld.global hopping",
       "mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 6;\nand.b32 %r7, %r7, "
       "16777212;\ncvt.u64.u32 %d2, %r7;\nadd.s64 %d3, %d2, %d0;\nld.global.u32 %r11, [%d3];"},
      {"st.global", "st.global.u32 [%d1], %r0;"},
      {"st.global scattered", "st.global.u32 [%d3], %r0;"},
      {"st.global hopping",
       "mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 6;\nand.b32 %r7, %r7, "
       "16777212;\ncvt.u64.u32 %d2, %r7;\nadd.s64 %d3, %d2, %d0;\nst.global.u32 [%d3], %r0;"},
      {"ld generic", "ld.u32 %r11, [%d1];"},
      {"ld generic scattered", "ld.u32 %r11, [%d3];"},
      {"st generic", "st.u32 [%d1], %r0;"},
      {"ld.shared", "ld.shared.u32 %r11, [%r8];"},
      {"ld.shared hopping",
       "mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 8;\nand.b32 %r7, %r7, "
       "16380;\nld.shared.u32 %r11, [%r7];",
       "st.shared.u32 [%r8], %r0;"},
      {"st.shared", "st.shared.u32 [%r8], %r0;"},
      {"ld.local", "ld.local.u32 %r11, [mine];", "st.local.u32 [mine], %r0;"},
      {"ld.local.f64 apart", "ld.local.f64 %g2, [%r9];",
       "and.b32 %r9, %r0, 31; shl.b32 %r9, %r9, 3; st.local.f64 [%r9], %g0;"},
      {"st.local", "st.local.u32 [mine], %r0;"},
      {"st.local.v4", "st.local.v4.u32 [mine], {%r0, %r0, %r0, %r0};"},
      {"atom one", "atom.global.add.u32 %r11, [%d0], 1;"},
      {"red one", "red.global.add.u32 [%d0], 1;"},
      {"red scattered", "red.global.add.u32 [%d3], 1;"},
      {"red hopping",
       "mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 6;\nand.b32 %r7, %r7, "
       "16777212;\ncvt.u64.u32 %d2, %r7;\nadd.s64 %d3, %d2, %d0;\nred.global.add.u32 [%d3], 1;"},
      {"atom.f64", "atom.global.add.f64 %g2, [%d0], %g0;"},
      {"atom.cas", "atom.global.cas.b32 %r11, [%d1], %r0, %r4;"},
      {"atom.shared one", "atom.shared.add.u32 %r11, [tile], 1;"},
      {"atom generic", "atom.add.u32 %r11, [%d1], 1;"},
      {"cp.async", "cp.async.ca.shared.global [%r8], [%d1], 4;"},
      {"cp.async group",
       "cp.async.ca.shared.global [%r8], [%d1], 4;\ncp.async.commit_group;\ncp.async.wait_group "
       "0;"},
      {"shfl", "shfl.sync.bfly.b32 %r11, %r0, 1, 31, -1;"},
      {"vote", "vote.sync.ballot.b32 %r11, %p2, -1;", "setp.ne.u32 %p2, %r0, 3;"},
      {"match.any", "match.any.sync.b32 %r11, %r0, -1;"},
      {"match.all.b64", "match.all.sync.b64 %r11, %d1, -1;"},
      {"redux", "redux.sync.add.s32 %r11, %r0, -1;"},
      {"bar.warp", "bar.warp.sync -1;"},
      {"elect", "elect.sync %r11|%p2, -1;"},
      {"activemask", "activemask.b32 %r11;"},
      {"shfl half", "@%p5 shfl.sync.bfly.b32 %r11, %r0, 1, 31, 65535;",
       "and.b32 %r13, %r0, 31; setp.lt.u32 %p5, %r13, 16;"},
      {"bar.sync", "bar.sync 0;"},
      {"bar.sync of 32 warps", "bar.sync 0;", "", "", 1024},
      {"bar.red", "bar.red.popc.u32 %r11, 0, %p2;", "setp.ne.u32 %p2, %r0, 3;"},
      {"membar", "membar.gl;"},
      {"nanosleep", "nanosleep.u32 1;"},
      {"call",
       "{\n.param .b32 a; .param .b32 r;\nst.param.b32 [a], %r0;\ncall.uni (r), f, (a);\n"
       "ld.param.b32 %r11, [r];\n}",
       "",
       ".func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<3>;\nld.param.b32 %r1, "
       "[a];\nadd.u32 "
       "%r2, %r1, 1;\nst.param.b32 [r], %r2;\nret;\n}"},
      {"recursion", "{\n.param .b32 a;\nst.param.b32 [a], %r20;\ncall.uni f, (a);\n}",
       "mov.u32 %r20, 8;",
       ".func f(.param .b32 a);\n.func f(.param .b32 a)\n{\n.reg .b32 %r<40>; .reg .pred %p<2>;\n"
       "ld.param.b32 %r1, [a];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra OUT;\nadd.u32 %r2, %r1, "
       "-1;\n{\n.param "
       ".b32 b;\nst.param.b32 [b], %r2;\ncall.uni f, (b);\n}\nOUT:\nret;\n}"},
  };
  return all;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

enum class Watch : std::uint8_t { plain, graded, checked, closely };

struct Measured {
  double seconds = 0;
  simt::RunResult result;
};

Measured measure(const Kind& kind, Watch watch, int turns, std::string& trouble) {
  auto parsed = ptx::parse(text_of(kind, turns));
  if (!parsed.module) {
    trouble = parsed.error.message + " at " + std::to_string(parsed.error.ptx_line);
    return {};
  }
  const auto decoded = simt::decode(*parsed.module, "k");
  if (!decoded.program) {
    trouble = words::render(decoded.refused.front().evidence);
    return {};
  }
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.block = {kind.block, 1, 1};
  launch.grid = {16, 1, 1};
  simt::Memory memory;
  const std::uint64_t address = memory.allocate("buffer", std::vector<std::byte>(kBufferBytes));
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &address, 8);
  simt::RunOptions options;
  options.threads = 1;
  if (const char* simd = std::getenv("LABKIT_SIMD")) options.simd = simd;
  Measured made;
  const double before = processor_seconds();
  switch (watch) {
    case Watch::plain:
      made.result = simt::run(*decoded.program, launch, parameters, memory, nullptr, options);
      break;
    case Watch::graded: {
      observe::Counting counting(*decoded.program);
      timing::LocalityFactory following({.launch_blocks = launch.grid.count()});
      simt::BothObservers both(counting, following);
      made.result = simt::run(*decoded.program, launch, parameters, memory, &both, options);
      break;
    }
    case Watch::checked: {  // the quick look alone, following all reads
      observe::Suspicion suspicion(*decoded.program, launch, memory, true);
      made.result = simt::run(*decoded.program, launch, parameters, memory, &suspicion, options);
      break;
    }
    case Watch::closely:
      made.result =
          observe::look_closely(*decoded.program, launch, parameters, memory, options).result;
  }
  made.seconds = processor_seconds() - before;
  if (!made.result.completed)
    trouble =
        made.result.findings.empty() ? "?" : words::render(made.result.findings.front().evidence);
  return made;
}

std::map<Watch, double> g_fma_ns;

/// The difference of a long and a short run, so that what a launch costs by itself drops out.
void run_kind(benchmark::State& state, const Kind& kind, Watch watch) {
  for (auto _ : state) {
    std::string trouble;
    const int few = watch == Watch::closely ? 4 : 16, many = 4 * few;
    const Measured a = measure(kind, watch, few, trouble), b = measure(kind, watch, many, trouble);
    if (!trouble.empty()) return state.SkipWithError(trouble.c_str());
    const double ns = (b.seconds - a.seconds) * 1e9;
    const auto instructions =
        static_cast<double>(b.result.warp_instructions - a.result.warp_instructions);
    const auto units = static_cast<double>(b.result.cost - a.result.cost) / 32;
    if (kind.name == "fma.rn.f32") g_fma_ns[watch] = ns / instructions;
    state.counters["ns"] = ns / instructions;
    state.counters["times_fma"] = ns / instructions / g_fma_ns[watch];
    state.counters["units"] = units / instructions;
    state.counters["ns_a_unit"] = ns / units;
    state.SetIterationTime(b.seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [name, watch] :
       {std::pair("plain/", Watch::plain), std::pair("graded/", Watch::graded),
        std::pair("checked/", Watch::checked), std::pair("closely/", Watch::closely)})
    for (const Kind& kind : kinds())
      benchmark::RegisterBenchmark((name + kind.name).c_str(), run_kind, kind, watch)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
