#include "launch/launch.h"

#include <charconv>

namespace labkit::launch {

std::optional<Dim3> parse_dim3(std::string_view text) {
  std::uint32_t parts[3] = {1, 1, 1};
  int count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    if (count == 3) return std::nullopt;
    std::uint32_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || value == 0 || value > 0x7fffffffu) return std::nullopt;
    parts[count++] = value;
    if (next == end) break;
    if (*next != 'x') return std::nullopt;
    at = next + 1;
  }
  return Dim3{parts[0], parts[1], parts[2]};
}

std::string to_string(const Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += "x" + std::to_string(dim.y);
  if (dim.z != 1) text += "x" + std::to_string(dim.z);
  return text;
}

std::string triple(const Dim3& dim) {
  return "(" + std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z) +
         ")";
}

std::uint32_t size_bytes(Element element) {
  switch (element) {
    case Element::u8:
      return 1;
    case Element::u16:
    case Element::f16:
      return 2;
    case Element::i32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::f64:
      return 8;
  }
  return 0;
}

std::string_view name_of(Element element) {
  switch (element) {
    case Element::u8:
      return "u8";
    case Element::u16:
      return "u16";
    case Element::i32:
      return "i32";
    case Element::i64:
      return "i64";
    case Element::f16:
      return "f16";
    case Element::f32:
      return "f32";
    case Element::f64:
      return "f64";
  }
  return "?";
}

std::optional<Element> element_from_name(std::string_view name) {
  for (Element element : {Element::u8, Element::u16, Element::i32, Element::i64, Element::f16,
                          Element::f32, Element::f64})
    if (name == name_of(element)) return element;
  return std::nullopt;
}

std::string_view name_of(Access access) {
  switch (access) {
    case Access::none:
      return "none";
    case Access::read:
      return "read";
    case Access::write:
      return "write";
    case Access::atomic:
      return "atomic";
  }
  return "?";
}

bool has_evidence(const Finding& finding, words::Id id) {
  return std::any_of(finding.evidence.begin(), finding.evidence.end(),
                     [&](const words::Message& message) { return message.id == id; });
}

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
      return "race";
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::uninitialized:
      return "uninitialized";
    case FindingKind::barrier:
      return "barrier";
    case FindingKind::assertion:
      return "assert";
    case FindingKind::budget:
      return "budget";
    case FindingKind::trap:
      return "trap";
    case FindingKind::unsupported:
      return "unsupported";
    case FindingKind::launch:
      return "launch";
  }
  return "?";
}

}  // namespace labkit::launch
