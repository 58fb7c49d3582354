#include "simt/matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "simt/access.h"
#include "simt/host_half.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

using words::Id;

constexpr std::size_t kMostElements = std::size_t{32} * 16;
using Elements = double[kMostElements];

double value_of(ElementType type, std::uint64_t bits) {
  using enum ElementType;
  const auto word = static_cast<std::uint32_t>(bits);
  switch (type) {
    case f64:
      return std::bit_cast<double>(bits);
    case f32:
      return std::bit_cast<float>(word);
    case tf32:
      return std::bit_cast<float>(word & ~0x1FFFu);
    case f16:
      return on_host::widen(on_host::f16{static_cast<std::uint16_t>(word)});
    case bf16:
      return on_host::widen(on_host::bf16{static_cast<std::uint16_t>(word)});
    case s8:
      return static_cast<std::int8_t>(word);
    case u8:
      return static_cast<std::uint8_t>(word);
    case s32:
      return static_cast<std::int32_t>(word);
  }
  return 0;
}

std::uint64_t bits_of(ElementType type, double value, bool saturates) {
  constexpr double kLeast = -0x1p31, kMost = 0x1p31 - 1;
  switch (type) {
    case ElementType::f64:
      return std::bit_cast<std::uint64_t>(value);
    case ElementType::f16:
      return on_host::narrow<on_host::f16>(value, 0).bits;
    case ElementType::s32:
      if (saturates) value = std::clamp(value, kLeast, kMost);
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    default:
      if (std::isnan(value)) return 0x7FFFFFFF;
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
}

/// Calls visit(place, register, lane, shift) for each element that lanes hold; `register` counts from 0.
template <typename Visit>
void each_element(const Fragment& fragment, const Visit& visit) {
  const std::uint32_t packed = fragment.per_register(), bits = 8 * bytes_of(fragment.type);
  for (std::uint32_t e = 0; e < fragment.elements(); ++e)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      visit(fragment.places[e * kLanes + lane], e / packed, lane, e % packed * bits);
}

void gather(const Fragment& fragment, const std::byte* registers, Elements& to) {
  each_element(fragment, [&](auto place, auto number, auto lane, auto shift) {
    const auto* at = registers + fragment.registers[number];
    to[place] = value_of(fragment.type, read_lane(at, fragment.is_wide(), lane) >> shift);
  });
}

void multiply_add(const MatrixOp& matrix, const Elements& a, const Elements& b, Elements& d) {
  const std::size_t m = matrix.a.rows, n = matrix.b.columns, k = matrix.a.columns;
  const bool fused = matrix.d.is_wide();
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t at = 0; at < k; ++at) {
      const double factor = a[row * k + at];
      const double* const from = b + at * n;
      double* const to = d + row * n;
      if (fused)
        for (std::size_t i = 0; i < n; ++i) to[i] = std::fma(factor, from[i], to[i]);
      else
        for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
    }
}

}  // namespace

/// False: fault.
bool Worker::matrix(const Op& op, std::uint32_t mask) {
  const auto& matrix = program_.matrices[op.target];
  if (mask != kAllLanes)
    return fail(launch::FindingKind::barrier, launch::Cause::barrier_mask, op.index, warp_->number,
                mask, {{Id::barrier_matrix_lanes, {{"lanes", words::count(lane_count(mask))}}}},
                {Id::barrier_fix_matrix_lanes});
  const bool follows = shadow_ != nullptr;
  switch (matrix.kind) {
    case MatrixOp::Kind::multiply:
      if (follows && warp_shadow_->count != 0) follow_multiply(matrix);
      multiply(matrix);
      return true;
    case MatrixOp::Kind::load:
    case MatrixOp::Kind::store:
      return matrix_access(op, matrix);
    case MatrixOp::Kind::stored_rows:
      changed_ = true;
      place_halves(matrix);
      [[fallthrough]];
    case MatrixOp::Kind::rows: {
      alignas(64) std::uint64_t addresses[kLanes];
      const auto& memory = program_.memory_ops[op.aux];
      form_addresses(op.s[0], op.imm, memory, matrix.address_lanes, addresses);
      if (!slow_access(memory, matrix.address_lanes, addresses)) return false;
      if (memory.is_store) return true;
      break;
    }
    case MatrixOp::Kind::transpose:
      break;
  }
  move_halves(matrix);
  return true;
}

