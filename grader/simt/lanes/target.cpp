// Joins this target's tables.
#include "simt/lanes/lanes.h"
#if defined(__AVX512F__) || defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

namespace labkit::simt::LABKIT_SIMD {

u32 mask_of(const s32* words) {
#if defined(__AVX512DQ__)
  return _mm512_movepi32_mask(_mm512_load_si512(words)) |
         static_cast<u32>(_mm512_movepi32_mask(_mm512_load_si512(words + 16))) << 16;
#elif defined(__AVX2__)
  u32 bits = 0;
  for (int k = 0; k < 4; ++k)
    bits |= static_cast<u32>(
                _mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const float*>(words + 8 * k))))
            << (8 * k);
  return bits;
#elif defined(__SSE2__)
  u32 bits = 0;
  for (int k = 0; k < 8; ++k)
    bits |= static_cast<u32>(
                _mm_movemask_ps(_mm_load_ps(reinterpret_cast<const float*>(words + 4 * k))))
            << (4 * k);
  return bits;
#else
  u32 bits = 0;
  for (int i = 0; i < 32; ++i) bits |= static_cast<u32>(words[i] < 0) << i;
  return bits;
#endif
}

#define LABKIT_NAME_(x) #x
#define LABKIT_NAME(x) LABKIT_NAME_(x)
extern const Target target;
const Target target = {LABKIT_NAME(LABKIT_SIMD),
                       {integer_rows, float_rows, half_rows, compare_rows, convert_rows},
                       &load,
                       &store,
                       &spread,
                       &load_affine,
                       &store_affine,
                       &blend<u32>,
                       &blend<u64>};

}  // namespace labkit::simt::LABKIT_SIMD
