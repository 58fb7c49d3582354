// atom and red: lane by lane in lane order, so that the outcome is always the same. On global memory with several host
// threads each update is a host atomic; only operations whose order cannot matter run that way (ProgramFacts::order_matters).
#include <atomic>
#include <bit>
#include <cstring>

#include "simt/access.h"
#include "simt/limits.h"
#include "simt/worker.h"

// The lanes' meanings once more, with this file's own flags: halves are added as add.f16 adds them.
#define LABKIT_SIMD on_host
#include "simt/lanes/half.h"

namespace labkit::simt {
namespace {

std::uint16_t add_halves(std::uint64_t a, std::uint64_t b, bool brain) {
  using namespace on_host;
  const auto x = static_cast<std::uint16_t>(a), y = static_cast<std::uint16_t>(b);
  return brain ? Half<bf16>::add({x}, {y}, 0).bits : Half<f16>::add({x}, {y}, 0).bits;
}

float float_of(std::uint64_t word) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(word));
}

/// `in_global`: the memory's own adder does sums of f32, which flushes subnormals (PTX ISA, atom); in shared memory it is
/// a loop around add.f32, which keeps them.
std::uint64_t update(AtomicOp::Kind kind, ptx::Type type, std::uint64_t old, std::uint64_t b,
                     std::uint64_t c, bool in_global) {
  using Kind = AtomicOp::Kind;
  using ptx::Type;
  const bool wide = ptx::size_bytes(type) == 8;
  switch (kind) {
    case Kind::exch:
      return b;
    case Kind::cas:
      return old == b ? c : old;
    case Kind::and_:
      return old & b;
    case Kind::or_:
      return old | b;
    case Kind::xor_:
      return old ^ b;
    case Kind::inc:
      return static_cast<std::uint32_t>(old) >= static_cast<std::uint32_t>(b) ? 0 : old + 1;
    case Kind::dec:
      return old == 0 || static_cast<std::uint32_t>(old) > static_cast<std::uint32_t>(b) ? b
                                                                                         : old - 1;
    case Kind::min:
    case Kind::max: {
      const bool is_signed = type == Type::s32 || type == Type::s64;
      const auto number = [&](std::uint64_t v) {
        return static_cast<std::int64_t>(sign_extended(v, ptx::size_bytes(type)));
      };
      const bool less = is_signed ? number(b) < number(old) : b < old;
      return less == (kind == Kind::min) ? b : old;
    }
    case Kind::add:
      break;
  }
  switch (type) {
    case Type::f32:
      return std::bit_cast<std::uint32_t>(
          on_host::Flushing<on_host::Float<float>::add>::apply_modified(float_of(old), float_of(b),
                                                                        in_global ? kFtz : 0));
    case Type::f64:
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
    case Type::f16:
    case Type::bf16:
      return add_halves(old, b, type == Type::bf16);
    case Type::f16x2:
    case Type::bf16x2: {
      const bool brain = type == Type::bf16x2;
      return add_halves(old, b, brain) | std::uint32_t{add_halves(old >> 16, b >> 16, brain)} << 16;
    }
    default:
      return wide ? old + b : static_cast<std::uint32_t>(old + b);
  }
}

template <typename T, typename F>
std::uint64_t change(std::byte* at, bool parallel, const F& next) {
  auto* object = reinterpret_cast<T*>(at);
  if (!parallel) {
    T old;
    std::memcpy(&old, at, sizeof old);
    const T value = static_cast<T>(next(old));
    std::memcpy(at, &value, sizeof value);
    return old;
  }
  std::atomic_ref<T> shared(*object);
  T old = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(old, static_cast<T>(next(old)), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace

bool Worker::atomic(const Op& op, std::uint32_t mask) {
  const auto& atomic = program_.atomics[op.target];
  const auto& memory = program_.memory_ops[op.aux];
  std::uint64_t addresses[kLanes];
  std::byte* host[kLanes];
  form_addresses(op.s[0], op.imm, memory, mask, addresses);
  block_cost_ += spread_cost(addresses, mask, memory.space == kSharedSpace);
  if (!locate(memory, mask, addresses, host)) return false;
  const bool parallel = launch_.parallel && memory.space != kSharedSpace;
  auto operand = [&](int n, std::uint32_t i) -> std::uint64_t {
    if (memory.data[n] == kNoSlot) return 0;
    const auto* slot = registers + memory.data[n];
    const std::uint64_t value = read_lane(slot, memory.bytes == 8, i);
    return memory.bytes == 2 ? value & 0xFFFF : value;
  };
  for (const std::uint32_t i : LanesOf(mask)) {
    const std::uint64_t b = operand(1, i), c = operand(2, i);
    const bool in_global = memory.space != kSharedSpace && addresses[i] < kSharedWindow;
    auto next = [&](std::uint64_t old) {
      return update(atomic.kind, atomic.type, old, b, c, in_global);
    };
    const std::uint64_t old = memory.bytes == 8   ? change<std::uint64_t>(host[i], parallel, next)
                              : memory.bytes == 4 ? change<std::uint32_t>(host[i], parallel, next)
                                                  : change<std::uint16_t>(host[i], parallel, next);
    changed_ = changed_ || next(old) != old;
    if (memory.data[0] != kNoSlot)
      write_lane(registers + memory.data[0], memory.bytes == 8, i, old);
  }
  return true;
}

}  // namespace labkit::simt
