// Results: what came back from a launch against what must, who stored what is wrong, what the sanitizers found in it, and
// what the sizes that came out right have in common.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "device/source_findings.h"
#include "grade/steps.h"
#include "grade/wrong_places.h"
#include "observe/checks.h"

namespace labkit::grade {
namespace {

using words::Id;

constexpr std::size_t kMaxPrinted = 2048;

/// The whole numbers that the case passes and that say how long an array of it is; all, where none does.
std::vector<std::int64_t> sizes_of(const Case& one) {
  const auto is_length = [arrays = one.arrays()](std::int64_t value) {
    const auto wanted = static_cast<std::uint64_t>(value);
    return std::ranges::any_of(arrays, [&](const ArrayData* array) {
      return array->cols == wanted || (!array->is_vector && array->rows == wanted);
    });
  };
  std::vector<std::int64_t> sizes, lengths;
  for (const Argument& argument : one.arguments) {
    if (argument.array()) continue;
    std::int64_t value = 0;
    const char* end = argument.text().data() + argument.text().size();
    if (std::from_chars(argument.text().data(), end, value).ptr != end) continue;
    sizes.push_back(value);
    if (is_length(value)) lengths.push_back(value);
  }
  // An offset or a stride is no size, where another number is.
  return lengths.empty() ? sizes : lengths;
}

bool is_of_output(const Case& one, const Mismatch& mismatch) {
  return std::ranges::any_of(one.arrays(), [&](const ArrayData* array) {
    return array->is_output && array->name == mismatch.array;
  });
}

/// Both at once: the usual cause is that input and output were swapped.
words::Message describe_changed_input(const Mismatch& input, const Mismatch& output) {
  std::vector<words::Parameter> parameters = {{"array", input.array}, {"output", output.array}};
  const bool has_line = input.stored && input.stored->where.line != 0;
  if (has_line) parameters.push_back({"where", input.stored->where});
  const bool swapped = output.never_written_count == output.total;
  return {swapped    ? has_line ? Id::input_for_output_at : Id::input_for_output
          : has_line ? Id::input_written_too_at
                     : Id::input_written_too,
          std::move(parameters)};
}

/// An input that was written where the output is wrong goes into the message, out of the list.
void report_changed_input(const Case& one, TestResult& result) {
  std::vector<Mismatch>& all = result.mismatches;
  const auto inputs = std::ranges::stable_partition(
      all, [&](const Mismatch& mismatch) { return is_of_output(one, mismatch); });
  if (inputs.empty()) return;
  result.input_written = inputs.front().array;
  if (result.message.empty())
    result.message = {describe_changed_input(inputs.front(), all.front())};
  all.erase(inputs.begin(), inputs.end());
}

/// Of a vector as long as one of the sizes some elements are wrong, and not only in its last part, which is shorter than `unit`:
/// then the length is no reason.
bool is_in_a_whole_part(const Mismatch& first, const std::vector<std::int64_t>& sizes,
                        std::uint64_t unit) {
  return first.is_vector && first.wrong != first.total &&
         std::ranges::count(sizes, static_cast<std::int64_t>(first.total)) != 0 &&
         first.col < first.total / unit * unit;
}

/// What the sizes that came out right before have in common, and this one has not. `wrong`: where it is wrong, if that is known.
std::string right_where(const Grading& grading, const Attempt& attempt,
                        const Mismatch* wrong = nullptr) {
  using Sizes = std::vector<std::int64_t>;
  const auto at = grading.right_sizes.find(attempt.kernel.name);
  if (at == grading.right_sizes.end()) return {};
  // an empty launch is right whatever the kernel does
  std::vector<Sizes> right = at->second;
  std::erase_if(right, [](const Sizes& sizes) { return std::ranges::count(sizes, 0) != 0; });
  if (right.empty()) return {};
  const Sizes own = sizes_of(attempt.one);
  const auto tells = [&](const auto& holds) {
    return std::ranges::all_of(right, holds) && !holds(own);
  };
  for (const unsigned unit : {32u, 16u, 8u, 4u, 2u})
    if (tells([&](const Sizes& sizes) {
          return std::ranges::all_of(sizes, [&](auto n) { return n % unit == 0; });
        }))
      return wrong && is_in_a_whole_part(*wrong, own, unit) ? ""
                                                            : fmt::format("multiples of {}", unit);
  // One element is as square as it is a row: it tells nothing.
  const bool any_larger = std::ranges::any_of(
      right, [](const Sizes& sizes) { return sizes.size() > 1 && sizes.front() > 1; });
  if (any_larger && tells([](const Sizes& sizes) {
        return sizes.size() > 1 &&
               std::ranges::all_of(sizes, [&](auto n) { return n == sizes.front(); });
      }))
    return "square";
  return {};
}

/// Kernels that a launch stopped for taking too long get less time in the tests after it.
void note_endless(Grading& grading, const Attempt& attempt, bool on_gpu) {
  const std::string& kernel = attempt.kernel.name;
  if (on_gpu) {
    grading.endless_on_gpu.insert(kernel);
    return;
  }
  const auto [before, is_first] = grading.endless_in.emplace(kernel, grading.running->test->name);
  if (!is_first && before->second != grading.running->test->name)
    grading.running->result->message = {
        {Id::endless_before, {{"kernel", kernel}, {"test", before->second}}}};
}

/// An error that was found in the launch is its verdict.
void fail_by_error(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                   launch::FindingKind kind, bool on_gpu) {
  using enum launch::FindingKind;
  TestResult& result = *grading.running->result;
  fail(result, name_of(kind));
  if (outcome.completed) {  // it went through and yet is at fault: whether that shows in the result
    result.mismatches = compare_all(attempt.one, outcome.outputs, true);
    if (result.mismatches.empty()) result.message = {{Id::right_by_luck}};
  }
  // what mostly goes wrong at some sizes only
  if (kind == out_of_bounds || kind == uninitialized || kind == barrier)
    result.right_where = right_where(grading, attempt);
  if (kind == budget) note_endless(grading, attempt, on_gpu);
}

/// Watched of a mismatch: the wrong element, and stored_element().
constexpr std::size_t kEach = 2;

/// kEach for each mismatch; empty: not all can be.
std::vector<device::BytesOf> places_of(const Case& one, const std::vector<Mismatch>& mismatches) {
  std::vector<device::BytesOf> places;
  const auto arrays = one.arrays();
  for (const Mismatch& m : mismatches) {
    const auto array = std::ranges::find(arrays, m.array, &ArrayData::name);
    if (array == arrays.end()) return {};
    const auto buffer = static_cast<std::uint32_t>(array - arrays.begin());
    const std::uint64_t bytes = launch::size_bytes((*array)->element);
    const Mismatch::Element wrong{m.row, m.col};
    for (const auto& [row, col] : {wrong, m.stored_element().value_or(wrong)})
      places.push_back({buffer, (row * m.cols + col) * bytes, bytes});
  }
  return places;
}

/// Of the test's mismatches, found by the simulator: the line, the thread and the block. What was compared does not tell; the
/// launch is run once more, on one host thread and without any check, with a watch on the first wrong element of each array.
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
    if (m.never_written && wrong.stores != 0) {  // it holds what nobody had written elsewhere
      m.never_written = false;
      m.never_written_count = 0;
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
    auto& stored_by = mismatches[i].stored;
    if (!stored_by || stored_by->where.line != 0) continue;
    const observe::StoredBy& known = again[kEach * i + (mismatches[i].never_written ? 1 : 0)];
    if (known.stores == stored_by->stores && known.thread == stored_by->thread &&
        known.block == stored_by->block)
      stored_by = known;
  }
}

/// Of each element that nobody wrote: what of the source keeps the store of its neighbour from it.
void find_unreached(const Grading& grading, const Attempt& attempt) {
  TestResult& result = *grading.running->result;
  show_launch(result, attempt);
  for (Mismatch& m : result.mismatches)
    if (m.never_written && m.stored && m.stored->stores != 0 && !m.stored->several_threads)
      m.unreached = device::unreached_store(
          grading.submission.source,
          {.where = m.stored->where,
           .rows = m.is_vector ? m.total : m.rows,
           .total = m.total,
           .has_rows_of_threads = attempt.one.block.y * attempt.one.grid.y > 1,
           .scalars = result.launch.front().scalars});
}

/// Of arrays, in a launch that is run unoptimised for what nobody reads.
constexpr std::uint64_t kMostWatchedBytes = 1 << 20;

/// Of an input: which elements at its end, or at the end of each row, nobody read; none: all were read, or others were not. Each
/// of the `outputs` that has an input of its own may take it from elsewhere, which is no loss.
words::Message unread_of(const ArrayData& array, const std::vector<std::uint8_t>& read,
                         std::uint64_t outputs) {
  const std::uint64_t bytes = launch::size_bytes(array.element), count = array.rows * array.cols;
  if (count == 0 || read.size() != count * bytes) return {};
  const auto is_read = [&](std::uint64_t element) {
    const auto first = read.begin() + static_cast<std::ptrdiff_t>(element * bytes);
    return std::count(first, first + static_cast<std::ptrdiff_t>(bytes), 1) != 0;
  };
  std::uint64_t rows = 0, cols = 0;  // that were read, at most
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!is_read(i)) continue;
    rows = std::max(rows, i / array.cols + 1);
    cols = std::max(cols, i % array.cols + 1);
  }
  if (rows == 0) return {Id::unread_array, {{"array", array.name}}};
  if (count < 2 * outputs) return {};
  for (std::uint64_t i = 0; i < count; ++i)
    if (is_read(i) != (i / array.cols < rows && i % array.cols < cols)) return {};
  const auto said = [&](Id one, Id several, std::uint64_t first, std::uint64_t end) {
    return words::Message{
        first + 1 == end ? one : several,
        {{"array", array.name}, {"first", words::count(first)}, {"last", words::count(end - 1)}}};
  };
  if (cols < array.cols)
    return array.is_vector ? said(Id::unread_element, Id::unread_elements, cols, array.cols)
                           : said(Id::unread_column, Id::unread_columns, cols, array.cols);
  return rows < array.rows ? said(Id::unread_row, Id::unread_rows, rows, array.rows)
                           : words::Message{};
}

