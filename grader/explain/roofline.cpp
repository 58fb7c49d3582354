#include "explain/roofline.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/words.h"
#include "grade/policy.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

double operations_of(std::string_view spelling) {
  constexpr std::string_view kOne[] = {"add",   "sub", "mul", "div", "rcp", "sqrt",
                                       "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"};
  const std::string_view opcode = spelling.substr(0, spelling.find('.'));
  if (opcode == "fma" || opcode == "mad") return 2;
  return std::ranges::count(kOne, opcode) != 0 ? 1 : 0;
}

/// 1.05e12 -> "1.05 T"
std::string scaled(double value) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (value >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}", value, kPrefixes[prefix]);
}

std::vector<std::string> words_of(const Roofline& r) {
  const std::string_view how =
      words::row_of(r.time_is_predicted ? Id::roof_predicted : Id::roof_measured);
  const std::string percent = fmt::format("{:.0f}", 100 * r.share_of_roof);
  const std::string traffic = fmt::format("{}B ({})", scaled(r.dram_bytes), r.bytes_basis);
  const std::string gpu = r.gpu.substr(0, r.gpu.find(" ("));
  if (r.flops.total() == 0) {
    return {words::text(Id::roof_no_arithmetic, {{"traffic", traffic}}),
            words::text(Id::roof_bandwidth, {{"time", number(r.time_us)},
                                             {"how", how},
                                             {"moved", scaled(r.bytes_per_second)},
                                             {"percent", percent},
                                             {"most", scaled(r.bandwidths.front().per_second)},
                                             {"gpu", gpu}})};
  }
  const std::string peak = scaled(r.roof_flops_per_second) + "FLOP/s";
  return {words::text(Id::roof_intensity, {{"operations", scaled(r.flops.total())},
                                           {"traffic", traffic},
                                           {"intensity", fmt::format("{:.2g}", r.intensity)}}),
          words::text(r.memory_bound ? Id::roof_is_memory : Id::roof_is_arithmetic,
                      {{"ridge", fmt::format("{:.3g}", r.ridge)}, {"gpu", gpu}, {"peak", peak}}),
          words::text(Id::roof_reached, {{"time", number(r.time_us)},
                                         {"how", how},
                                         {"rate", scaled(r.flops_per_second)},
                                         {"percent", percent}})};
}

}  // namespace

Flops flops_of(const observe::LaunchCounters& counters) {
  Flops flops;
  for (std::size_t i = 0; i < counters.info.size(); ++i) {
    const std::string_view spelling = counters.info[i].spelling;
    const auto dot = spelling.rfind('.');
    if (dot == std::string_view::npos) continue;
    const std::string_view type = spelling.substr(dot + 1);
    const double done =
        operations_of(spelling) * static_cast<double>(counters.instructions[i].thread_executions);
    if (type == "f32")
      flops.f32 += done;
    else if (type == "f64")
      flops.f64 += done;
    else if (type == "f16" || type == "bf16")
      flops.f16 += done;
    else if (type == "f16x2" || type == "bf16x2")
      flops.f16 += 2 * done;
  }
  return flops;
}

Roofline roofline_of(const observe::LaunchCounters& counters, const timing::Prediction* prediction,
                     double compulsory_bytes, std::string_view gpu_profile, double time_us,
                     bool time_is_predicted) {
  const timing::GpuProfile& gpu = timing::find_profile(gpu_profile);
  Roofline r;
  r.gpu = gpu.title;
  const std::string basis = words::text(gpu.measured ? Id::roof_sustained : Id::roof_datasheet);
  const std::string datasheet = words::text(Id::roof_datasheet);
  r.bandwidths = {{"DRAM", gpu.dram_bytes_per_second, basis},
                  {"L2", gpu.l2_read_bytes_per_second, basis}};
  r.peaks = {{"FP32", gpu.fp32_flops_per_second, datasheet},
             {"FP64", gpu.fp64_flops_per_second, datasheet}};
  r.flops = flops_of(counters);
  r.time_us = time_us;
  r.time_is_predicted = time_is_predicted;
  r.dram_bytes = compulsory_bytes;
  r.bytes_basis = words::text(Id::roof_arrays_once);
  if (prediction)
    for (const timing::Bound& bound : prediction->bounds)
      if (bound.name == "DRAM" && bound.time_us > 0) {
        r.dram_bytes = bound.time_us * 1e-6 * gpu.dram_bytes_per_second;
        r.bytes_basis = words::text(Id::roof_dram_predicted);
      }
  if (time_us <= 0 || r.dram_bytes <= 0) return r;
  const double seconds = time_us * 1e-6;
  r.bytes_per_second = r.dram_bytes / seconds;
  r.share_of_roof = r.bytes_per_second / gpu.dram_bytes_per_second;
  if (const double flops = r.flops.total(); flops > 0) {
    // The pipes of the two precisions taken one after the other.
    const double compute_seconds = (r.flops.f32 + r.flops.f16) / gpu.fp32_flops_per_second +
                                   r.flops.f64 / gpu.fp64_flops_per_second;
    const double peak = flops / compute_seconds;
    r.intensity = flops / r.dram_bytes;
    r.flops_per_second = flops / seconds;
    r.ridge = peak / gpu.dram_bytes_per_second;
    r.memory_bound = r.intensity < r.ridge;
    r.roof_flops_per_second = std::min(peak, r.intensity * gpu.dram_bytes_per_second);
    r.share_of_roof = r.flops_per_second / r.roof_flops_per_second;
  }
  r.words = words_of(r);
  return r;
}

std::optional<Roofline> roofline_of(const grade::LaunchDetail& detail,
                                    std::string_view gpu_profile) {
  if (!detail.prediction) return std::nullopt;
  return roofline_of(detail.counters, &*detail.prediction, detail.compulsory_bytes, gpu_profile,
                     detail.prediction->time_us, true);
}

std::optional<Roofline> roofline_of(const grade::Profile& profile) {
  const device::Outcome& outcome = profile.outcome;
  if (!outcome.counters || !outcome.prediction) return std::nullopt;
  const bool measured =
      profile.measured && profile.measured->completed && !profile.measured->times_us.empty();
  const double time_us = measured ? grade::summarise(profile.measured->times_us).median_us
                                  : outcome.prediction->time_us;
  return roofline_of(*outcome.counters, &*outcome.prediction, 0, profile.device.gpu, time_us,
                     !measured);
}

}  // namespace labkit::explain
