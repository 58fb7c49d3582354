// The fast path of loads and stores: 32 addresses, one pattern check, one range check, one copy, gather or scatter.
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "simt/access.h"
#include "simt/lanes/lanes.h"

namespace labkit::simt::LABKIT_SIMD {

namespace {

/// Byte addresses of the active lanes; lanes that are off get the first active lane's, so that they are always safe.
inline void form_addresses(u64* addresses, const std::byte* registers, const Op& op,
                           const MemoryOp& memory, u32 mask) {
  const u64 offset = op.imm;
  if (memory.base_is_32_bit) {
    const auto* base = static_cast<const u32*>(__builtin_assume_aligned(registers + op.s[0], 64));
    LABKIT_LANE_LOOP addresses[i] = static_cast<u64>(base[i]) + offset;
  } else {
    const auto* base = static_cast<const u64*>(__builtin_assume_aligned(registers + op.s[0], 64));
    LABKIT_LANE_LOOP addresses[i] = base[i] + offset;
  }
  if (mask == kAllLanes) return;
  const u64 safe = addresses[first_lane(mask)];
  LABKIT_LANE_LOOP addresses[i] = (mask >> i) & 1 ? addresses[i] : safe;
}

inline bool fits_pattern(const u64* addresses, u64 start, const Pattern& pattern) {
  const auto* delta = static_cast<const u64*>(__builtin_assume_aligned(pattern.delta, 64));
  u64 difference = 0;
  for (int i = 0; i < kLanes; ++i) difference |= (addresses[i] - start) ^ delta[i];
  return difference == 0;
}

struct Place {
  std::byte* host = nullptr;  ///< of the first active lane's address
  const Pattern* pattern = nullptr;
};

/// Where the access goes if it is plain: one space, one allocation, aligned. Otherwise host is null.
inline Place place_at(AccessState& state, const MemoryOp& memory, const Pattern* pattern,
                      u64 start) {
  AccessMemo& memo = state.memos[memory.serial];
  Place place;
  place.pattern = pattern;
  if (pattern->wild || ((start | pattern->alignment_bits) & (memory.bytes - 1)) != 0) return place;
  const u64 low = start + static_cast<u64>(pattern->low),
            high = start + static_cast<u64>(pattern->high);
  const Window* window = &memo.window;
  if (memory.space == kSharedSpace)
    window = &state.shared;
  else if (low < window->begin || high > window->end || low > high) {
    if (memory.space == kLocalSpace || !state.find_window(low, high, memory.is_store, memo.window))
      return place;
  }
  if (low < window->begin || high > window->end || low > high) return place;
  place.host = window->host + (start - window->begin);
  return place;
}
inline Place find_place(AccessState& state, const MemoryOp& memory, u64* addresses, u32 mask) {
  AccessMemo& memo = state.memos[memory.serial];
  const u64 start = addresses[first_lane(mask)];
  const Pattern* pattern = memo.pattern;
  if (pattern == nullptr || pattern->mask != mask || pattern->bytes != memory.bytes ||
      !fits_pattern(addresses, start, *pattern))
    pattern = state.look_up(memory, memo, addresses, mask);
  return place_at(state, memory, pattern, start);
}

template <typename T>
inline T read(const std::byte* p) {
  T v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <typename T>
inline void write(std::byte* p, T v) {
  __builtin_memcpy(p, &v, sizeof v);
}

/// Lane by lane. Where the processor gathers, it does: what follows reads whole vectors, and would wait for 32 small stores.
template <typename M, typename R>
inline void gather(R* d, const std::byte* from, const Pattern& pattern) {
#ifdef __AVX512F__
  // masked, with a source: the plain ones read an undefined vector, which g++ 12 warns of
  if constexpr (sizeof(M) == 4 && sizeof(R) == 4) {
    for (int i = 0; i < kLanes; i += 8) {
      const __m512i at = _mm512_load_si512(pattern.delta + i);
      const __m256i words = _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), 0xFF, at, from, 1);
      _mm256_store_si256(reinterpret_cast<__m256i*>(d + i), words);
    }
    return;
  } else if constexpr (sizeof(M) == 8 && sizeof(R) == 8) {
    for (int i = 0; i < kLanes; i += 8) {
      const __m512i at = _mm512_load_si512(pattern.delta + i);
      _mm512_store_si512(d + i,
                         _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), 0xFF, at, from, 1));
    }
    return;
  }
