// mma, wmma, ldmatrix and movmatrix: shapes and types into fragments. What they are stands in matrix.h.
#include <algorithm>
#include <charconv>
#include <utility>

#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;
namespace {

struct ProductShape {
  std::uint8_t m = 0, n = 0, k = 0;
};

ProductShape shape_of(const ptx::Instruction& in) {
  const auto word = std::ranges::find_if(in.parts, [](std::string_view part) {
    return part.size() > 1 && part[0] == 'm' && part[1] >= '0' && part[1] <= '9';
  });
  ProductShape shape;
  const char* at = word->data();
  for (auto* number : {&shape.m, &shape.n, &shape.k})
    at = std::from_chars(at + 1, word->data() + word->size(), *number).ptr;
  return shape;
}

ElementType element_type(std::string_view name) {
  using enum ElementType;
  static constexpr std::pair<std::string_view, ElementType> kNames[] = {
      {"f16", f16}, {"bf16", bf16}, {"tf32", tf32}, {"f32", f32},
      {"f64", f64}, {"s8", s8},     {"u8", u8},     {"s32", s32}};
  return std::ranges::find(kNames, name, &std::pair<std::string_view, ElementType>::first)->second;
}

Fragment fragment_of(Fragment::Role role, ProductShape shape, ElementType type) {
  using Role = Fragment::Role;
  Fragment fragment{.role = role,
                    .type = type,
                    .rows = role == Role::b ? shape.k : shape.m,
                    .columns = role == Role::a ? shape.k : shape.n,
                    .registers = {},
                    .places = {}};
  lay_out(fragment, shape.m == 8 && shape.n == 32);
  return fragment;
}

}  // namespace

void lay_out(Fragment& fragment, bool transposed) {
  using Role = Fragment::Role;
  Role role = fragment.role;
  std::uint32_t rows = fragment.rows, columns = fragment.columns;
  if (transposed) {
    std::swap(rows, columns);
    if (role != Role::accumulator) role = role == Role::a ? Role::b : Role::a;
  }
  const std::uint32_t packed = fragment.per_register();
  for (std::uint32_t e = 0; e < fragment.elements(); ++e)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t group = lane / 4, in_group = lane % 4;
      std::uint32_t row = 0, column = 0;
      if (role == Role::accumulator) {  // tiles of 16 x 8, or of 8 x 8
        const std::uint32_t of_tile = std::min(rows, 16u) / 4, tile = e / of_tile, at = e % of_tile;
        row = group + 8 * (at / 2) + (columns == 8 ? 16 * tile : 0);
        column = 2 * in_group + at % 2 + (columns == 8 ? 0 : 8 * tile);
      } else {  // A in tiles of 16 (or 8) x k, B in tiles of k x 8
        const std::uint32_t length = role == Role::a ? columns : rows,
                            across = role == Role::a ? std::min(rows, 16u) : 8,
                            of_tile = across * length / kLanes / packed;
        const std::uint32_t tile = e / packed / of_tile, number = e / packed % of_tile;
        const std::uint32_t halves = across / 8;
        const std::uint32_t along = number / halves * 4 * packed + in_group * packed + e % packed;
        const std::uint32_t beside = group + 8 * (number % halves) + across * tile;
        row = role == Role::a ? beside : along;
        column = role == Role::a ? along : beside;
      }
      if (transposed) std::swap(row, column);
      fragment.places.push_back(static_cast<std::uint16_t>(row * fragment.columns + column));
    }
}

/// Registers of `fragment`, which may be repeated.
void Decoder::matrix_registers(const ptx::Operand& operand, Fragment& fragment, bool is_written,
                               std::size_t repeated_to) {
  const std::vector<ptx::Operand> one{operand};
  const auto& elements = operand.kind == ptx::OperandKind::vector ? operand.elements : one;
  const std::size_t own = fragment.elements() / fragment.per_register();
  if (elements.size() != std::max(own, repeated_to)) fail(Id::unsupported_operands);
  const char letter = fragment.is_wide() ? 'l' : 'w';
  for (const auto& element : elements)
    fragment.registers.push_back(is_written ? destination(element, letter)
                                            : source(element, letter));
}

