#include "device/other_kernels.h"

#include <algorithm>

#include "compile/diagnose.h"

namespace labkit::device {
namespace {

std::vector<std::size_t> all_places(std::string_view text, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size()))
    places.push_back(at);
  return places;
}

/// The last of `places` before `end`, or none.
const std::size_t* last_before(const std::vector<std::size_t>& places, std::size_t end) {
  const auto next = std::lower_bound(places.begin(), places.end(), end);
  return next == places.begin() ? nullptr : &*(next - 1);
}

/// The first of `places` from `begin` on, or none.
const std::size_t* first_from(const std::vector<std::size_t>& places, std::size_t begin) {
  const auto next = std::lower_bound(places.begin(), places.end(), begin);
  return next == places.end() ? nullptr : &*next;
}

constexpr std::string_view kKernel = "__global__", kHelper = "__device__";

}  // namespace

OtherKernels::OtherKernels(std::string_view source, const std::string& kernel)
    : lines_(source),
      kernels_(all_places(source, kKernel)),
      helpers_(all_places(source, kHelper)),
      braces_(all_places(source, "{")),
      names_(all_places(source, compile::base_name(kernel) + "(")) {}

bool OtherKernels::have(std::uint32_t line) const {
  const std::size_t end = lines_.begin_of(line + 1);
  const std::size_t* begin = last_before(kernels_, end - std::min(end, kKernel.size() - 1));
  const std::size_t* helper = last_before(helpers_, end - std::min(end, kHelper.size() - 1));
  if (begin == nullptr || (helper != nullptr && *helper > *begin)) return false;
  const std::size_t* name = first_from(names_, *begin);
  const std::size_t* brace = first_from(braces_, *begin);
  return name == nullptr || (brace != nullptr && *brace < *name);
}

}  // namespace labkit::device