#endif
  const auto by_four = [&](auto offset_of) {  // as compilers do not by themselves
    for (int i = 0; i < kLanes; i += 4) {
      const M a = read<M>(from + offset_of(i)), b = read<M>(from + offset_of(i + 1)),
              c = read<M>(from + offset_of(i + 2)), e = read<M>(from + offset_of(i + 3));
      d[i] = static_cast<R>(a);
      d[i + 1] = static_cast<R>(b);
      d[i + 2] = static_cast<R>(c);
      d[i + 3] = static_cast<R>(e);
    }
  };
  if (pattern.even)
    by_four([&](int i) { return static_cast<u64>(i) * pattern.step; });
  else
    by_four([&](int i) { return pattern.delta[i]; });
}

/// One vector element of every lane into registers: element `k` of `count`, memory type M, register lanes R.
template <typename M, typename R>
inline void load_element(R* d, const std::byte* host, const Pattern& pattern, u32 count, u32 k) {
  const std::byte* from = host + k * sizeof(M);
  if (pattern.shape == Shape::consecutive) {
    const u32 step = count * static_cast<u32>(sizeof(M));
    if (count == 1) {
      LABKIT_LANE_LOOP d[i] = static_cast<R>(read<M>(from + static_cast<u64>(i) * sizeof(M)));
    } else {
      LABKIT_LANE_LOOP d[i] = static_cast<R>(read<M>(from + static_cast<u64>(i) * step));
    }
  } else if (pattern.shape == Shape::uniform) {
    const R v = static_cast<R>(read<M>(from));
    LABKIT_LANE_LOOP d[i] = v;
  } else if (pattern.shape == Shape::halves) {
    for (int h = 0; h < 2; ++h) {
      const std::byte* half = from + pattern.delta[16 * h];
      R* to = d + 16 * h;
      if (pattern.half[h] == Shape::uniform) {
        const R v = static_cast<R>(read<M>(half));
        LABKIT_HALF_LOOP to[i] = v;
      } else if (count == 1) {
        LABKIT_HALF_LOOP to[i] = static_cast<R>(read<M>(half + static_cast<u64>(i) * sizeof(M)));
      } else {
        const u32 step = count * static_cast<u32>(sizeof(M));
        LABKIT_HALF_LOOP to[i] = static_cast<R>(read<M>(half + static_cast<u64>(i) * step));
      }
    }
  } else {
    gather<M, R>(d, from, pattern);
  }
}

template <typename M, typename R>
inline void load_all(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  for (u32 k = 0; k < memory.count; ++k) {
    if (memory.data[k] == kNoSlot) continue;
    auto* d = reinterpret_cast<R*>(state.registers + memory.data[k]);
    if (mask == kAllLanes) {
      load_element<M, R>(d, place.host, *place.pattern, memory.count, k);
    } else {
      alignas(64) R loaded[kLanes];
      load_element<M, R>(loaded, place.host, *place.pattern, memory.count, k);
      blend(d, loaded, mask);
    }
  }
}

template <typename M, typename R>
inline void store_all(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  const Pattern& pattern = *place.pattern;
  for (u32 k = 0; k < memory.count; ++k) {
    const auto* s = reinterpret_cast<const R*>(state.registers + memory.data[k]);
    std::byte* to = place.host + k * sizeof(M);
    if (pattern.shape == Shape::consecutive) {
      const u32 step = memory.count * static_cast<u32>(sizeof(M));
      if (memory.count == 1) {
        LABKIT_LANE_LOOP write<M>(to + static_cast<u64>(i) * sizeof(M), static_cast<M>(s[i]));
      } else {
        LABKIT_LANE_LOOP write<M>(to + static_cast<u64>(i) * step, static_cast<M>(s[i]));
      }
    } else if (mask == kAllLanes) {
      for (int i = 0; i < kLanes; ++i) write<M>(to + pattern.delta[i], static_cast<M>(s[i]));
    } else {
      for (u32 rest = mask; rest != 0; rest &= rest - 1) {
        const u32 i = first_lane(rest);
        write<M>(to + pattern.delta[i], static_cast<M>(s[i]));
      }
    }
  }
}

