// Every element of what came back against what must. NaN never equals; +0 and -0 do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <mutex>
#include <span>

#include "base/parallel.h"
#include "grade/steps.h"

namespace labkit::grade {
namespace {

using Bytes = std::span<const std::byte>;

template <typename T>
T element(Bytes bytes, std::uint64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
bool is_poison(Bytes bytes, std::uint64_t i) {
  return std::ranges::all_of(bytes.subspan(i * sizeof(T), sizeof(T)),
                             [](std::byte byte) { return byte == launch::kPoison; });
}

template <typename T, typename Right>
std::optional<Mismatch> first_wrong(const ArrayData& array, Bytes got, const Right& right) {
  const std::uint64_t total = array.rows * array.cols;
  Mismatch found;
  std::uint64_t first = total;
  std::mutex merging;
  in_parallel(total, kParallelGrain, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t here = total, wrong = 0, never_written = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (right(i)) continue;
      if (wrong++ == 0) here = i;
      never_written += is_poison<T>(got, i);
    }
    const std::lock_guard lock(merging);
    first = std::min(first, here);
    found.wrong += wrong;
    found.never_written_count += never_written;
  });
  if (found.wrong == 0) return std::nullopt;
  found.row = first / array.cols;
  found.col = first % array.cols;
  found.never_written = is_poison<T>(got, first);
  // -1 is what some kernels store: of whole numbers only the first is looked up (find_who_stored)
  if (std::is_integral_v<T> && !found.never_written) found.never_written_count = 0;
  // fmt's default is the shortest decimal text that reads back as the same value, so two values that
  // differ look different.
  found.got = fmt::format("{}", element<T>(got, first));
  found.array = array.name;
  found.is_vector = array.is_vector;
  found.rows = array.rows;
  found.cols = array.cols;
  found.total = total;
  return found;
}

template <typename T>
bool all_alike(Bytes bytes, std::uint64_t total) {
  for (std::uint64_t i = 1; i < total; ++i)
    if (std::memcmp(bytes.data(), bytes.data() + i * sizeof(T), sizeof(T)) != 0) return false;
  return total > 1;
}

/// The one element of the output that `fits(index)`; "" for none or several.
template <typename Fits>
std::string only_element(const ArrayData& array, const Fits& fits) {
  std::optional<std::uint64_t> only;
  for (std::uint64_t i = 0; i < array.rows * array.cols; ++i) {
    if (!fits(i)) continue;
    if (only) return {};
    only = i;
  }
  if (!only) return {};
  return array.is_vector
             ? fmt::format("{}[{}]", array.name, *only)
             : fmt::format("{}[{}][{}]", array.name, *only / array.cols, *only % array.cols);
}

/// As element `i`: exactly, or within the bounds that the output has. NaN is never right.
template <typename T>
bool is_right(const ArrayData& array, T value, std::uint64_t i) {
  return array.bound.empty()
             ? value == element<T>(array.bytes, i)
             : (array.bound[i] >= 0 && static_cast<double>(value) == array.expected[i]) ||
                   std::fabs(static_cast<double>(value) - array.expected[i]) <= array.bound[i];
}

template <typename T>
std::optional<Mismatch> wrong_output(const ArrayData& array, Bytes got) {
  const Bytes wanted = array.bytes;
  const bool is_exact = array.bound.empty();
  auto found = first_wrong<T>(
      array, got, [&](std::uint64_t i) { return is_right(array, element<T>(got, i), i); });
  if (!found) return found;
  const std::uint64_t i = found->row * array.cols + found->col;
  found->expected =
      fmt::format("{}", is_exact ? element<T>(wanted, i) : static_cast<T>(array.expected[i]));
  if (!is_exact) found->bound = fmt::format("{:.2g}", array.bound[i]);
  if (found->never_written) return found;
  const bool differ = is_exact ? !all_alike<T>(wanted, found->total)
                               : std::ranges::adjacent_find(
                                     array.expected, std::not_equal_to<>()) != array.expected.end();
  const bool is_as_before = array.is_zeroed && element<T>(got, i) == T{};
  found->constant = differ && !is_as_before && all_alike<T>(got, found->total);
  // by chance a wrong sum is the right one of another element, but hardly two
  std::uint64_t next = i + 1;
  while (next < found->total && is_right(array, element<T>(got, next), next)) ++next;
  const auto has_place = [&](std::uint64_t of) {
    for (std::uint64_t k = 0; k < found->total; ++k)
      if (is_right(array, element<T>(got, of), k)) return true;
    return false;
  };
  if (next == found->total || has_place(next))
    found->belongs_to = only_element(
        array, [&](std::uint64_t k) { return is_right(array, element<T>(got, i), k); });
  return found;
}

template <typename T>
std::optional<Mismatch> changed_input(const ArrayData& array, Bytes got) {
  const Bytes wanted = array.bytes;
  auto found = first_wrong<T>(array, got, [&](std::uint64_t i) {
    return std::memcmp(got.data() + i * sizeof(T), wanted.data() + i * sizeof(T), sizeof(T)) == 0;
  });
  if (!found) return found;
  found->expected = fmt::format("{}", element<T>(wanted, found->row * array.cols + found->col));
  found->never_written = false;  // an input always was
  found->never_written_count = 0;
  return found;
}

}  // namespace

std::optional<Mismatch> compare_output(const ArrayData& array, std::span<const std::byte> got) {
  return with_type_of(array.element, [&]<typename T>(T) { return wrong_output<T>(array, got); });
}

bool is_made_of(const ArrayData& output, const ArrayData& input) {
  if (output.element != input.element || !output.bound.empty()) return false;
  return with_type_of(output.element, [&]<typename T>(T) {
    std::vector<T> values;
    for (std::uint64_t i = 0; i < input.rows * input.cols; ++i)
      values.push_back(element<T>(input.bytes, i));
    std::ranges::sort(values);
    for (std::uint64_t i = 0; i < output.rows * output.cols; ++i)
      if (!std::ranges::binary_search(values, element<T>(output.bytes, i))) return false;
    return true;
  });
}

std::vector<bool> wrong_elements(const ArrayData& array, std::span<const std::byte> got) {
  return with_type_of(array.element, [&]<typename T>(T) {
    std::vector<bool> is_wrong(array.rows * array.cols);
    for (std::uint64_t i = 0; i < is_wrong.size(); ++i)
      is_wrong[i] = !is_right(array, element<T>(got, i), i);
    return is_wrong;
  });
}

std::optional<Mismatch> compare_input(const ArrayData& array, std::span<const std::byte> got) {
  const std::size_t size = array.bytes.size();
  if (size == 0 || std::memcmp(got.data(), array.bytes.data(), size) == 0) return std::nullopt;
  return with_type_of(array.element, [&]<typename T>(T) { return changed_input<T>(array, got); });
}

std::string element_text(const ArrayData& array, std::uint64_t index) {
  return with_type_of(array.element, [&]<typename T>(T) {
    return fmt::format("{}", element<T>(array.bytes, index));
  });
}

}  // namespace labkit::grade
