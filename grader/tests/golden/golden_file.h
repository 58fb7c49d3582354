// A golden test: a PTX kernel named `golden` and, in `//!` comments before it, how it is launched,
// what it reads and what it must write. The expected words were recorded on a GPU (golden_record)
// and hold for every machine that runs PTX.
//
//   // What is shown, in prose: not read by anything.
//   //! recorded NVIDIA H200, driver 580.159, 2026-11-21        who produced the expected words,
//   and when
//   //! launch grid 1 block 64 shared 128                       CUDA's dim3: 64 or 8x8x2; shared:
//   dynamic bytes, optional
//   //! in v b32                                                a buffer, read only; its words
//   follow, in hex
//   //!   00000000 7fffffff 80000000
//   //! arg n b32                                               a parameter by value (several
//   words: an array)
//   //!   00000010
//   //! out o f32 2                                             a buffer of rows of 2 words; starts
//   as bytes a5
//   //! row rcp.approx.f32 within 2 ulp                         one row, named after what wrote it;
//   its expected words
//   //!   3f800000 7f800000
//   //! inout m b32 2                                           a buffer with rows that starts with
//   the words that follow
//   //!   00000000 00000000
//   //! row atom.add.u32
//   //!   00000001 00000001
//
// The order of in, out, inout and arg is the order of the kernel's parameters; a buffer's parameter
// is its address. Types: b8 b16 b32 b64, and f16 bf16 f32 f64 for rows with a tolerance. `within N
// ulp`, `within X abs` and `within X abs or N ulp` are for the instructions that the PTX ISA calls
// approximate; all others are compared bit by bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::golden {

enum class Element { b8, b16, b32, b64, f16, bf16, f32, f64 };
std::size_t size_bytes(Element element);

struct Tolerance {
  std::optional<std::uint64_t> ulp;
  std::optional<double> absolute;
  bool exact() const { return !ulp && !absolute; }
};

struct Row {
  std::string label;  ///< "add.sat.s32"
  Tolerance tolerance;
  std::vector<std::uint64_t> expected;  ///< empty: not recorded yet
  std::size_t line = 0;  ///< of the `//! row`, from 1; its words follow until the next directive
};

enum class Role { in, out, inout, arg };

struct Parameter {
  Role role = Role::in;
  std::string name;
  Element element = Element::b32;
  std::vector<std::uint64_t> initial;  ///< in, inout, arg: what is given; out: empty
  std::size_t row_words = 0;           ///< out, inout: elements in a row
  std::vector<Row> rows;

  bool is_buffer() const { return role != Role::arg; }
  bool is_checked() const { return role == Role::out || role == Role::inout; }
  std::size_t size_in_bytes() const;
  /// Contents before the launch; an `out` is filled with a5.
  std::vector<std::byte> initial_bytes() const;
};

struct GoldenFile {
  std::filesystem::path path;
  std::string text;      ///< the whole file; valid PTX
  std::string recorded;  ///< "NVIDIA H200, driver 580.159, 2026-11-21"; empty: never
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  unsigned target = 0;  ///< 75 for `.target sm_75`: the least compute capability that runs it
  std::vector<Parameter> parameters;
};

/// What is wrong with a file: "add.ptx:7: ...".
class FormatError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

GoldenFile parse(const std::filesystem::path& path, std::string text);
GoldenFile read(const std::filesystem::path& path);
/// Every *.ptx of a folder, sorted by name.
std::vector<std::filesystem::path> scan(const std::filesystem::path& folder);

/// Bytes of each parameter after the launch, in the file's order; those that are not checked are
/// ignored.
using Outcome = std::vector<std::vector<std::byte>>;
/// One line per word that differs ("o32, row add.u32, word 3: expected 7fffffff, got 80000000"), at
/// most `limit`, then how many more; empty if the outcome is as expected. A row never recorded is a
/// difference.
std::vector<std::string> differences(const GoldenFile& file, const Outcome& outcome,
                                     std::size_t limit = 8);
/// The text with the outcome as expected words and `recorded` as its origin.
std::string with_expected(const GoldenFile& file, const Outcome& outcome,
                          std::string_view recorded);

}  // namespace labkit::golden
