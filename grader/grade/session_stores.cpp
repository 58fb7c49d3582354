// Session's part about who stored what is wrong: the line, the thread and the block. What was compared does not tell; the
// launch is run once more, on one host thread and without any check, with a watch on the first wrong element of each array.
#include <algorithm>

#include "grade/session.h"

namespace labkit::lab {
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

void Session::tell_who_stored(const Case& one) {
  std::vector<Mismatch>& mismatches = current_->mismatches;
  const std::vector<device::BytesOf> places = places_of(one, mismatches);
  if (places.empty()) return;
  const auto watch = [&](Purpose purpose) {
    device::Plan plan = make_plan({one}, purpose);
    device::PlannedLaunch& planned = plan.launches[0];
    planned.check = planned.want_counters = planned.want_time = false;
    planned.watch_stores = places;
    planned.thread_instruction_budget = launch_budget(one);  // it ended within it before
    std::vector<observe::StoredBy> stored = devices_.simulator->run(plan).at(0).stored;
    if (stored.size() != places.size()) stored.clear();
    return stored;
  };
  const std::vector<observe::StoredBy> stored = watch(Purpose::check);
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
  if (!lacks_a_line || !has_unoptimised(one)) return;
  const std::vector<observe::StoredBy> again = watch(Purpose::check_unoptimised);
  if (again.empty()) return;
  for (std::size_t i = 0; i < mismatches.size(); ++i) {
    if (!mismatches[i].stored || mismatches[i].stored->where.line != 0) continue;
    const observe::StoredBy& known = again[kEach * i + (mismatches[i].never_written ? 1 : 0)];
    if (is_same_store(known, *mismatches[i].stored)) mismatches[i].stored = known;
  }
}

}  // namespace labkit::lab
