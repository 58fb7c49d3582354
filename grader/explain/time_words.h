// What sets a launch's time, in words: the shares of a prediction, and the registers that it counts with.
#pragma once
#include <string>
#include <string_view>

#include "device/device.h"
#include "timing/timing.h"

namespace labkit::explain {

/// What a share or bound of timing::Prediction stands for: "latency" -> "waiting for memory while too few bytes are in
/// flight"; empty for a name that is not known.
std::string_view words_of_share(std::string_view name);

/// "latency 46%, launch 21%, DRAM 14%": the shares from 5% on, at most four.
std::string shares_text(const timing::Prediction& prediction);

/// The one idea behind the largest share, a sentence with what helps: "Bytes in flight limit this kernel, not coalescing:
/// ..."; empty where nothing is to be gained.
std::string_view advice_of(const timing::Prediction& prediction);

/// "32 registers a thread (NVRTC 13.0's ptxas for sm_90)", "about 32 registers a thread, estimated: ...": how many were
/// counted with, and who says so.
std::string registers_text(const device::Registers& registers);

}  // namespace labkit::explain
