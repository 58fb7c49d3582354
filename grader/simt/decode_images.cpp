// tex, tld4, txq, suld, sust and suq of objects that are addressed by handles.
#include "simt/access.h"
#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;

void Decoder::decode_fetch(const ptx::Instruction& in, Op& op) {
  using Kind = ImageOp::Kind;
  // a level of detail: textures have but one
  if (in.operands.size() != (in.has("level") ? 3 : 2)) fail(Id::unsupported_operands);
  decode_data(in, 0, false, op);
  const bool gathers = in.root() == "tld4";
  decode_image(in, operand(in, 1),
               {.kind = gathers ? Kind::gather : Kind::fetch,
                .component = gathers ? word_of(in, {"r", "g", "b", "a"}) : std::uint8_t{0},
                .is_integer = type_from_end(in, 0) == ptx::Type::s32},
               op);
}

void Decoder::decode_surface(const ptx::Instruction& in, Op& op) {
  using Kind = ImageOp::Kind;
  if (in.operands.size() != 2) fail(Id::unsupported_operands);
  const bool is_store = in.root() == "sust";
  decode_data(in, is_store ? 1 : 0, is_store, op);
  decode_image(in, operand(in, is_store ? 0 : 1),
               {.kind = is_store ? Kind::store : Kind::load,
                .boundary = static_cast<ImageOp::Boundary>(word_of(in, {"trap", "clamp", "zero"})),
                .is_integer = true},
               op);
}

void Decoder::decode_query(const ptx::Instruction& in, Op& op) {
  using Kind = ImageOp::Kind;
  if (in.operands.size() != 2 || !operand(in, 1).elements.empty()) fail(Id::unsupported_operands);
  decode_data(in, 0, false, op);
  decode_handle(operand(in, 1),
                {.kind = in.root() == "txq" ? Kind::ask_texture : Kind::ask_surface,
                 .component = word_of(in, {"width", "height", "depth"})},
                op);
}

/// `address`: [handle, {x, y, z, z}]. It is no access of an address space that anybody counts.
void Decoder::decode_image(const ptx::Instruction& in, const ptx::Operand& address, ImageOp image,
                           Op& op) {
  image.directions = static_cast<std::uint8_t>(word_of(in, {"1d", "2d", "3d"}) + 1);
  const std::size_t written = image.directions == 3 ? 4 : image.directions;
  if (address.elements.size() != 1 || address.elements[0].kind != ptx::OperandKind::vector ||
      address.elements[0].elements.size() != written)
    fail(Id::unsupported_operands);
  decode_handle(address, image, op);
  for (std::size_t k = 0; k < image.directions; ++k)
    op.s[k + 1] = source(address.elements[0].elements[k], 'w',
                         image.is_integer ? ptx::Type::s32 : ptx::Type::f32);
}

void Decoder::decode_handle(const ptx::Operand& address, const ImageOp& image, Op& op) {
  if (address.kind != ptx::OperandKind::address || address.base != ptx::OperandKind::reg ||
      address.offset != 0)
    fail(Id::unsupported_operands);
  if (class_of(f_->ptx->registers[address.id].type) != RegisterClass::twice)
    fail(Id::unsupported_width, address.name);
  op.kind = OpKind::image;
  op.s[0] = register_slot(address.id);
  op.target = static_cast<std::int32_t>(program_->images.size());
  program_->images.push_back(image);
  program_->facts.uses_images = true;
  program_->memory_ops[op.aux].space = kGlobalSpace;
  auto& facts = program_->instructions[op.index];
  facts.is_load = facts.is_store = false;
  facts.space = ptx::Space::reg;
  facts.bytes_per_lane = facts.counted_bytes = 0;
}

}  // namespace labkit::simt