void Worker::multiply(const MatrixOp& matrix) {
  Elements a, b, d;
  gather(matrix.a, registers, a);
  gather(matrix.b, registers, b);
  gather(matrix.c, registers, d);
  multiply_add(matrix, a, b, d);
  const auto& to = matrix.d;
  for (const Slot slot : to.registers)
    std::memset(registers + slot, 0, std::size_t{kLanes} * (to.is_wide() ? 8 : 4));
  each_element(to, [&](auto place, auto number, auto lane, auto shift) {
    std::byte* const at = registers + to.registers[number];
    const std::uint64_t bits = bits_of(to.type, d[place], matrix.saturates) << shift;
    write_lane(at, to.is_wide(), lane, read_lane(at, to.is_wide(), lane) | bits);
  });
}

/// An element of D is undefined where its row of A, its column of B or its element of C has something undefined.
void Worker::follow_multiply(const MatrixOp& matrix) {
  const std::size_t rows = matrix.d.rows, columns = matrix.d.columns;
  std::vector<bool> row(rows), column(columns), sum(rows * columns);
  std::uint32_t origin = 0;
  const auto look_at = [&](const Fragment& fragment, const auto& note) {
    const std::uint64_t keep = ~0ull >> (64 - 8 * bytes_of(fragment.type));
    each_element(fragment, [&](auto place, auto number, auto lane, auto shift) {
      const Slot slot = fragment.registers[number];
      if (!is_undefined(slot)) return;
      if ((read_lane(shadow_of(slot), fragment.is_wide(), lane) >> shift & keep) == 0) return;
      origin = warp_shadow_->origin[slot / 4];
      note(place);
    });
  };
  look_at(matrix.a, [&](std::size_t place) { row[place / matrix.a.columns] = true; });
  look_at(matrix.b, [&](std::size_t place) { column[place % columns] = true; });
  look_at(matrix.c, [&](std::size_t place) { sum[place] = true; });
  std::vector<std::array<std::uint64_t, kLanes>> bits(matrix.d.registers.size());
  const std::uint64_t whole = ~0ull >> (64 - 8 * bytes_of(matrix.d.type));
  each_element(matrix.d, [&](auto place, auto number, auto lane, auto shift) {
    if (row[place / columns] || column[place % columns] || sum[place])
      bits[number][lane] |= whole << shift;
  });
  for (std::size_t k = 0; k < bits.size(); ++k)
    set_shadow(matrix.d.registers[k], matrix.d.is_wide(), bits[k].data(), kAllLanes, origin);
}

bool Worker::matrix_access(const Op& op, const MatrixOp& matrix) {
  const auto& fragment = matrix.d;
  const bool is_store = matrix.kind == MatrixOp::Kind::store;
  const std::uint32_t bytes = bytes_of(fragment.type), packed = fragment.per_register();
  const auto each_pack = [&](const auto& act) {
    for (std::size_t k = 0; k < matrix.packs.size(); ++k) {
      Op one{.aux = matrix.packs[k], .kind = is_store ? OpKind::unpack : OpKind::pack};
      (is_store ? one.s[0] : one.d) = fragment.registers[k];
      if (shadow_ && warp_shadow_->count != 0) follow_other(one, kAllLanes);
      act(one);
    }
  };
  if (is_store) {
    changed_ = true;
    each_pack([&](const Op& one) { unpack(one, kAllLanes); });
  }
  const auto* const rows = words(op.s[1]);
  for (std::uint32_t e = 0; e < fragment.elements(); e += matrix.width) {
    const auto& memory = program_.memory_ops[op.aux + e / matrix.width];
    alignas(64) std::uint64_t addresses[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint64_t place = fragment.places[e * kLanes + i];
      std::uint64_t line = place / fragment.columns, in_line = place % fragment.columns;
      if (matrix.is_column_major) std::swap(line, in_line);
      addresses[i] = read_lane(registers + op.s[0], !memory.base_is_32_bit, i) + op.imm +
                     bytes * (line * rows[i] + in_line);
    }
    if (!slow_access(memory, kAllLanes, addresses)) return false;
  }
  if (is_store) return true;
  each_pack([&](const Op& one) { pack(one, kAllLanes); });
  // fragments of f16 that repeat
  const std::size_t own = fragment.elements() / packed;
  for (std::size_t k = own; k < fragment.registers.size(); ++k) {
    const Slot from = fragment.registers[k - own], to = fragment.registers[k];
    std::memcpy(registers + to, registers + from, kLanes * sizeof(std::uint32_t));
    if (!shadow_) continue;
    std::uint64_t bits[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) bits[i] = read_lane(shadow_of(from), false, i);
    set_shadow(to, false, bits, kAllLanes, warp_shadow_->origin[from / 4]);
  }
  return true;
}