/// Patterns that come in turns are reported at once, mostly.
constexpr u32 kPassed = 4;

[[gnu::noinline]] bool tally_another(AccessState& state, const MemoryOp& memory, AccessMemo& memo,
                                     const Pattern* pattern, u64 start) {
  const bool tallies = memory.space == kSharedSpace   ? state.tallies_shared
                       : memory.space == kGlobalSpace ? state.tallies_global && !memory.acquires
                                                      : false;
  if (!tallies || pattern->id == 0) return false;
  if (memo.tallied != nullptr && memo.passed++ < kPassed) return false;
  state.retally(memory, memo, pattern, start);
  return true;
}

/// Counts the access instead of reporting it, if that will do.
inline bool tally(AccessState& state, const MemoryOp& memory, AccessMemo& memo,
                  const Pattern* pattern, u64 start) {
  const bool shared = memory.space == kSharedSpace;
  if (!shared && (start & 3) != 0) return false;
  if (memo.tallied != pattern && !tally_another(state, memory, memo, pattern, start)) return false;
  ++memo.tally[tally_phase(shared, start)];
  return true;
}

/// Where a settled access goes, if that is the pattern of the access before: then there is nothing to look at or charge.
inline Place settled_place(AccessState& state, const MemoryOp& memory, u32 mask) {
  if (!memory.settled || mask != kAllLanes || (!state.tallies_shared && state.is_watched))
    return {};
  AccessMemo& memo = state.memos[memory.serial];
  const SettledPlace& known = state.settled[memory.serial];
  if (known.pattern == nullptr) return {};
  if (known.pattern != memo.pattern) {
    if (memo.hash != 0 || memo.of_last_block != known.pattern) return {};
    memo.hash = known.pattern->hash;  // as look_up() would
    memo.pattern = known.pattern;
  }
  if (state.tallies_shared && !tally(state, memory, memo, known.pattern, known.start)) return {};
  return {state.shared.host + known.start, known.pattern};
}

/// Warps mostly go on by the same distance: what the next one wants is on its way before it is asked for.
inline void fetch_next(const MemoryOp& memory, AccessMemo& memo, const Place& place) {
  if (place.pattern->shape != Shape::consecutive || memory.space == kSharedSpace) return;
  const auto here = reinterpret_cast<std::uintptr_t>(place.host);
  const std::uintptr_t next = here + (here - memo.last_place);
  for (u32 at = 0; at < kLanes * memory.bytes; at += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(next + at));
  memo.last_place = here;
}

/// Forms the addresses, finds their place and reports it; no place (and nothing reported): the lanes must be looked at
/// one by one.
inline Place place_of(AccessState& state, const Op& op, const MemoryOp& memory, u32 mask,
                      u64* addresses) {
  if (const Place place = settled_place(state, memory, mask); place.host != nullptr) return place;
  AccessMemo& memo = state.memos[memory.serial];
  form_addresses(addresses, state.registers, op, memory, mask);
  if (memory.space == kGenericSpace) return {};
  const Place place = find_place(state, memory, addresses, mask);
  if (place.host == nullptr) return place;
  fetch_next(memory, memo, place);
  const u64 start = addresses[first_lane(mask)];
  const bool remembered = place.pattern->id != 0;
  if (memory.settled && mask == kAllLanes && remembered)
    state.settled[memory.serial] = {place.pattern, start};
  if (!state.is_watched || tally(state, memory, memo, place.pattern, start)) return place;
  state.report_access(memory, mask, addresses, place.pattern);
  return place;
}

