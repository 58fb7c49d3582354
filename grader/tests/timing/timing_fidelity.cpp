// Prints predicted against measured times of every kernel of data/kernel_times.csv (one H200), and
// by family the mean absolute error, Kendall's tau, and the pairs measured more than 10% apart that
// are predicted the wrong way round.
//   timing_fidelity [FAMILY...]     families by the beginning of their names; default: all
#include <cmath>
#include <cstdio>
#include <map>

#include "measured_kernels.h"

using labkit::timing::Predicted;

namespace {

struct Score {
  double error = 0, tau = 0;
  int apart = 0, wrong = 0;
};

Score score(const std::vector<Predicted>& all) {
  Score s;
  int pairs = 0, concordant = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    s.error += std::abs(all[i].prediction.time_us / all[i].of.measured_us - 1) /
               static_cast<double>(all.size());
    for (std::size_t j = 0; j < i; ++j) {
      const double measured = all[i].of.measured_us / all[j].of.measured_us;
      const bool agree = (measured > 1) == (all[i].prediction.time_us > all[j].prediction.time_us);
      ++pairs;
      concordant += agree ? 1 : -1;
      if (measured > 1.1 || measured < 1 / 1.1) {
        ++s.apart;
        s.wrong += agree ? 0 : 1;
      }
    }
  }
  s.tau = pairs ? static_cast<double>(concordant) / pairs : 0;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<labkit::timing::MeasuredKernel> kernels = labkit::timing::measured_kernels();
  std::erase_if(kernels, [&](const auto& k) {
    for (int i = 1; i < argc; ++i)
      if (k.family.starts_with(argv[i])) return false;
    return argc > 1;
  });
  std::map<std::string, std::vector<Predicted>> families;
  std::printf("%-26s %-20s %11s %11s %6s  bound\n", "family", "kernel", "measured us", "predicted",
              "ratio");
  const std::vector<Predicted> all = labkit::timing::predict_all(kernels);
  for (const Predicted& p : all) {
    families[p.of.family].push_back(p);
    std::printf("%-26s %-20s %11.1f %11.1f %6.2f ", p.of.family.c_str(), p.of.kernel.c_str(),
                p.of.measured_us, p.prediction.time_us, p.prediction.time_us / p.of.measured_us);
    for (int i = 0; i < 4; ++i)
      std::printf(" %s %.1f", p.prediction.bounds[i].name.c_str(), p.prediction.bounds[i].time_us);
    std::printf("  (%u registers, %u blocks/SM)\n", p.registers,
                p.prediction.occupancy.blocks_per_sm);
  }
  std::printf("\n%-26s %8s %8s %12s\n", "family", "MAPE", "tau", "wrong/apart");
  for (const auto& [family, predicted] : families) {
    const Score s = score(predicted);
    std::printf("%-26s %7.1f%% %8.2f %8d/%d\n", family.c_str(), s.error * 100, s.tau, s.wrong,
                s.apart);
  }
  std::printf("%-26s %7.1f%%\n", "all rows", score(all).error * 100);
}
