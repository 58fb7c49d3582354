#include "counted_steps.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
std::uint64_t steps = 0, limit = kNoLimit;

void add(std::uint64_t more) {
  steps += more;
  if (steps <= limit) return;
  std::fprintf(stderr, "stopped after %llu steps: more than a linear scan takes\n",
               static_cast<unsigned long long>(steps));
  std::_Exit(1);
}

}  // namespace

/// Called by what is compiled with -fsanitize-coverage=trace-pc, in each basic block.
extern "C" void __sanitizer_cov_trace_pc() { add(1); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LABKIT_HAS_OWN_MEMORY_FUNCTIONS 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LABKIT_HAS_OWN_MEMORY_FUNCTIONS 0
#endif
#if !defined(LABKIT_HAS_OWN_MEMORY_FUNCTIONS)
// In place of the C library's; the empty asm keeps the compiler from making calls of them out of the loops.
extern "C" {
void* memchr(const void* text, int wanted, std::size_t size) noexcept {
  const auto* at = static_cast<const unsigned char*>(text);
  for (std::size_t i = 0; i < size; ++i) {
    asm volatile("" ::: "memory");
    if (at[i] != static_cast<unsigned char>(wanted)) continue;
    add(i);
    return const_cast<unsigned char*>(at + i);
  }
  add(size);
  return nullptr;
}
int memcmp(const void* a, const void* b, std::size_t size) noexcept {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < size; ++i) {
    asm volatile("" ::: "memory");
    if (x[i] == y[i]) continue;
    add(i);
    return x[i] < y[i] ? -1 : 1;
  }
  add(size);
  return 0;
}
void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  auto* x = static_cast<unsigned char*>(to);
  const auto* y = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < size; ++i) {
    asm volatile("" ::: "memory");
    x[i] = y[i];
  }
  add(size);
  return to;
}
void* memmove(void* to, const void* from, std::size_t size) noexcept {
  auto* x = static_cast<unsigned char*>(to);
  const auto* y = static_cast<const unsigned char*>(from);
  if (x <= y || x >= y + size) return memcpy(to, from, size);
  for (std::size_t i = size; i-- > 0;) {
    asm volatile("" ::: "memory");
    x[i] = y[i];
  }
  add(size);
  return to;
}
}
#endif

namespace labkit::scan {

std::uint64_t steps_of(const std::function<void()>& work, std::uint64_t at_most) {
  steps = 0;
  limit = at_most;
  work();
  limit = kNoLimit;
  return steps;
}

double growth(const Make& make, std::size_t bytes,
              const std::function<void(const std::string&)>& work) {
  // Far above what any of the scanners takes of half the input, far below what a quadratic one would.
  constexpr std::uint64_t kMostPerByte = 20'000;
  const std::string small = make(bytes / 2), large = make(bytes);
  work(small);  // tables that are made at the first call
  const auto half = steps_of([&] { work(small); }, kMostPerByte * (small.size() + 1000));
  const auto whole = steps_of([&] { work(large); }, 8 * half + 100'000);
  // What a call takes in any case must not hide how the rest grows, nor be taken for growth.
  constexpr double kFew = 1000;
  return static_cast<double>(whole) / (static_cast<double>(half) + kFew);
}

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (!piece.empty() && text.size() + piece.size() <= bytes) text += piece;
  return text;
}

}  // namespace labkit::scan