/// "sums[2]", "tile[3][16]"
std::string element_left(const Grading& grading, const observe::LeftUnread& left) {
  launch::Finding place;
  place.space = "shared";
  place.array = left.array;
  place.address = left.array.begin + left.elements.front() * left.element_bytes;
  place.access_bytes = left.element_bytes;
  std::vector<launch::Finding> places = {std::move(place)};
  device::add_declarations(places, grading.submission.source);
  const launch::Declaration& declared = places.front().declared;
  return declared.element_bytes == left.element_bytes
             ? declared.element(left.array.name, left.elements.front())
             : fmt::format("{}[{}]", left.array.name, left.elements.front());
}

/// Of a wrong value: what got lost on its way, as the unoptimised build shows it.
words::Message find_unread(Grading& grading, const Attempt& attempt) {
  const Unoptimised* unoptimised = attempt.one.array_bytes() <= kMostWatchedBytes
                                       ? unoptimised_of(grading, attempt.one.kernel)
                                       : nullptr;
  if (!unoptimised) return {};
  device::Plan plan = plan_of(unoptimised->build, attempt.setup);
  plan.seed = grading.options.seed;
  plan.launches[0].watch_reads = true;
  plan.launches[0].thread_instruction_budget = attempt.budget;
  const device::Outcome outcome = std::move(grading.devices.simulator->run(plan).at(0));
  if (!outcome.unread) return {};
  const auto arrays = attempt.one.arrays();
  const Mismatch& wrong = grading.running->result->mismatches.front();
  const auto output = std::ranges::find(arrays, wrong.array, &ArrayData::name);
  const bool is_added_to = output != arrays.end() && (*output)->is_zeroed;
  for (std::size_t i = 0; i < arrays.size() && i < outcome.unread->read.size(); ++i)
    if (!arrays[i]->is_output &&
        (output == arrays.end() || !is_made_of(**output, *arrays[i])))  // some of it may be enough
      if (words::Message unread =
              unread_of(*arrays[i], outcome.unread->read[i], is_added_to ? 0 : wrong.total))
        return unread;
  if (!outcome.unread->left) return {};
  const observe::LeftUnread& left = *outcome.unread->left;
  words::Message message{
      left.elements.size() == 1 ? Id::unread_sum : Id::unread_sums,
      {{"block", launch::triple(left.block)},
       {"line", left.where.line != 0 ? words::Value(left.where)
                                     : words::Value("`" + attempt.kernel.name + "`")},
       {"element", element_left(grading, left)}}};
  if (left.elements.size() > 1)
    message.parameters.push_back({"count", words::count(left.elements.size() - 1)});
  return message;
}