template <typename R>
inline void load_as(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  const bool sign = memory.sign_extend;
  switch (memory.element_bytes) {
    case 8:
      if constexpr (sizeof(R) == 8) load_all<u64, R>(state, memory, place, mask);
      break;
    case 4:  // of words of its own width a register need not know the sign
      sign && sizeof(R) == 8 ? load_all<s32, R>(state, memory, place, mask)
                             : load_all<u32, R>(state, memory, place, mask);
      break;
    case 2:
      sign ? load_all<s16, R>(state, memory, place, mask)
           : load_all<u16, R>(state, memory, place, mask);
      break;
    default:
      sign ? load_all<s8, R>(state, memory, place, mask)
           : load_all<u8, R>(state, memory, place, mask);
  }
}
/// The data of a load whose place is known.
inline void load_data(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  memory.register_is_64_bit ? load_as<u64>(state, memory, place, mask)
                            : load_as<u32>(state, memory, place, mask);
}

template <typename R>
inline void store_as(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  switch (memory.element_bytes) {
    case 8:
      if constexpr (sizeof(R) == 8) store_all<u64, R>(state, memory, place, mask);
      break;
    case 4:
      store_all<u32, R>(state, memory, place, mask);
      break;
    case 2:
      store_all<u16, R>(state, memory, place, mask);
      break;
    default:
      store_all<u8, R>(state, memory, place, mask);
  }
}
inline void store_data(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  memory.register_is_64_bit ? store_as<u64>(state, memory, place, mask)
                            : store_as<u32>(state, memory, place, mask);
}

/// Out of line, so that the plain words of load() need no room for addresses.
[[gnu::noinline]] bool load_anything(AccessState& state, const Op& op, const MemoryOp& memory,
                                     std::uint32_t mask) {
  alignas(64) u64 addresses[kLanes];
  const Place place = place_of(state, op, memory, mask, addresses);
  if (place.host == nullptr) return state.slow_access(memory, mask, addresses);
  load_data(state, memory, place, mask);
  return true;
}

inline void store_at(AccessState& state, const MemoryOp& memory, const Place& place, u32 mask) {
  if (memory.plain_word && place.pattern->shape == Shape::consecutive)
    __builtin_memcpy(place.host, __builtin_assume_aligned(state.registers + memory.data[0], 64),
                     4 * kLanes);
  else
    store_data(state, memory, place, mask);
}

[[gnu::noinline]] void report_at(AccessState& state, const MemoryOp& memory, const Pattern* pattern,
                                 u64 start) {
  alignas(64) u64 addresses[kLanes];
  spread(addresses, *pattern, start);
  state.report_access(memory, kAllLanes, addresses, pattern);
}
/// Reports the access, or counts it.
[[gnu::always_inline]] inline void report_or_tally(AccessState& state, const MemoryOp& memory,
                                                   AccessMemo& memo, const Pattern* pattern,
                                                   u64 start) {
  if (state.is_watched && !tally(state, memory, memo, pattern, start))
    report_at(state, memory, pattern, start);
}

/// place_of_affine() where little is known: the pattern is looked up, the place looked for and both are kept for the next.
[[gnu::noinline]] Place find_affine_place(AccessState& state, const MemoryOp& memory, u64 start,
                                          u64 step) {
  AccessMemo& memo = state.memos[memory.serial];
  const Pattern* pattern = memo.pattern;
  if (pattern == nullptr || !pattern->even || pattern->step != step ||
      pattern->bytes != memory.bytes) {
    alignas(64) u64 addresses[kLanes];
    for (int i = 0; i < kLanes; ++i) addresses[i] = start + static_cast<u64>(i) * step;
    pattern = state.look_up(memory, memo, addresses, kAllLanes);
  }
  const Place place = place_at(state, memory, pattern, start);
  if (place.host == nullptr) return place;
  memo.even = nullptr;
  const bool aligned = (pattern->alignment_bits & (memory.bytes - 1)) == 0;
  if (memory.space != kSharedSpace && pattern->id != 0 && aligned) {
    memo.even = pattern;
    memo.even_from = memo.window.begin - static_cast<u64>(pattern->low);
    memo.even_span = memo.window.end - static_cast<u64>(pattern->high) - memo.even_from;
    memo.even_host = reinterpret_cast<std::uintptr_t>(memo.window.host) - memo.window.begin;
  }
  fetch_next(memory, memo, place);
  report_or_tally(state, memory, memo, pattern, start);
  return place;
}

