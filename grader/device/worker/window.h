// A plan's launches, run once each, and then the timed ones in one window: round after round, every
// round in another order, so that whatever the machine does befalls all of them alike.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/cuda_protocol.h"
#include "device/worker/capture.h"
#include "device/worker/driver.h"
#include "device/worker/session.h"
#include "device/worker/watchdog.h"

namespace labkit::device::cuda {

/// How the window knows that something is wrong with the machine. Policy of how often to measure
/// comes with the plan (Repetition); these say only what counts as undisturbed.
inline constexpr unsigned kBusyPercent = 10;    ///< of others' use, by NVML, before the window
inline constexpr double kDriftFactor = 1.25;    ///< of the first launch's time against its median
inline constexpr double kLeastDriftUs = 5;      ///< below which events are too coarse to tell
inline constexpr std::size_t kDriftRounds = 7;  ///< rounds before its median is one
inline constexpr std::uint32_t kMostDrifted = 10;  ///< in a row: it has drifted for good
inline constexpr double kLookSeconds = 0.25;       ///< between looks at a busy or hot GPU

/// Waits until nobody else uses the GPU; what could not be waited out goes to `conditions`. `known`: so
/// many processes with a context there are known not to.
void wait_for_others(const Nvml& nvml, unsigned known, double max_seconds, Conditions& conditions);

struct Tools {
  Session& session;
  const Nvml& nvml;
  Watchdog& watchdog;
  Capture& capture;
  Progress& progress;
};
/// Runs it all, and sends a reply for each launch and one for the window. False: a launch took the
/// context with it, and the worker must end. Throws Trouble.
bool run_plan(const Request& request, const Tools& tools, Conditions conditions);

// The rules that need no GPU (rounds.cpp): in which order, and until when.

/// The order of the timed launches in a round: a permutation of 0 .. count-1 that depends on the
/// round alone.
std::vector<std::size_t> order_of_round(std::uint32_t round, std::size_t count);

/// times[i][r]: of launch i in round r. Is every ratio of the first's time to another's, or the one
/// launch's time, known to `enough` (Repetition::enough_relative_error)?
bool is_settled(const std::vector<std::vector<double>>& times, double enough);

}  // namespace labkit::device::cuda
