// Every row of kernel_counters.csv: the simulator's counters equal what an H200 counted.
#include <gtest/gtest.h>

#include "kernel_rows.h"
#include "observe/counting.h"
#include "run_counted.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

const ptx::Module& module_named(const std::string& name) {
  static std::map<std::string, ptx::Module> modules;
  if (const auto found = modules.find(name); found != modules.end()) return found->second;
  return modules.emplace(name, read_module(name)).first->second;
}

struct Column {
  const char* name;
  const char* metric;
};
constexpr Column kColumns[] = {
    {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"shared_wavefronts_source", "memory_l1_wavefronts_shared"},
    {"shared_wavefronts_ideal", "memory_l1_wavefronts_shared_ideal"},
    {"global_sectors_source", "memory_l2_theoretical_sectors_global"},
    {"global_sectors_ideal", "memory_l2_theoretical_sectors_global_ideal"}};

class KernelCounters : public testing::TestWithParam<KernelRow> {};

void expect_equal(const KernelRow& row, const std::string& module_name) {
  const auto& module = module_named(module_name);
  auto ready = prepare(row, module);
  const auto decoded = simt::decode(module, ready.launch.entry);
  ASSERT_NE(decoded.program, nullptr) << words::render(decoded.refused.front().evidence);
  const auto run = run_counted(*decoded.program, ready.launch, ready.parameters, ready.memory);
  ASSERT_TRUE(run.result.completed) << words::render(run.result.findings.front().evidence);
  const auto counted = metrics(run.counters);
  for (const auto& column : kColumns)
    EXPECT_EQ(counted.at(column.metric), std::stod(row.columns.at(column.name))) << column.name;
}

TEST_P(KernelCounters, EqualWithPtxOf130) { expect_equal(GetParam(), "kernels_nvrtc_13.0.ptx"); }
TEST_P(KernelCounters, EqualWithPtxOf118) { expect_equal(GetParam(), "kernels_nvrtc_11.8.ptx"); }

INSTANTIATE_TEST_SUITE_P(Rows, KernelCounters, testing::ValuesIn(kernel_rows()),
                         [](const auto& info) { return info.param.label(); });

TEST(KernelCounters, TheFileHasAllItsRows) { EXPECT_EQ(kernel_rows().size(), 120u); }

}  // namespace
}  // namespace labkit::observe::test
