// The limits that measured ratios are held against on one kind of GPU, as `labkit lab calibrate`
// confirmed them there: labs/<lab>/gpu_gates/<slug of the GPU's name>.toml. Only gates with a ratio
// are in it; counters come from the simulator on every GPU.
//
//   gpu = "NVIDIA H200"         # the driver's name of it; must be the GPU's at hand
//   date = "2026-11-21"         # when this was measured, with what, and how often
//   command = "labkit lab calibrate --device cuda --runs 3 --write"
//   driver = "580.159.04"
//   runs = 3
//
//   [[gate]]
//   name = "ratio"              # of lab.toml
//   size = { n = 16777216 }     # at which it holds; at others the simulator's verdict counts
//   min = 0.64                  # missing: there is no window, and the simulator's verdict counts
//   window = [0.53, 0.78]       # the fastest answer that only this limit can stop, over 0.9 (0: there is
//                               # none), and the slowest right one over 1.1; calibration.h says where
//                               # in it the limit stands
//   slowest_right = { file = "correct/tile.cu", ratio = [0.86, 0.85, 0.87] }   # median, 95% interval
//   fastest_wrong = { file = "wrong/naive.cu", ratio = [0.48, 0.48, 0.49] }    # may be missing
//   told_by_counters = ["wrong/x.cu"]   # slow answers that this ratio does not tell from right ones
//   note = "..."                # for people
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/manifest.h"
#include "grade/policy.h"

namespace labkit::grade {

/// A solution and its ratio over all runs: the median, and the reach of all runs' intervals.
struct GateWitness {
  std::string file;  ///< "correct/tile.cu"
  grade::Interval ratio;
};

struct GpuGate {
  std::string name;
  Sizes size;
  std::optional<double> min;  ///< none: no window
  double window_low = 0, window_high = 0;
  GateWitness slowest_right;
  std::optional<GateWitness> fastest_wrong;
  std::vector<std::string> told_by_counters;
  std::string note;
};

struct GpuGates {
  std::string gpu, date, command, driver;
  int runs = 0;
  std::vector<GpuGate> gates;  ///< in the order of lab.toml
  const GpuGate* find(std::string_view gate) const;
};

/// "NVIDIA H200" -> "nvidia-h200"
std::string gpu_slug(std::string_view gpu);
std::filesystem::path gpu_gates_file(const Manifest& lab, std::string_view gpu);

/// nullopt if there are none for that GPU. Throws labkit::Error for a file that is not as above, or
/// that names another GPU or a gate that lab.toml has not.
std::optional<GpuGates> load_gpu_gates(const Manifest& lab, std::string_view gpu);
GpuGates parse_gpu_gates(std::string_view text, const Manifest& lab, const std::string& name);
/// As TOML, to be read again.
std::string to_toml(const GpuGates& gates);

}  // namespace labkit::grade
