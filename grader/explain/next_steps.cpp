// The next step after each kind of verdict and defect.
#include "explain/words.h"

namespace labkit::explain {
namespace {

constexpr struct {
  std::string_view kind, text;
} kNext[] = {
    {"untouched", "Read README.md beside kernel.cu, then fill in the first TODO."},
    {"compile_error", "Fix the first error first; others may follow from it."},
    {"compile_error.no_source", "Put your kernel into that file again, and save it as plain text."},
    {"compile_limit", "Look for a template, an unrolled loop or a table that grows without end."},
    {"missing_kernel",
     "Keep the kernel's name, its template parameter and its parameters as they were given."},
    {"signature", "Put the parameter list back as it was given; the launch depends on it."},
    {"unsupported",
     "Write that line in plain CUDA C++; the simulator refuses what it does not know rather than "
     "guess."},
    {"launch",
     "See that the kernel asks for no more threads, shared memory or registers than a block may "
     "have."},
    {"launch.too_many_registers",
     "Hold the compiler to what there is, as the message says; and see what makes a thread hold so "
     "many values at once."},
    {"out_of_bounds",
     "Compare the indices in that line with the sizes the kernel was given, before touching "
     "memory."},
    {"out_of_bounds.null_pointer",
     "Follow the pointer of that line back to where it gets its value: no array lies at address "
     "0."},
    {"misaligned",
     "A vector access needs an address that is a multiple of its size, also at odd offsets and in "
     "the tail."},
    {"race", "Two threads meet at one address with no barrier between them."},
    {"race.missing_syncwarp",
     "Lanes of a warp are not in lockstep: what one hands to another needs __syncwarp() between "
     "the "
     "store and the load."},
    {"race.missing_syncwarp_in_loop",
     "Lanes of a warp are not in lockstep: in a loop they have to meet twice per iteration, before "
     "what was stored is read, and before it is stored again."},
    {"race.lost_update",
     "Several threads change one element: give it to one of them, or use an atomic operation."},
    {"race.read_and_store_in_one_statement",
     "One statement reads and stores, and what it reads another thread stores in the same one: "
     "read "
     "first, let the threads meet, then store."},
    {"race.same_element", "See that no two threads work out the same index for a store."},
    {"race.rows_overlap",
     "See by what the row is multiplied, and what its column is compared with: rows have run into "
     "one another."},
    {"race.between_blocks",
     "Blocks run in any order, and no barrier orders them: let the block that writes an element be "
     "the one that uses it."},
    {"race.copy_not_awaited",
     "An asynchronous copy is over when its thread has waited for it; a barrier does not wait for "
     "copies."},
    {"race.missing_fence",
     "A lock makes threads wait, a fence makes what they wrote arrive: it takes both, before the "
     "lock "
     "is given back and after it is taken."},
    {"race.plain_beside_atomic", "An atomic operation protects only against other atomic ones."},
    {"uninitialized.shuffle",
     "Let every lane that is read from reach the shuffle, outside of conditions, and name it in "
     "the "
     "mask."},
    {"uninitialized",
     "Something is read that nobody wrote: see that every element is stored before it is loaded."},
    {"barrier.mask",
     "The mask must name each lane that reaches this line, and no other: 0xffffffff for a whole "
     "warp."},
    {"barrier.arguments",
     "A barrier counts whole warps: all that come to it give the same number and the same count."},
    {"barrier",
     "Every thread of the block must reach the same __syncthreads(): keep it out of branches and "
     "after no early return."},
    {"budget",
     "See that every loop moves on towards its end (step, condition); if all do, the kernel takes "
     "many times the instructions it needs, or leaves the work to a few of its threads."},
    {"budget.too_much_work",
     "Count the iterations of the loops around that line, and what one iteration covers."},
    {"budget.narrow_counter", "Count in a type that holds the number of every element."},
    {"budget.repeated_work",
     "Share the work out: each element belongs to one thread, and each thread steps over what "
     "belongs to all the others."},
    {"assert", "The assertion is yours: see what it compares."},
    {"trap",
     "The compiler puts a trap where code can only go wrong, such as an access through a null "
     "pointer; `__trap()` is one "
     "too. Look at what the line above uses."},
    {"trap.stack_overflow",
     "A thread has little room for calls within calls: see that the recursion comes to its end, or "
     "write it as a loop."},
    {"static_shared",
     "Declare the tile as `extern __shared__ float tile[];` and compute the element's place in it "
     "from blockDim.x."},
    {"launch_shape",
     "The shape is read from your file before the launch; see the comment above it in kernel.cu."},
    {"wrong_result",
     "Work the first wrong element out by hand: which thread should write it, and from where?"},
    {"wrong_result.constant",
     "Follow the stored value back to the input: what in it depends on the thread, and does any "
     "variable's type lose it on the way?"},
    {"wrong_result.first_block",
     "See that the index of the store has a part that comes from blockIdx, and that no condition "
     "asks for block 0."},
    {"wrong_result.square", "See where one size is used though the other one is meant."},
    {"wrong_result.square_missing",
     "See what x and y of this kernel's grid run over, rows or columns, and which of the two each "
     "index and each condition takes them for."},
    {"wrong_result.multiples",
     "Round the number of blocks, tiles or steps up, so that the last, partial one is included."},
    {"wrong_result.digits",
     "Compute in the same order and type as the README says: check each variable's type, and use "
     "no "
     "function that rounds differently."},
    {"wrong_result.other_element",
     "Follow this one element from its load to its store: where are row and column swapped, or not "
     "swapped?"},
    {"wrong_result.blocks_exchanged",
     "Inside the blocks it is right; see which of blockIdx.x and blockIdx.y the store uses for "
     "what."},
    {"wrong_result.input_written",
     "See which array stands on the left of the assignment at that line."},
    {"wrong_result.row_ends",
     "Find who should write the next element of the row: a later iteration, a thread that an `if` "
     "excludes, or a block whose part of the index leads elsewhere?"},
    {"wrong_result.last_rows",
     "Find who should write the next row: a later iteration, a thread that an `if` excludes, or a "
     "block whose part of the index leads elsewhere?"},
    {"wrong_result.tail",
     "There are fewer threads than elements: add a loop in which each thread handles several."},
    {"wrong_result.guard",
     "Each of these elements has a thread: check the condition before the store."},
    {"wrong_result.threads_not_adjacent",
     "See what thread 1 of the first block does: which index has it, and is it sent away?"},
    {"wrong_result.loop_step",
     "Compare how far your loop steps with how many threads this launch has."},
    {"wrong_result.never_written",
     "See which thread should write that element, and what it does instead."},
    {"input_changed", "The kernel writes to an array that it must only read."},
    {"inconclusive",
     "Your points are neither won nor lost: grade it again while nothing else uses the GPU."},
};
}  // namespace

std::string_view next_step(std::string_view verdict_kind) {
  for (const auto& [kind, text] : kNext)
    if (kind == verdict_kind) return text;
  const std::size_t dot = verdict_kind.find('.');
  return dot == std::string_view::npos ? std::string_view{}
                                       : next_step(verdict_kind.substr(0, dot));
}
}  // namespace labkit::explain
