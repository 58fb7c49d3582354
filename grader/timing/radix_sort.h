// Sorting long lists by a number: stable, digit by digit. Addresses of one launch lie close together, so that few digits differ.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labkit::timing {

/// Rising by `key(item)`, a std::uint64_t; items with the same key stay in their order.
template <typename T, typename Key>
void sort_by(std::vector<T>& items, const Key& key) {
  constexpr std::size_t kFew = 512;
  constexpr unsigned kBits = 11;
  if (items.size() < kFew) {
    std::ranges::stable_sort(items, [&](const T& a, const T& b) { return key(a) < key(b); });
    return;
  }
  std::uint64_t low = ~0ull, high = 0;
  for (const T& item : items) {
    low = std::min<std::uint64_t>(low, key(item));
    high = std::max<std::uint64_t>(high, key(item));
  }
  std::vector<T> other(items.size());
  for (unsigned shift = 0; shift < 64 && (high - low) >> shift != 0; shift += kBits) {
    const auto digit = [&](const T& item) {
      return static_cast<std::size_t>((key(item) - low) >> shift & ((1u << kBits) - 1));
    };
    std::array<std::size_t, (1u << kBits) + 1> begin{};
    for (const T& item : items) ++begin[digit(item) + 1];
    for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
    for (const T& item : items) other[begin[digit(item)]++] = item;
    items.swap(other);
  }
}

}  // namespace labkit::timing
