// A block's trace as what its warps do in turn. Internal to the room.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "timing/replay.h"

namespace labkit::timing {

/// What a warp issues, and the action that it leads to.
struct Step {
  enum class Action : std::uint8_t { load, store, atomic, barrier, end };
  float issue = 0, wavefronts = 0, dependent = 0;
  float links = 0;  ///< dependent instructions, one after another
  Action action = Action::end;
  bool waits = false;  ///< for what was loaded before, ahead of its issue
  std::uint8_t lines = 0;
  std::uint16_t passes = 0;
  std::uint16_t accesses = 0;  ///< to shared memory, on the way
  std::uint32_t first_touch = 0;
};

/// The steps of a block's warps, made from its trace.
struct Script {
  std::vector<std::vector<Step>> warps;
  const std::vector<LineTouch>* touches = nullptr;
  double work = 0;          ///< lines and steps
  double instructions = 0;  ///< before they are scaled
};

/// Of `rates`, what every step of its kind takes, whoever else is there.
Script script_of(const BlockTrace& trace, std::span<const InstructionCost> costs,
                 const SmRates& rates);

}  // namespace labkit::timing
