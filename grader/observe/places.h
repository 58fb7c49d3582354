// Names for what findings are about: source lines, threads, blocks, arrays.
#pragma once
#include <cstdint>
#include <string>

#include "launch/launch.h"
#include "simt/machine.h"

namespace labkit::observe {

class Places {
 public:
  /// All three must outlive it.
  Places(const simt::Program& program, const launch::Launch& launch, const simt::Memory& memory)
      : program_(program), launch_(launch), memory_(memory) {}

  std::string kernel() const;
  /// Of a header's line, the line of the kernel that brought it in. line 0: not known.
  launch::SourceLine line(std::uint32_t instruction) const;
  /// Where it stands itself, in a function of the kernel's file that was brought in at line(); line 0: in none.
  launch::SourceLine inside(std::uint32_t instruction) const;
  launch::Dim3 thread(std::uint32_t linear) const;
  launch::Dim3 block(std::uint64_t linear) const;
  /// What it lies in; no name if nothing is known.
  launch::Extent extent(ptx::Space space, std::uint64_t address) const;

  /// The launch has threads in two dimensions.
  bool has_rows_of_threads() const { return launch_.block.y * launch_.grid.y > 1; }

  const simt::Program& program() const { return program_; }
  /// The same, and line() is inside() where that is known.
  Places of_insides() const {
    Places inner = *this;
    inner.prefers_inside_ = true;
    return inner;
  }

 private:
  const simt::Program& program_;
  const launch::Launch& launch_;
  const simt::Memory& memory_;
  bool prefers_inside_ = false;
};

inline launch::Access access_of(bool is_store, bool is_atomic) {
  return is_atomic  ? launch::Access::atomic
         : is_store ? launch::Access::write
                    : launch::Access::read;
}
inline bool same_line(const launch::SourceLine& a, const launch::SourceLine& b) {
  return a.line != 0 && a == b;
}
/// The number of a thread in its block, or of a block in its grid.
inline std::uint64_t linear(const launch::Dim3& at, const launch::Dim3& size) {
  return at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z);
}
using launch::triple;
using simt::source_name;

}  // namespace labkit::observe
