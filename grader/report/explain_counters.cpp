#include "report/explain_counters.h"

#include "explain/words.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;

struct Meaning {
  const char *metric, *words;
};
/// In the order in which a launch is read: how much was asked for, how much moved, how much of it for nothing.
constexpr Meaning kMeanings[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "Loads from global memory, one for a whole warp."},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "32-byte pieces that those loads touched; 4 a request is 32 floats side by side."},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "Stores to global memory, one for a whole warp."},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "32-byte pieces that those stores touched."},
    {"memory_l2_theoretical_sectors_global", "All sectors of global memory together."},
    {"memory_l2_theoretical_sectors_global_ideal",
     "As many would do if every warp's lanes stood side by side; what is above is excess."},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "Passes over the 32 banks that loads from shared memory took."},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "Passes over the 32 banks that stores to shared memory took."},
    {"memory_l1_wavefronts_shared", "All passes over shared memory together."},
    {"memory_l1_wavefronts_shared_ideal", "As many would do without bank conflicts."},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
     "Passes of loads that only bank conflicts made necessary."},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     "Passes of stores that only bank conflicts made necessary."},
    {"l1tex__t_requests_pipe_lsu_mem_local.sum",
     "Accesses to local memory: arrays or registers that found no room in registers."},
    {"l1tex__t_sectors_pipe_lsu_mem_local.sum", "32-byte pieces that they touched."},
    {"ptx_warp_instructions",
     "Instructions of the PTX that warps issued (no counter of Nsight Compute)."},
    {"ptx_thread_instructions", "The same, counted once for every thread that took part."},
};

}  // namespace

html::Markup counter_table(const observe::LaunchCounters& counters) {
  const observe::Metrics metrics = observe::metrics(counters);
  Markup rows;
  for (const Meaning& meaning : kMeanings) {
    const auto at = metrics.find(meaning.metric);
    if (at == metrics.end() || at->second == 0)
      continue;  // what a kernel does not use is not asked about
    rows +=
        element("tr", {}, element("th", {{"scope", "row"}}, element("code", {}, meaning.metric)),
                element("td", {{"class", "num"}}, explain::number(at->second)),
                element("td", {}, meaning.words));
  }
  if (rows.empty()) return {};
  return element(
      "div", {{"class", "scroll"}},
      element("table", {{"class", "plain counters"}},
              element("thead", {},
                      element("tr", {}, element("th", {{"scope", "col"}}, "Counter"),
                              element("th", {{"scope", "col"}, {"class", "num"}}, "Count"),
                              element("th", {{"scope", "col"}}, "What it says"))),
              element("tbody", {}, rows)));
}

}  // namespace labkit::report