void Decoder::finish_matrix(MatrixOp matrix, Op& op) {
  op.kind = OpKind::matrix;
  op.s[3] =
      constant(kAllLanes, false);  // the lanes that must come, as of all that is done by a warp
  op.target = static_cast<std::int32_t>(program_->matrices.size());
  program_->matrices.push_back(std::move(matrix));
}

namespace {

/// wmma's fragments of f16 have 8 registers.
std::size_t repeated_to(bool is_wmma, const Fragment& fragment) {
  return is_wmma && fragment.type == ElementType::f16 &&
                 fragment.role != Fragment::Role::accumulator
             ? 8
             : 0;
}

}  // namespace

/// mma.sync.aligned.shape.row.col[.satfinite].dtype.atype.btype.ctype d, a, b, c, and wmma.mma, where f16 has no atype and
/// btype.
void Decoder::decode_mma(const ptx::Instruction& in, Op& op) {
  using Role = Fragment::Role;
  const bool is_wmma = in.root() == "wmma";
  if (in.operands.size() != 4) fail(Id::unsupported_operands);
  const auto shape = shape_of(in);
  std::vector<ElementType> types;
  for (std::size_t k = in.parts.size(); k-- > 0;)
    if (ptx::type_from_name(in.parts[k]) || in.parts[k] == "tf32")
      types.insert(types.begin(), element_type(in.parts[k]));
  if (types.size() == 2) types = {types[0], ElementType::f16, ElementType::f16, types[1]};
  MatrixOp matrix;
  matrix.saturates = in.has("satfinite");
  matrix.d = fragment_of(Role::accumulator, shape, types[0]);
  matrix.a = fragment_of(Role::a, shape, types[1]);
  matrix.b = fragment_of(Role::b, shape, types[2]);
  matrix.c = fragment_of(Role::accumulator, shape, types[3]);
  matrix_registers(operand(in, 0), matrix.d, true, 0);
  matrix_registers(operand(in, 1), matrix.a, false, repeated_to(is_wmma, matrix.a));
  matrix_registers(operand(in, 2), matrix.b, false, repeated_to(is_wmma, matrix.b));
  matrix_registers(operand(in, 3), matrix.c, false, 0);
  finish_matrix(std::move(matrix), op);
}

Slot Decoder::matrix_scratch(std::size_t number) {
  while (matrix_scratch_.size() <= number)
    matrix_scratch_.push_back(std::exchange(next_slot_, next_slot_ + 128));
  return matrix_scratch_[number];
}

