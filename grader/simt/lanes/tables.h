// The tables that each file of this folder fills for its target, joined by target.cpp.
#pragma once
#include <cstdint>

#include "simt/access.h"

namespace labkit::simt::LABKIT_SIMD {

extern const Semantics integer_rows[];
extern const Semantics float_rows[];
extern const Semantics half_rows[];
extern const Semantics compare_rows[];
extern const Semantics convert_rows[];
bool load(AccessState& state, const Op& op, std::uint32_t mask);
bool store(AccessState& state, const Op& op, std::uint32_t mask);
void spread(std::uint64_t* addresses, const Pattern& pattern, std::uint64_t start);
bool load_affine(AccessState& state, const Op& op, Affine base);
bool store_affine(AccessState& state, const Op& op, Affine base);

}  // namespace labkit::simt::LABKIT_SIMD
