// Matrices that the lanes of a warp hold together: mma, wmma, ldmatrix, stmatrix, movmatrix. Internal to the room.
//
// Where an element lies: mma's layouts are those of the PTX ISA ("Matrix Fragments for mma..."). Lanes form 8 groups of 4.
// Of A, group g has row g (and g + 8, ...), and each of its lanes as many neighbouring columns as fit into a register; B is
// laid out as A transposed; an accumulator has two neighbouring columns a lane. wmma's layouts are not specified. Here they
// are mma's, tile beside tile, which is how GPUs since Volta's successors compute it; of m8n32k16 those of m32n8k16
// transposed. wmma's f16 fragments of A and B have 16 elements a lane whatever the shape: they repeat.
//
// What is computed: products are exact, their sum and the accumulator are added in double precision in the order of k, the
// accumulator first, and rounded once, to nearest. GPUs add in an order and with a rounding that are not published (M. Fasi
// and others, "Numerical behavior of NVIDIA tensor cores", 2021: products are cut off at a few bits below the largest).
// Where all partial sums are exact both agree bit by bit; elsewhere a GPU's result may differ in the last bits of the
// largest summand, which in f32 is about 2^-22 of it. f64 is a chain of fused multiply-adds; integers are exact.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/op.h"

namespace labkit::simt {

enum class ElementType : std::uint8_t { f16, bf16, tf32, f32, f64, s8, u8, s32 };
constexpr std::uint32_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return 8;
    case ElementType::f16:
    case ElementType::bf16:
      return 2;
    case ElementType::s8:
    case ElementType::u8:
      return 1;
    default:
      return 4;
  }
}

/// One of the matrices of D = A * B + C, in the registers of a warp.
struct Fragment {
  enum class Role : std::uint8_t { a, b, accumulator };
  Role role = Role::a;
  ElementType type = ElementType::f16;
  std::uint8_t rows = 0, columns = 0;
  std::vector<Slot> registers;
  /// Of element e of lane i at 32 * e + i: row * columns + column.
  std::vector<std::uint16_t> places;

  bool is_wide() const { return type == ElementType::f64; }
  std::uint32_t per_register() const { return is_wide() ? 1 : 4 / bytes_of(type); }
  /// Of a lane, each counted once.
  std::uint32_t elements() const { return rows * columns / std::uint32_t{kLanes}; }
};
/// Fills in `places`. `transposed`: the layout of m32n8k16 for m8n32k16.
void lay_out(Fragment& fragment, bool transposed);

struct MatrixOp {
  /// rows: ldmatrix; stored_rows: stmatrix; transpose: movmatrix.
  enum class Kind : std::uint8_t { multiply, load, store, rows, stored_rows, transpose };
  Kind kind = Kind::multiply;
  Fragment a, b, c, d;  ///< multiply; the others have d alone
  bool saturates = false;
  // load, store: one memory op from Op::aux on for each `width` elements of a lane. s[1]: elements from row to row.
  bool is_column_major = false;
  std::uint32_t width = 1;
  /// Elements that lie apart in memory pass through slots of their own: for each register what joins or splits them.
  std::vector<std::uint32_t> packs;
  std::uint32_t address_lanes = kAllLanes;  ///< whose addresses count
  bool is_transposed = false;               ///< ldmatrix.trans, stmatrix.trans
  std::vector<Slot> scratch;                ///< of both: four words of the row at a lane's address
};

}  // namespace labkit::simt