/// Of each output that is wrong.
void find_places(const Case& one, const std::vector<device::Output>& outputs,
                 std::vector<Mismatch>& mismatches) {
  const auto arrays = one.arrays();
  for (const device::Output& output : outputs) {
    if (output.buffer >= arrays.size()) continue;  // of another launch of the same plan
    const ArrayData& array = *arrays[output.buffer];
    const auto found = std::ranges::find(mismatches, array.name, &Mismatch::array);
    if (array.is_output && found != mismatches.end())
      found->places =
          wrong_places(wrong_elements(array, output.bytes), array.cols, array.is_vector);
  }
}

/// What came back against what must; true if it is right.
bool compare_arrays(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                    bool on_gpu, bool inputs_back) {
  TestResult& result = *grading.running->result;
  result.mismatches = compare_all(attempt.one, outcome.outputs, inputs_back);
  find_places(attempt.one, outcome.outputs, result.mismatches);
  // Launches of a GPU may differ from one to the next: then a later one may be wrong, too.
  for (const std::vector<device::Output>& others : outcome.other_outputs) {
    if (!result.mismatches.empty()) break;
    result.mismatches = compare_all(attempt.one, others, inputs_back);
    if (!result.mismatches.empty())
      result.message = {
          {Id::later_launches_differ, {{"count", words::count(outcome.differing_samples)}}}};
  }
  if (!on_gpu) find_who_stored(grading, attempt);
  if (!on_gpu) find_unreached(grading, attempt);
  if (std::ranges::any_of(result.mismatches, [&](const Mismatch& mismatch) {
        return is_of_output(attempt.one, mismatch);
      })) {
    report_changed_input(attempt.one, result);
    if (!on_gpu && !result.mismatches.front().never_written && result.input_written.empty())
      result.mismatches.front().unread = find_unread(grading, attempt);
    result.verdict = {.kind = "wrong_result"};
    result.right_where = right_where(grading, attempt, &result.mismatches.front());
  } else if (!result.mismatches.empty()) {
    result.verdict = {.kind = "input_changed"};
  } else if (!outcome.changed_inputs.empty()) {
    fail(result, "input_changed",
         {{Id::input_written,
           {{"array", attempt.one.arrays().at(outcome.changed_inputs.front())->name}}}});
  } else {
    return true;
  }
  return false;
}

