// A kernel launch as data: grid, block, arguments, buffers. Knows neither the simulator nor CUDA.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "launch/cause.h"
#include "words/message.h"

namespace labkit::launch {

/// CUDA's dim3. All components >= 1 in a valid launch.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};
/// "64x64", "256", "8x8x2" -> Dim3; nullopt if malformed or a component is 0 or over 2^31-1.
std::optional<Dim3> parse_dim3(std::string_view text);
std::string to_string(const Dim3& dim);
/// A thread or a block: "(1,0,0)".
std::string triple(const Dim3& dim);
/// The same as CUDA's own assert() writes it: "[1,0,0]".
std::string bracketed(const Dim3& dim);

enum class Element : std::uint8_t { u8, u16, i32, i64, f16, f32, f64 };
std::uint32_t size_bytes(Element element);
std::string_view name_of(Element element);
std::optional<Element> element_from_name(std::string_view name);
/// `call` with a value of the element's type in C++; of an f16 its bits.
template <typename Call>
auto with_type_of(Element element, const Call& call) {
  switch (element) {
    case Element::u8:
      return call(std::uint8_t{});
    case Element::u16:
    case Element::f16:
      return call(std::uint16_t{});
    case Element::i32:
      return call(std::int32_t{});
    case Element::i64:
      return call(std::int64_t{});
    case Element::f32:
      return call(float{});
    case Element::f64:
      return call(double{});
  }
  __builtin_unreachable();
}

/// What a buffer holds before the launch. `poison` counts as not written, the others as written.
enum class Fill : std::uint8_t { random, iota, zero, poison, given };

/// Of random numbers: from `low` up to, and without, `high`.
struct Range {
  double low = -1, high = 1;
};
/// Device memory, owned by a plan; launches refer to it by index.
struct Buffer {
  std::string name;  ///< how messages call it ("in", "argument 2")
  Element element = Element::f32;
  std::uint64_t count = 0;  ///< elements; 0 is legal: the kernel gets a non-null pointer to nothing
  Fill fill = Fill::poison;
  std::uint64_t seed = 0;            ///< for random: contents depend on seed and index only
  std::optional<Range> range = {};   ///< for random, instead of initial_contents()' own
  std::vector<std::byte> data = {};  ///< contents before the launch if fill == given
  /// Instead of `data`, where somebody else holds them, too.
  std::shared_ptr<const std::vector<std::byte>> shared = nullptr;
  bool is_output = false;  ///< contents are wanted back
  /// Of structures: which bytes of each belong to no member, so that nobody misses a value there. Empty: none.
  std::vector<bool> padding = {};
  std::uint64_t size_in_bytes() const { return count * size_bytes(element); }
  const std::vector<std::byte>& given() const { return shared ? *shared : data; }
};
/// 0xFF in every byte: a quiet NaN of a known payload as f16, f32 and f64, -1 as an integer.
inline constexpr std::byte kPoison{0xff};
/// The bytes the buffer holds before a launch, by its fill rule. random: floating point uniform in
/// [-1, 1), u8 and u16 any value, i32 and i64 0 to 1023 (so that they can serve as small indices).
/// iota: 0, 1, 2, ..., converted to the type.
std::vector<std::byte> initial_contents(const Buffer& buffer);
/// IEEE binary16 nearest to `value`, ties to even.
std::uint16_t half_bits(float value);
/// The value of an IEEE binary16.
float half_value(std::uint16_t bits);

struct BufferRef {
  std::uint32_t index = 0;
  std::uint64_t offset_bytes = 0;
};
/// One kernel parameter: a buffer's address, or the bytes of a scalar or a struct by value.
using Argument = std::variant<BufferRef, std::vector<std::byte>>;
template <typename T>
Argument scalar(T value) {
  std::vector<std::byte> bytes(sizeof value);
  __builtin_memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

struct Launch {
  std::string kernel;      ///< name expression as in the source ("transpose<float>")
  std::string entry = {};  ///< mangled name in the PTX
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments = {};
};

/// What went wrong while a kernel ran, or what a check found.
enum class FindingKind : std::uint8_t {
  race,
  out_of_bounds,
  misaligned,
  uninitialized,
  barrier,
  assertion,
  budget,
  trap,
  unsupported,
  launch
};
enum class Severity : std::uint8_t { error, warning };
/// "race", "out_of_bounds", ...; of an assertion "assert".
std::string_view name_of(FindingKind kind);
using words::SourceLine;
/// The array that an address lies in or beside, as the launch has it.
struct Extent {
  std::string name;  ///< "in", "tile"; "": not known
  std::uint64_t begin = 0, bytes = 0;
};
/// How the source declares that array, in shared memory or as structures that a parameter points to: the addresses know
/// only how many bytes it has.
struct Declaration {
  std::vector<std::uint64_t> extents;  ///< outermost first; 0, the first alone: left to the launch
  std::uint32_t element_bytes = 0;     ///< of one number; 0: nothing is known
  /// Of structures: what is in one of them. Several numbers, or one array of `member_extent` numbers.
  std::vector<std::string> members;
  std::uint64_t member_extent = 0;
  bool known() const { return element_bytes != 0; }
  /// "tile[3][16]", "z[5].part[2]": number `index` from the beginning, and behind the end as if the array went on. Only
  /// where it is known.
  std::string element(const std::string& array, std::uint64_t index) const;
};
/// What a thread does to memory.
enum class Access : std::uint8_t { none, read, write, atomic };
std::string_view name_of(Access access);  ///< "none", "read", "write", "atomic"
struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  Severity severity = Severity::error;
  /// As far as the observer can tell; explain/defect.h refines it by the whole result.
  Cause cause = Cause::none;
  /// What the fields below do not say, in the order in which it is read: what was seen, then how it comes about.
  std::vector<words::Message> evidence;
  words::Message fix;  ///< what to do; Id::none where the evidence says it
  std::string space;   ///< "global", "shared", "local", ... or empty
  Access access = Access::none, other_access = Access::none;  ///< at `where`, and at `other`
  std::string kernel;
  SourceLine where, other;  ///< `other`: the second line of a race
  /// Of those, where it stands itself, in a function that was brought in at that line; line 0: there.
  SourceLine where_inside, other_inside;
  Dim3 thread{0, 0, 0}, block{0, 0, 0}, other_thread{0, 0, 0}, other_block{0, 0, 0};
  std::uint64_t address = 0;
  std::uint32_t access_bytes = 0;  ///< of one lane, at `address`; 0: not known
  /// uninitialized: the first byte of those that nobody has written.
  std::uint32_t unwritten_from = 0;
  Extent array;
  Declaration declared;  ///< of that array
  std::string hazard;    ///< of a race: "RAW", "WAR" or "WAW" (a write may be an atomic); else ""
  /// Of the warp of `thread`, bit i is lane i. out_of_bounds: whose address is outside, and who of that access is inside.
  /// barrier: who waits at `where`, and who never reaches it. Both 0: not known.
  std::uint32_t lanes = 0, other_lanes = 0;
  std::uint64_t count = 1;  ///< how often the same was seen
};

/// The finding has that sentence among its evidence.
bool has_evidence(const Finding& finding, words::Id id);
/// The first finding of severity error; null: there is none.
const Finding* first_error(std::span<const Finding> findings);
bool has_kind(std::span<const Finding> findings, FindingKind kind);

}  // namespace labkit::launch
