#include "grade/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <mutex>

#include "base/parallel.h"

namespace labkit::grade {
namespace {

template <typename T>
T element(std::span<const std::byte> bytes, std::uint64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
bool is_poison(std::span<const std::byte> bytes, std::uint64_t i) {
  for (std::size_t k = 0; k < sizeof(T); ++k)
    if (bytes[i * sizeof(T) + k] != launch::kPoison) return false;
  return true;
}

/// The shortest decimal text that reads back as the same value (fmt's default), so two values that
/// differ look different.
template <typename T>
std::string text_of(T value) {
  return fmt::format("{}", value);
}

template <typename T, typename Right>
std::optional<Mismatch> first_wrong(const ArrayData& array, std::span<const std::byte> got,
                                    Right&& right) {
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
  found.got = text_of(element<T>(got, first));
  found.array = array.name;
  found.is_vector = array.is_vector;
  found.rows = array.rows;
  found.cols = array.cols;
  found.total = total;
  return found;
}

template <typename T>
bool all_alike(std::span<const std::byte> bytes, std::uint64_t total) {
  for (std::uint64_t i = 1; i < total; ++i)
    if (std::memcmp(bytes.data(), bytes.data() + i * sizeof(T), sizeof(T)) != 0) return false;
  return total > 1;
}

std::string element_name(const ArrayData& array, std::uint64_t at) {
  return array.is_vector ? fmt::format("{}[{}]", array.name, at)
                         : fmt::format("{}[{}][{}]", array.name, at / array.cols, at % array.cols);
}

/// The one element of the output that `fits(index)`; "" for none or several.
template <typename Fits>
std::string only_element(const ArrayData& array, const Fits& fits) {
  std::uint64_t found = 0, at = 0;
  for (std::uint64_t i = 0; i < array.rows * array.cols && found < 2; ++i)
    if (fits(i)) {
      ++found;
      at = i;
    }
  return found == 1 ? element_name(array, at) : std::string{};
}

/// Exactly, or within the bounds that the output has. NaN is never right.
template <typename T>
std::optional<Mismatch> wrong_output(const ArrayData& array, std::span<const std::byte> got) {
  const std::span<const std::byte> wanted = array.bytes;
  const bool is_exact = array.bound.empty();
  const auto is_right = [&](T value, std::uint64_t i) {
    return is_exact ? value == element<T>(wanted, i)
                    : std::fabs(static_cast<double>(value) - array.expected[i]) <= array.bound[i];
  };
  auto found =
      first_wrong<T>(array, got, [&](std::uint64_t i) { return is_right(element<T>(got, i), i); });
  if (!found) return found;
  const std::uint64_t i = found->row * array.cols + found->col;
  found->expected = text_of(is_exact ? element<T>(wanted, i) : static_cast<T>(array.expected[i]));
  if (!is_exact) found->bound = fmt::format("{:.2g}", array.bound[i]);
  if (found->never_written) return found;
  const bool differ = is_exact ? !all_alike<T>(wanted, found->total)
                               : std::adjacent_find(array.expected.begin(), array.expected.end(),
                                                    std::not_equal_to<>()) != array.expected.end();
  found->constant = differ && all_alike<T>(got, found->total);
  found->belongs_to =
      only_element(array, [&](std::uint64_t k) { return is_right(element<T>(got, i), k); });
  return found;
}

template <typename T>
std::optional<Mismatch> unchanged(const ArrayData& array, std::span<const std::byte> got) {
  const std::span<const std::byte> wanted = array.bytes;
  if (std::memcmp(got.data(), wanted.data(), wanted.size()) == 0) return std::nullopt;
  auto found = first_wrong<T>(array, got, [&](std::uint64_t i) {
    return std::memcmp(got.data() + i * sizeof(T), wanted.data() + i * sizeof(T), sizeof(T)) == 0;
  });
  if (found) {
    found->expected = text_of(element<T>(wanted, found->row * array.cols + found->col));
    found->never_written = false;  // an input always was
    found->never_written_count = 0;
  }
  return found;
}

template <typename F>
auto by_type(launch::Element type, F&& compare) -> decltype(compare(float{})) {
  switch (type) {
    case launch::Element::f32:
      return compare(float{});
    case launch::Element::f64:
      return compare(double{});
    case launch::Element::i32:
      return compare(std::int32_t{});
    case launch::Element::i64:
      return compare(std::int64_t{});
    case launch::Element::u16:
    case launch::Element::f16:
      return compare(std::uint16_t{});
    case launch::Element::u8:
      return compare(std::uint8_t{});
  }
  return {};
}

}  // namespace

std::optional<Mismatch> compare_output(const ArrayData& array, std::span<const std::byte> got) {
  return by_type(array.element,
                 [&](auto type) { return wrong_output<decltype(type)>(array, got); });
}

std::optional<Mismatch> compare_input(const ArrayData& array, std::span<const std::byte> got) {
  if (array.bytes.empty()) return std::nullopt;
  return by_type(array.element, [&](auto type) { return unchanged<decltype(type)>(array, got); });
}

std::string element_text(const ArrayData& array, std::uint64_t index) {
  return by_type(array.element,
                 [&](auto type) { return text_of(element<decltype(type)>(array.bytes, index)); });
}

}  // namespace labkit::grade
