#include "observe/undefined_words.h"

#include "observe/thread_values.h"
#include "simt/definedness.h"

namespace labkit::observe {
namespace {

std::string use_text(const simt::UndefinedUse& use, const Places& places) {
  const auto line = spelled(places.line(use.instruction));
  switch (use.kind) {
    case simt::UndefinedUse::Kind::address:
      return "The value decides an address at " + line + ".";
    case simt::UndefinedUse::Kind::predicate:
      return "The value decides a condition at " + line + ".";
    case simt::UndefinedUse::Kind::output: {
      const auto array = places.array(ptx::Space::global, use.address);
      return (places.line(use.instruction).line == 0 ? std::string("What is computed from it")
                                                     : "What " + line + " computes from it") +
             " is left in global memory" + (array.empty() ? "" : " (" + array + ")") + ".";
    }
  }
  return {};
}

bool is_unset_variable(const simt::UndefinedUse& use) {
  return use.origin_space == ptx::Space::reg && use.origin_address == simt::kNeverSet;
}

bool is_own_array(const simt::UndefinedUse& use, const simt::Program& program) {
  return use.origin_space == ptx::Space::local && picks_element(program, use.origin);
}

std::string fix(const simt::UndefinedUse& use, const simt::Program& program) {
  if (is_unset_variable(use))
    return "give the variable a value where it is declared, or on every way that leads here";
  switch (use.origin_space) {
    case ptx::Space::shared:
      return "see which thread should have written this element, and what kept it from that: every "
             "element of the array that is read has to be written (zeros where there is no input, "
             "and "
             "only there), and is found in the same way, with the same pitch, where it is read";
    case ptx::Space::reg:
      return "let every lane that is read from come to the shuffle, named by the mask of all (put "
             "the "
             "shuffle where the whole warp passes), or do not use what comes from the others";
    case ptx::Space::local:
      if (!is_own_array(use, program)) return "give the variable a value when it is declared";
      // who lets the thread pick the element means one array for all of them
      return address_differs_by_thread(program, use.origin)
                 ? std::string(kNotShared) +
                       ", so that one array serves the block; without that each thread fills and "
                       "reads a copy of its own"
                 : "give each element a value before it is read (= {} where the array is declared "
                   "sets all to 0)";
    default:
      return "see whether it is to be read at all: where an input is meant, name that array; where "
             "a sum is to begin, store first (= instead of +=)";
  }
}

}  // namespace

launch::Finding undefined_finding(const simt::UndefinedUse& use, const Places& places) {
  launch::Finding finding;
  finding.kind = launch::FindingKind::uninitialized;
  finding.space = std::string(ptx::name_of(use.origin_space));
  finding.kernel = places.kernel();
  finding.where = places.line(use.origin);
  finding.other = places.line(use.instruction);
  finding.where_inside = places.inside(use.origin);
  finding.other_inside = places.inside(use.instruction);
  finding.thread = places.thread(use.origin_thread);
  finding.other_thread = places.thread(use.thread);
  finding.block = finding.other_block = places.block(use.block);
  finding.address = use.origin_address;
  finding.count = use.count;
  const auto instructions = simt::instructions(places.program());
  const std::uint32_t bytes =
      use.origin < instructions.size() ? instructions[use.origin].bytes_per_lane : 0;
  const auto array = places.array(use.origin_space, use.origin_address);
  if (is_unset_variable(use)) {
    // one of the thread's own, whether the compiler keeps it in a register or in local memory
    finding.space = std::string(ptx::name_of(ptx::Space::local));
    finding.thread = finding.other_thread;
    finding.address = 0;
    finding.text = std::string(kUnsetVariable) + "\nat " + finding.kernel + " in " +
                   spelled(finding.where) + "\nby thread " + triple(finding.thread) + " in block " +
                   triple(finding.block) +
                   "\nNothing has set the variable on the way here: it holds anything\n" +
                   use_text(use, places) + "\nFix: " + fix(use, places.program()) + ".";
    return finding;
  }
  finding.access_bytes = bytes;
  // what is told is the first byte; an access begins at a multiple of its size
  if (bytes != 0 && use.origin_space != ptx::Space::reg) {
    finding.unwritten_from = static_cast<std::uint32_t>(use.origin_address % bytes);
    finding.address -= finding.unwritten_from;
  }
  finding.array = places.extent(use.origin_space, use.origin_address);
  if (use.origin_space == ptx::Space::reg) {
    finding.space.clear();
    finding.text = "Undefined value from a shuffle\nat " + finding.kernel + " in " +
                   spelled(finding.where) + "\nby thread " + triple(finding.thread) + " in block " +
                   triple(finding.block) + "\nLane " + std::to_string(use.origin_address) +
                   ", from which it reads, does not take part: it is not named by the mask, has "
                   "exited, or went another way\n" +
                   use_text(use, places) + "\nFix: " + fix(use, places.program()) + ".";
    return finding;
  }
  finding.text =
      std::string("Uninitialized ") + sanitizer_space(use.origin_space) + " memory read of size " +
      std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + "\nat " + finding.kernel +
      " in " + spelled(finding.where) + "\nby thread " + triple(finding.thread) + " in block " +
      triple(finding.block) + "\nAddress " + hex(use.origin_address) +
      (array.empty() ? "" : " (" + array + ")") +
      (is_own_array(use, places.program())
           ? std::string(" is in ") + kOwnArray + ", and this thread has not written to it\n"
           : " was never written\n") +
      use_text(use, places) + "\nFix: " + fix(use, places.program()) + ".";
  return finding;
}

}  // namespace labkit::observe
