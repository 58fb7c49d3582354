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
     "Write that line in plain CUDA C++: the simulator refuses what it does not know."},
    {"launch", "Use no more threads, shared memory or registers than a block may have."},
    {"launch.too_many_registers",
     "Limit the registers as the message says, and keep fewer values per thread at once."},
    {"out_of_bounds",
     "Compare the indices in that line with the sizes that the kernel was given, before it touches "
     "memory."},
    {"out_of_bounds.null_pointer",
     "Follow the pointer of that line back to where it gets its value."},
    {"misaligned",
     "A vector access needs an address that is a multiple of its size, also at odd offsets and in "
     "the tail."},
    {"race", "Two threads access one address with no barrier between them."},
    {"race.missing_syncwarp",
     "Lanes of a warp do not run in lockstep: put __syncwarp() between the store and the load."},
    {"race.missing_syncwarp_in_loop",
     "Lanes of a warp do not run in lockstep: a loop needs two __syncwarp(), before the loads and "
     "before the next stores."},
    {"race.lost_update",
     "Several threads change one element: give it to one of them, or use an atomic operation."},
    {"race.read_and_store_in_one_statement",
     "One statement reads what another thread stores in it: read first, then a barrier, then "
     "store."},
    {"race.same_element", "Make sure that no two threads compute the same index for a store."},
    {"race.rows_overlap",
     "Check the length that the row is multiplied by, and the bound of the column: rows overlap."},
    {"race.between_blocks",
     "Blocks run in any order, and no barrier orders them: let the block that writes an element be "
     "the one that reads it."},
    {"race.copy_not_awaited",
     "An asynchronous copy is complete only when its thread has waited for it; a barrier does not "
     "wait for copies."},
    {"race.missing_fence",
     "A lock makes threads wait, and a fence makes their writes visible: use both, before "
     "releasing the lock and after taking it."},
    {"race.plain_beside_atomic",
     "An atomic operation protects only against other atomic operations."},
    {"uninitialized.shuffle",
     "Let every lane that is read from reach the shuffle, outside of conditions, and name it in "
     "the mask."},
    {"uninitialized", "Store every element before it is loaded."},
    {"barrier.mask",
     "The mask must name each lane that reaches this line, and no other: 0xffffffff for a whole "
     "warp."},
    {"barrier.arguments",
     "A barrier counts whole warps: all that reach it give the same number and the same count."},
    {"barrier",
     "Every thread of the block must reach the same __syncthreads(): keep it out of branches, and "
     "return after it, not before."},
    {"budget",
     "Make sure that every loop moves towards its end (step, condition). If all do, the kernel "
     "does many times the work that is needed."},
    {"budget.too_much_work",
     "Count the iterations of the loops around that line, and what one iteration covers."},
    {"budget.narrow_counter", "Count in a type that holds the number of every element."},
    {"budget.repeated_work",
     "Share the work: each element belongs to one thread, and each thread steps over the elements "
     "of all others."},
    {"assert", "The assertion is yours: check what it compares."},
    {"trap",
     "The compiler puts a trap where code can only go wrong, such as an access through a null "
     "pointer; `__trap()` is one too. Check what the line above uses."},
    {"trap.stack_overflow",
     "A thread has little room for nested calls: make the recursion end, or write it as a loop."},
    {"static_shared",
     "Declare the tile as `extern __shared__ float tile[];` and compute the element's place in it "
     "from blockDim.x."},
    {"launch_shape",
     "The shape is read from your file before the launch; see the comment above it in kernel.cu."},
    {"wrong_result",
     "Compute the first wrong element by hand: which thread should write it, and from where?"},
    {"wrong_result.constant",
     "Follow the stored value back to the input: what in it depends on the thread, and does a "
     "variable's type lose it?"},
    {"wrong_result.first_block",
     "Use blockIdx in the index of the store, and check that no condition selects block 0."},
    {"wrong_result.square", "Find where one size is used instead of the other."},
    {"wrong_result.square_missing",
     "Check what x and y of this kernel's grid run over, rows or columns, and use each index and "
     "condition accordingly."},
    {"wrong_result.multiples",
     "Round the number of blocks, tiles or steps up, so that the last, partial one is included."},
    {"wrong_result.digits",
     "Compute in the same order and type as the README says: check each variable's type, and use "
     "no function that rounds differently."},
    {"wrong_result.other_element",
     "Follow this one element from its load to its store: where does an index differ from the one "
     "that you mean?"},
    {"wrong_result.blocks_exchanged",
     "Within each block the result is right: check which of blockIdx.x and blockIdx.y the store uses for rows "
     "and for columns."},
    {"wrong_result.other_block_dimension",
     "Multiply each part of blockIdx by the same part of blockDim: blockIdx.x * blockDim.x, "
     "blockIdx.y * blockDim.y."},
    {"wrong_result.input_written",
     "Check which array is on the left of the assignment at that line."},
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
     "Check what thread 1 of the first block does: which index has it, and does a condition "
     "exclude it?"},
    {"wrong_result.loop_step",
     "Compare how far your loop steps with how many threads this launch has."},
    {"wrong_result.never_written",
     "Find the thread that should write that element, and what it does instead."},
    {"input_changed", "The kernel writes to an array that it must only read."},
    {"inconclusive", "Your points are still open: grade again while nothing else uses the GPU."},
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
