// What a kernel's control flow says about where a barrier or a fence has to stand. Private to the files race_*.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ptx/passes.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Whether one instruction of a function can be reached from another without going back in the text. Where: in its body.
bool leads_down(const ptx::ControlFlow& flow, std::int32_t from, std::int32_t to);
/// By block: some of the ways out of the branch at the end of block `branch` come there and others do not, without the branch
/// itself once more.
std::vector<bool> decided_by(const ptx::ControlFlow& flow, std::int32_t branch);

inline bool is_fence(const ptx::Instruction& in) {
  return in.root() == "membar" || in.root() == "fence";
}

class RacePaths {
 public:
  explicit RacePaths(const simt::Program& program) : program_(program) {}

  /// Whether `to` can be executed after `from`, in the function of both; true where they are of two functions, and where the
  /// steps do not suffice to know. `around`: without passing an instruction of which it is true.
  bool leads_to(std::uint32_t from, std::uint32_t to,
                const std::function<bool(std::uint32_t)>& around = {}) const;
  /// The same without going back in the text, which is where a loop's next iteration begins.
  bool leads_down_to(std::uint32_t from, std::uint32_t to) const;
  /// The same as leads_to, from the beginning of its function.
  bool begins_with(std::uint32_t to, const std::function<bool(std::uint32_t)>& around) const;
  /// It is in a loop, or the compiler has made several of it: turns of a loop that it has unrolled.
  bool comes_again(std::uint32_t instruction) const;
  /// One that was made of the same as `instruction` stands before `end`, in the order of the text.
  bool stands_before(std::uint32_t instruction, std::uint32_t end) const;
  /// From `first` to `second` the two take turns, as a loop that was unrolled has them.
  bool takes_turns_until(std::uint32_t first, std::uint32_t second) const;
  /// Whether a condition that may hold for some threads of a block and not for others decides if `instruction` is executed.
  /// False where it is not known (values kept in local memory).
  bool only_of_some_threads(std::uint32_t instruction) const;
  /// Whether it is in a loop that some threads of a block may leave in an earlier iteration than others.
  bool loop_ends_apart(std::uint32_t instruction) const;
  /// Whether all threads of the block come by somewhere between the two, in the order of the text.
  bool meet_between(std::uint32_t upper, std::uint32_t lower) const;
  /// Both accesses are between taking a lock and giving it back (or the first before it tells, and the second after it was
  /// told, through a flag; or the first before a count, and the second by whom the count lets go on), and no fence that reaches the other thread stands before the access that lets others go on.
  struct HandOver {
    std::uint32_t taken = 0;    ///< the atomic or volatile read that a loop waits for
    std::uint32_t given = 0;    ///< the strong store that ends the other's wait
    bool is_for_block = false;  ///< there is a fence, but for the block alone
    bool is_count = false;      ///< both are one atomic function that tells who comes last
  };
  std::optional<HandOver> unfenced(std::uint32_t first, std::uint32_t second,
                                   bool between_blocks) const;

  const ptx::Instruction& text(std::uint32_t instruction) const {
    return simt::instructions(program_)[instruction].text();
  }

 private:
  bool is_copy(std::uint32_t one, std::uint32_t other) const;
  /// False once too many instructions and blocks were looked at: a kernel that is large and full of branches gets the answer
  /// that holds where nothing is known.
  bool take_steps(std::size_t steps) const;
  const simt::Program& program_;
  mutable std::size_t steps_left_ = std::size_t{1} << 26;
};

}  // namespace labkit::observe