/// wmma.load.a|b|c and wmma.store.d. A GPU does it with plain accesses of the lanes, as here: as wide as what a lane holds
/// lies together.
void Decoder::decode_wmma_access(const ptx::Instruction& in, Op& op) {
  using Role = Fragment::Role;
  const bool is_store = in.has("store");
  const Role role = in.has("a") ? Role::a : in.has("b") ? Role::b : Role::accumulator;
  const ElementType type = element_type(in.parts.back());
  const ProductShape shape = shape_of(in);
  const bool is_factor = role != Role::accumulator;
  const auto k = type == ElementType::tf32 ? 8 : type == ElementType::f64 ? 4 : 16;
  const bool is_of_sum = type == ElementType::f32 || type == ElementType::s32;
  const bool is_of_factor = !is_of_sum && type != ElementType::f16 && type != ElementType::f64;
  if ((is_factor ? is_of_sum || shape.k != k : is_of_factor) ||
      (type == ElementType::f64) != (shape.k == 4) ||
      (in.operands.size() != 2 && in.operands.size() != 3))
    fail(Id::unsupported_operands);
  MatrixOp matrix;
  matrix.kind = is_store ? MatrixOp::Kind::store : MatrixOp::Kind::load;
  matrix.is_column_major = in.has("col");
  matrix.d = fragment_of(role, shape, type);
  Fragment& fragment = matrix.d;
  matrix_registers(operand(in, is_store ? 1 : 0), fragment, !is_store, repeated_to(true, fragment));
  op.s[1] = in.operands.size() == 3
                ? source(operand(in, 2), 'w')
                : constant(matrix.is_column_major ? fragment.rows : fragment.columns, false);

  const std::uint32_t bytes = bytes_of(type), packed = fragment.per_register();
  const auto lies_together = [&](std::uint32_t width) {
    const std::uint32_t step = matrix.is_column_major ? fragment.columns : 1;
    for (std::size_t at = 0; at < fragment.places.size(); ++at)
      if (at / kLanes % width != 0 && fragment.places[at] != fragment.places[at - kLanes] + step)
        return false;
    return true;
  };
  for (const std::uint32_t width : {packed, 2 * packed})
    if (width * bytes <= 16 && fragment.elements() % width == 0 && lies_together(width))
      matrix.width = width;
  const bool is_split = matrix.width < packed;
  const std::uint32_t register_bytes = fragment.is_wide() ? 8 : 4;
  const auto first = static_cast<std::uint32_t>(program_->memory_ops.size());
  for (std::uint32_t e = 0; e < fragment.elements(); e += matrix.width) {
    auto& memory = new_memory_op(in, op, is_store, is_split ? bytes : register_bytes,
                                 is_split ? 1 : matrix.width / packed);
    memory.register_is_64_bit = fragment.is_wide();
    for (std::uint32_t n = 0; n < memory.count; ++n)
      memory.data[n] = is_split ? matrix_scratch(e) : fragment.registers[e / packed + n];
    decode_address(operand(in, is_store ? 0 : 1), memory, op);
  }
  op.aux = first;
  if (is_split)
    for (std::uint32_t e = 0; e < fragment.elements(); e += packed) {
      PackOp pack{.elements = {}, .element_bits = 8 * bytes, .whole_is_64_bit = false};
      for (std::uint32_t n = 0; n < packed; ++n) pack.elements.push_back(matrix_scratch(e + n));
      matrix.packs.push_back(static_cast<std::uint32_t>(program_->packs.size()));
      program_->packs.push_back(std::move(pack));
    }
  finish_matrix(std::move(matrix), op);
}

/// ldmatrix.sync.aligned.m8n8.x1|x2|x4[.trans][.shared].b16 r, [p]: lane i has the address of row i of 8 x, one matrix after
/// another. stmatrix.sync.aligned.m8n8.x1|x2|x4[.trans][.shared].b16 [p], r: the same the other way.
void Decoder::decode_ldmatrix(const ptx::Instruction& in, Op& op) {
  const bool is_store = in.root() == "stmatrix";
  const std::uint32_t count = in.has("x4") ? 4 : in.has("x2") ? 2 : 1;
  if (in.operands.size() != 2) fail(Id::unsupported_operands);
  MatrixOp matrix;
  matrix.kind = is_store ? MatrixOp::Kind::stored_rows : MatrixOp::Kind::rows;
  matrix.is_transposed = in.has("trans");
  matrix.address_lanes = kAllLanes >> (kLanes - 8 * count);
  const auto& held = operand(in, is_store ? 1 : 0);
  if (held.kind != ptx::OperandKind::vector || held.elements.size() != count)
    fail(Id::unsupported_operands);
  for (const auto& element : held.elements)
    matrix.d.registers.push_back(is_store ? source(element, 'w') : destination(element, 'w'));
  auto& memory = new_memory_op(in, op, is_store, 4, 4);
  for (std::size_t n = 0; n < 4; ++n) {
    matrix.scratch.push_back(matrix_scratch(n));
    memory.data[n] = matrix.scratch.back();
  }
  decode_address(operand(in, is_store ? 0 : 1), memory, op);
  finish_matrix(std::move(matrix), op);
}

void Decoder::decode_movmatrix(const ptx::Instruction& in, Op& op) {
  MatrixOp matrix;
  matrix.kind = MatrixOp::Kind::transpose;
  matrix.is_transposed = true;
  matrix.d.registers = {destination(operand(in, 0), 'w')};
  matrix.scratch = {source(operand(in, 1), 'w')};
  finish_matrix(std::move(matrix), op);
}

}  // namespace labkit::simt