/// place_of() for all lanes, whose addresses are `base` in the first one and rise evenly.
inline Place place_of_affine(AccessState& state, const Op& op, const MemoryOp& memory,
                             Affine base) {
  u64 step = base.step;
  if (memory.base_is_32_bit) {  // of 32 bits without a sign, and none may come around
    base.base = static_cast<u32>(base.base);
    const s64 first = static_cast<s64>(base.base),
              last = first + 31 * static_cast<s64>(static_cast<s32>(step));
    if (last < 0 || last > 0xFFFFFFFFll) return {};
    step = static_cast<u64>(static_cast<s64>(static_cast<s32>(step)));
  }
  const u64 start = base.base + op.imm;
  AccessMemo& memo = state.memos[memory.serial];
  const Pattern* even = memo.even;
  if (even == nullptr || even->step != step || start - memo.even_from > memo.even_span ||
      (start & (memory.bytes - 1)) != 0)
    return find_affine_place(state, memory, start, step);
  if (memo.pattern != even) {
    if (memo.hash != 0 || memo.of_last_block != even)
      return find_affine_place(state, memory, start, step);
    // the block begins as the one before did: as look_up() has it
    memo.hash = even->hash;
    memo.pattern = even;
  }
  const Place place = {reinterpret_cast<std::byte*>(memo.even_host + start), even};
  fetch_next(memory, memo, place);
  report_or_tally(state, memory, memo, even, start);
  return place;
}

}  // namespace

void spread(std::uint64_t* addresses, const Pattern& pattern, std::uint64_t start) {
  const auto* delta = static_cast<const u64*>(__builtin_assume_aligned(pattern.delta, 64));
  LABKIT_LANE_LOOP addresses[i] = start + delta[i];
}

bool load(AccessState& state, const Op& op, std::uint32_t mask) {
  const MemoryOp& memory = state.memory_ops[op.aux];
  if (memory.plain_word)
    if (const Place place = settled_place(state, memory, mask); place.host != nullptr) {
      load_element<u32, u32>(reinterpret_cast<u32*>(state.registers + memory.data[0]), place.host,
                             *place.pattern, 1, 0);
      return true;
    }
  return load_anything(state, op, memory, mask);
}

bool store(AccessState& state, const Op& op, std::uint32_t mask) {
  const MemoryOp& memory = state.memory_ops[op.aux];
  alignas(64) u64 addresses[kLanes];
  const Place place = place_of(state, op, memory, mask, addresses);
  if (place.host == nullptr) return state.slow_access(memory, mask, addresses);
  store_at(state, memory, place, mask);
  return true;
}

bool load_affine(AccessState& state, const Op& op, Affine base) {
  const MemoryOp& memory = state.memory_ops[op.aux];
  const Place place = place_of_affine(state, op, memory, base);
  if (place.host == nullptr) return false;
  if (memory.plain_word && place.pattern->shape == Shape::consecutive)
    __builtin_memcpy(__builtin_assume_aligned(state.registers + memory.data[0], 64), place.host,
                     4 * kLanes);
  else
    load_data(state, memory, place, kAllLanes);
  return true;
}

bool store_affine(AccessState& state, const Op& op, Affine base) {
  const MemoryOp& memory = state.memory_ops[op.aux];
  const Place place = place_of_affine(state, op, memory, base);
  if (place.host != nullptr) store_at(state, memory, place, kAllLanes);
  return place.host != nullptr;
}

}  // namespace labkit::simt::LABKIT_SIMD