bool compare_alone(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
                   Place place) {
  TestResult& result = *grading.running->result;
  const bool on_gpu = place != Place::simulator;
  result.launches += 1;
  if (!on_gpu) note_cost(grading, attempt, outcome, grading.running->cost);
  if (result.printed.size() < kMaxPrinted) {
    result.printed += outcome.printed.substr(0, kMaxPrinted - result.printed.size());
    if (!outcome.printed.empty() && result.printed.size() == kMaxPrinted) result.printed += "...";
  }
  show_launch(result, attempt);
  observe::add_findings(result.findings, outcome.findings);
  device::add_compiler_findings(result.findings, grading.submission.compile_log,
                                grading.submission.source, attempt.one.kernel);
  const launch::Finding* const error = first_error(outcome.findings);
  if (!error && !outcome.completed) kit_fault("a launch ended early without a reason");
  if (error)
    fail_by_error(grading, attempt, outcome, error->kind, on_gpu);
  else if (compare_arrays(grading, attempt, outcome, on_gpu, place != Place::gpu_without_inputs)) {
    grading.right_sizes[attempt.kernel.name].push_back(sizes_of(attempt.one));
    return true;
  }
  if (on_gpu) result.on_gpu = grading.gpu;
  return false;
}

}  // namespace

std::vector<Mismatch> compare_all(const Case& one, const std::vector<device::Output>& outputs,
                                  bool inputs_back) {
  std::vector<Mismatch> found;
  std::size_t next = 0;
  const auto arrays = one.arrays();
  for (const ArrayData* array : arrays) {
    if (!array->is_output && !inputs_back) continue;
    if (next >= outputs.size() || outputs[next].bytes.size() != array->bytes.size())
      kit_fault("the device did not give back array " + array->name);
    const std::vector<std::byte>& got = outputs[next++].bytes;
    auto mismatch = array->is_output ? compare_output(*array, got) : compare_input(*array, got);
    if (!mismatch) continue;
    if (array->is_output && array->is_vector)
      for (const ArrayData* input : arrays)
        if (!input->is_output && input->is_vector && input->cols == array->cols)
          mismatch->inputs.emplace_back(input->name, element_text(*input, mismatch->col));
    found.push_back(*mismatch);
  }
  return found;
}

bool came_out_right(const Attempt& attempt, const device::Outcome& outcome) {
  return outcome.completed && !first_error(outcome.findings) &&
         compare_all(attempt.one, outcome.outputs, true).empty();
}

void show_launch(TestResult& result, const Attempt& attempt) {
  const Case& one = attempt.one;
  LaunchText text{.kernel = one.kernel,
                  .grid = to_string(one.grid),
                  .block = to_string(one.block),
                  .dynamic_shared_bytes = one.dynamic_shared_bytes};
  const std::vector<Parameter>& parameters = attempt.kernel.parameters;
  for (std::size_t i = 0; i < one.arguments.size() && i < parameters.size(); ++i)
    if (!one.arguments[i].array())
      text.scalars.emplace_back(parameters[i].name, one.arguments[i].text());
  result.launch = {std::move(text)};
}

bool compare(Grading& grading, const Attempt& attempt, const device::Outcome& outcome,
             Place place) {
  std::vector<launch::Finding>& findings = grading.running->result->findings;
  std::vector<launch::Finding> before;
  before.swap(findings);
  const bool right = compare_alone(grading, attempt, outcome, place);
  // The warnings of launches before are theirs, with their threads: beside one that fails they would be taken for its own.
  // A GPU warns of nothing itself.
  // But that threads repeat each other's work, which a small launch shows, is why a larger one takes too long.
  const bool takes_long = launch::has_kind(findings, launch::FindingKind::budget);
  if (!right && place == Place::simulator)
    std::erase_if(before, [&](const launch::Finding& finding) {
      return !takes_long || !launch::has_evidence(finding, Id::race_repeated_work);
    });
  observe::add_findings(findings, before);
  return right;
}

}  // namespace labkit::grade
