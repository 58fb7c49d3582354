// Values that rise evenly from lane to lane: base + lane * step. Indices and addresses mostly do, and so one addition does
// the work of 32. Which registers hold nothing else is found when a kernel is decoded (affine.cpp); a warp whose threads'
// numbers rise evenly then computes them once for all lanes, until its lanes part or a value comes around its width, and
// from there on lane by lane (affine_warp.cpp). Nothing that is computed, counted or charged differs.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "simt/op.h"

namespace labkit::simt {

struct AffineUse {
  /// What an instruction of the body does to affine values; none: it is done lane by lane.
  struct Step {
    AffineRule rule = AffineRule::none;
    bool is_64_bit = false, is_signed = false;  ///< as in Op
    Comparison comparison = Comparison::eq;
  };
  std::vector<Step> steps;        ///< by instruction
  std::vector<bool> is_affine;    ///< by register: whatever writes it
  std::vector<bool> needs_lanes;  ///< by register: an affine one that is read lane by lane as well
};

/// `unset`: registers that may be read before they are written, which hold anything.
AffineUse find_affine(const ptx::Function& entry, const std::vector<std::int32_t>& unset);

}  // namespace labkit::simt