/// stmatrix: the rows that lanes store, of the halves that all hold.
void Worker::place_halves(const MatrixOp& matrix) {
  const auto half = [&](const std::byte* from, std::uint32_t number, std::uint32_t row,
                        std::uint32_t column) {
    const std::uint32_t group = matrix.is_transposed ? column : row,
                        in_group = matrix.is_transposed ? row : column;
    return words_at(from + matrix.d.registers[number])[4 * group + in_group / 2] >>
               16 * (in_group % 2) &
           0xFFFF;
  };
  const bool any = shadow_ && std::ranges::any_of(matrix.d.registers,
                                                  [&](Slot slot) { return is_undefined(slot); });
  std::uint32_t origin = 0;
  for (const Slot slot : matrix.d.registers)
    if (any && is_undefined(slot)) origin = warp_shadow_->origin[slot / 4];
  for (std::uint32_t word = 0; word < matrix.scratch.size(); ++word) {
    std::uint32_t values[kLanes] = {};
    std::uint64_t bits[kLanes] = {};
    const auto at = [&](const std::byte* from, std::uint32_t lane) {
      return half(from, lane / 8, lane % 8, 2 * word) | half(from, lane / 8, lane % 8, 2 * word + 1)
                                                            << 16;
    };
    for (std::uint32_t i = 0; i < 8 * matrix.d.registers.size(); ++i) {
      values[i] = at(registers, i);
      if (any) bits[i] = at(registers + program_.register_bytes, i);
    }
    if (shadow_) set_shadow(matrix.scratch[word], false, bits, kAllLanes, origin);
    write32(matrix.scratch[word], values, kAllLanes);
  }
}

/// ldmatrix: from the rows that lanes have read; movmatrix: from the lanes' own halves.
void Worker::move_halves(const MatrixOp& matrix) {
  const bool is_read = matrix.kind == MatrixOp::Kind::rows;
  const auto half = [&](const std::byte* from, std::uint32_t number, std::uint32_t row,
                        std::uint32_t column) {
    const Slot slot = matrix.scratch[is_read ? column / 2 : 0];
    const std::uint32_t lane = is_read ? 8 * number + row : 4 * row + column / 2;
    return words_at(from + slot)[lane] >> 16 * (column % 2) & 0xFFFF;
  };
  const auto moved = [&](const std::byte* from, std::uint32_t number, std::uint32_t lane) {
    const std::uint32_t group = lane / 4, first = 2 * (lane % 4);
    return matrix.is_transposed
               ? half(from, number, first, group) | half(from, number, first + 1, group) << 16
               : half(from, number, group, first) | half(from, number, group, first + 1) << 16;
  };
  const bool any =
      shadow_ && std::ranges::any_of(matrix.scratch, [&](Slot slot) { return is_undefined(slot); });
  std::uint32_t origin = 0;
  for (const Slot slot : matrix.scratch)
    if (any && is_undefined(slot)) origin = warp_shadow_->origin[slot / 4];
  std::vector<std::array<std::uint32_t, kLanes>> values(matrix.d.registers.size());
  for (std::uint32_t k = 0; k < values.size(); ++k)
    for (std::uint32_t i = 0; i < kLanes; ++i) values[k][i] = moved(registers, k, i);
  for (std::uint32_t k = 0; k < values.size(); ++k) {
    const Slot to = matrix.d.registers[k];
    if (shadow_) {
      std::uint64_t bits[kLanes] = {};
      for (std::uint32_t i = 0; any && i < kLanes; ++i)
        bits[i] = moved(registers + program_.register_bytes, k, i);
      set_shadow(to, false, bits, kAllLanes, origin);
    }
    write32(to, values[k].data(), kAllLanes);
  }
}

}  // namespace labkit::simt
