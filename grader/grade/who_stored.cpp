// Who stored what is wrong: the line, the thread and the block. What was compared does not tell; the
// launch is run once more, on one host thread and without any check, with a watch on the first wrong element of each array.
#include <algorithm>

#include "grade/steps.h"

namespace labkit::grade {
namespace {

constexpr std::size_t kEach =
    2;  ///< watched of a mismatch: the wrong element, and stored_element()

/// The buffer of a plan of its own that the case's array of that name is, and its array.
const ArrayData* find_array(const Case& one, const std::string& name, std::uint32_t& buffer) {
  buffer = 0;
  for (const Argument& argument : one.arguments) {
    if (!argument.array()) continue;
    if (argument.array()->name == name) return argument.array().get();
    ++buffer;
  }
  return nullptr;
}

/// kEach for each mismatch; empty: not all can be.
std::vector<device::BytesOf> places_of(const Case& one, const std::vector<Mismatch>& mismatches) {
  std::vector<device::BytesOf> places;
  for (const Mismatch& m : mismatches) {
    std::uint32_t buffer = 0;
    const ArrayData* array = find_array(one, m.array, buffer);
    if (array == nullptr) return {};
    const std::uint64_t bytes = launch::size_bytes(array->element);
    const Mismatch::Element wrong{m.row, m.col};
    for (const auto& [row, col] : {wrong, m.stored_element().value_or(wrong)})
      places.push_back({buffer, (row * m.cols + col) * bytes, bytes});
  }
  return places;
}

bool is_same_store(const observe::StoredBy& a, const observe::StoredBy& b) {
  return a.stores == b.stores && a.thread == b.thread && a.block == b.block;
}

}  // namespace

void find_who_stored(Grading& grading, const Attempt& attempt) {
  std::vector<Mismatch>& mismatches = grading.running->result->mismatches;
  const std::vector<device::BytesOf> places = places_of(attempt.one, mismatches);
  if (places.empty()) return;
  const auto watch = [&](const Build& build) {
    device::Plan plan = plan_of(build, attempt.setup);
    plan.seed = grading.options.seed;
    plan.launches[0].watch_stores = places;
    plan.launches[0].thread_instruction_budget = attempt.budget;  // it ended within it before
    std::vector<observe::StoredBy> stored = grading.devices.simulator->run(plan).at(0).stored;
    if (stored.size() != places.size()) stored.clear();
    return stored;
  };
  const std::vector<observe::StoredBy> stored = watch(grading.submission.build);
  if (stored.empty()) return;  // only where blocks race for it: it did not end this time
  bool lacks_a_line = false;
  for (std::size_t i = 0; i < mismatches.size(); ++i) {
    Mismatch& m = mismatches[i];
    const observe::StoredBy &wrong = stored[kEach * i], &before = stored[kEach * i + 1];
    if (m.never_written &&
        wrong.stores != 0) {  // what it holds is what nobody had written elsewhere
      m.never_written = false;
      m.never_written_count -= std::min<std::uint64_t>(1, m.never_written_count);
    }
    if (!m.stored_element()) continue;
    m.stored = m.never_written ? before : wrong;
    lacks_a_line |= m.stored->stores != 0 && m.stored->where.line == 0;
  }
  // the optimiser makes one instruction of several lines' stores, which then has none
  const Unoptimised* unoptimised =
      lacks_a_line ? unoptimised_of(grading, attempt.one.kernel) : nullptr;
  if (!unoptimised) return;
  const std::vector<observe::StoredBy> again = watch(unoptimised->build);
  if (again.empty()) return;
  for (std::size_t i = 0; i < mismatches.size(); ++i) {
    if (!mismatches[i].stored || mismatches[i].stored->where.line != 0) continue;
    const observe::StoredBy& known = again[kEach * i + (mismatches[i].never_written ? 1 : 0)];
    if (is_same_store(known, *mismatches[i].stored)) mismatches[i].stored = known;
  }
}

}  // namespace labkit::grade
