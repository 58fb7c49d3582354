// Predicted against measured times, one H200: of data/kernel_times.csv, to which the model was fitted, and of
// data/other_times.csv, on which it is tested. By family: mean absolute error of the time (MAPE) and of the ratio to the
// family's copy, Kendall's tau over the pairs measured more than 3% apart, and of those 10% apart how many are predicted
// the wrong way round.
//   timing_fidelity [--only fit|test] [--kept FILE] [--profile FILE.toml] [--brief] [--pairs] [--registers] [--seed N] [FAMILY...]
// FAMILY: the beginning of a name. --kept: observations.h. --brief: no rows. --pairs: which are predicted the wrong way round.
// --seed: that the blocks looked at are drawn from. --registers: nothing of that, but each kernel's registers as ptxas counts them and as they are estimated without it.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "observations.h"

using namespace labkit::timing;

namespace {

struct Score {
  double error = 0, ratio_error = 0, tau = 1;
  int rows = 0, ratios = 0, apart = 0, wrong = 0;
};

/// The copy of the family that its kernels are held against: the first whose name begins so.
const Predicted* copy_of(const std::vector<Predicted>& family) {
  for (const char* name : {"copy_linear256", "linear256", "copy_256", "offset_0", "stride_1",
                           "copy_float4", "offset0"})
    for (const Predicted& p : family)
      if (p.of.kernel == name) return &p;
  return nullptr;
}

Score score(const std::vector<Predicted>& all, bool tells_pairs) {
  Score s;
  int pairs = 0, concordant = 0;
  const Predicted* copy = copy_of(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double off = all[i].prediction.time_us / all[i].of.measured_us;
    s.error += std::abs(off - 1);
    ++s.rows;
    if (copy && copy != &all[i]) {
      s.ratio_error += std::abs(copy->prediction.time_us / copy->of.measured_us / off - 1);
      ++s.ratios;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const double measured = all[i].of.measured_us / all[j].of.measured_us;
      const bool agree = (measured > 1) == (all[i].prediction.time_us > all[j].prediction.time_us);
      if (measured > 1.03 || measured < 1 / 1.03) {
        ++pairs;
        concordant += agree ? 1 : -1;
        if (!agree && tells_pairs)
          std::printf("  %s %s, %s: measured %.1f, %.1f us, predicted %.1f, %.1f us\n",
                      all[i].of.family.c_str(), all[i].of.kernel.c_str(), all[j].of.kernel.c_str(),
                      all[i].of.measured_us, all[j].of.measured_us, all[i].prediction.time_us,
                      all[j].prediction.time_us);
      }
      if (measured > 1.1 || measured < 1 / 1.1) {
        ++s.apart;
        s.wrong += agree ? 0 : 1;
      }
    }
  }
  if (pairs) s.tau = static_cast<double>(concordant) / pairs;
  return s;
}

void print(const std::string& name, const Score& s) {
  std::printf("%-26s %4d %7.1f%%", name.c_str(), s.rows, s.error / s.rows * 100);
  if (s.ratios)
    std::printf(" %7.1f%%", s.ratio_error / s.ratios * 100);
  else
    std::printf(" %8s", "-");
  std::printf(" %6.2f %6d/%d\n", s.tau, s.wrong, s.apart);
}

/// Blocks an SM, and what limits them, with so many registers.
std::string resident(const Simulated& kernel, std::uint32_t registers, bool estimated,
                     const GpuProfile& gpu) {
  Activity activity = kernel.activity();
  activity.registers_per_thread = registers;
  activity.registers_estimated = estimated;
  const Occupancy found = occupancy(with_registers_that_fit(activity, gpu), gpu);
  return std::to_string(found.blocks_per_sm) + " (" + found.limiter + ")";
}

void print_registers(const std::vector<Simulated>& all, const GpuProfile& gpu) {
  std::printf("%-26s %-20s %5s %9s  %-20s %s\n", "family", "kernel", "ptxas", "estimated",
              "blocks an SM", "with the estimate");
  for (const Simulated& each : all) {
    const std::uint32_t counted = each.counted_registers;
    const std::string with = resident(each, counted, false, gpu),
                      without = resident(each, each.estimated_registers, true, gpu);
    std::printf("%-26s %-20s %5u %9u  %-20s %s\n", each.of.family.c_str(), each.of.kernel.c_str(),
                counted, each.estimated_registers, with.c_str(),
                with == without ? "the same" : without.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> families;
  std::string kept;
  std::optional<GpuProfile> read;
  std::uint64_t seed = 0;
  bool brief = false, pairs = false, registers = false, fit = true, test = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--brief")
      brief = true;
    else if (word == "--pairs")
      pairs = true;
    else if (word == "--registers")
      registers = true;
    else if (word == "--only" && i + 1 < argc)
      (std::strcmp(argv[++i], "fit") == 0 ? test : fit) = false;
    else if (word == "--kept" && i + 1 < argc)
      kept = argv[++i];
    else if (word == "--seed" && i + 1 < argc)
      seed = std::stoull(argv[++i]);
    else if (word == "--profile" && i + 1 < argc) {
      const std::string file = argv[++i];
      read = parse_profile("given", labkit::read_file(file), file);
    } else
      families.push_back(word);
  }
  const GpuProfile& gpu = read ? *read : find_profile("h200");
  std::vector<MeasuredKernel> kernels;
  if (fit) kernels = measured_kernels();
  if (test)
    for (const MeasuredKernel& k : other_kernels()) kernels.push_back(k);
  std::erase_if(kernels, [&](const auto& k) {
    for (const std::string& family : families)
      if (k.family.starts_with(family)) return false;
    return !families.empty();
  });
  if (registers) {
    print_registers(simulate_or_read(kernels, kept, seed), gpu);
    return 0;
  }
  std::map<Set, std::map<std::string, std::vector<Predicted>>> sets;
  if (!brief)
    std::printf("%-26s %-20s %11s %11s %6s  shares\n", "family", "kernel", "measured us",
                "predicted", "ratio");
  for (const Simulated& each : simulate_or_read(kernels, kept, seed)) {
    const Predicted p{each.of, predict(each.activity(), gpu), each.bare.registers_per_thread};
    sets[p.of.set][p.of.family].push_back(p);
    if (brief) continue;
    std::printf("%-26s %-20s %11.1f %11.1f %6.2f ", p.of.family.c_str(), p.of.kernel.c_str(),
                p.of.measured_us, p.prediction.time_us, p.prediction.time_us / p.of.measured_us);
    for (const Share& share : p.prediction.shares)
      if (share.part >= 0.05) std::printf(" %s %.0f%%", share.name.c_str(), 100 * share.part);
    std::printf("  (%u registers, %u blocks/SM)", p.registers,
                p.prediction.occupancy.blocks_per_sm);
    if (const auto& unlike = p.prediction.unlike)
      std::printf("  mean block: %s %.2f off", std::string(unlike->work).c_str(), unlike->distance);
    std::printf("\n");
  }
  for (const auto& [set, by_family] : sets) {
    std::printf("\n%-26s %4s %8s %8s %6s %12s\n",
                set == Set::fit ? "FIT: kernel_times.csv" : "TEST: other_times.csv", "rows", "MAPE",
                "of ratio", "tau", "wrong/apart");
    Score all;
    all.tau = 0;
    for (const auto& [family, predicted] : by_family) {
      const Score s = score(predicted, pairs);
      print(family, s);
      all.rows += s.rows;
      all.error += s.error;
      all.ratios += s.ratios;
      all.ratio_error += s.ratio_error;
      all.wrong += s.wrong;
      all.apart += s.apart;
      all.tau += s.tau / static_cast<double>(by_family.size());
    }
    print("all rows, mean tau", all);
  }
}
