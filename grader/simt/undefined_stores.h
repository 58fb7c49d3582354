// What one host thread has stored undefined in global memory, by place: who did, and where it came from.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simt/machine.h"

namespace labkit::simt {

class UndefinedStores {
 public:
  std::vector<UndefinedUse> origins;  ///< only what is said about the origin; a host thread's

  /// An element of up to 8 bytes at a multiple of its size, stored whole.
  struct Element {
    std::uint64_t block = 0;
    std::uint32_t instruction = 0;
    std::uint32_t origin = ~0u;    ///< in `origins`; past their end: not known
    std::uint16_t thread = 0;      ///< linear, in the block
    std::uint8_t bytes = 0;        ///< 0: there is none
    std::uint8_t first_place = 0;  ///< in its word of 4 bytes
  };
  /// Of several the lowest block's is kept, and of its own the last.
  void note(std::uint64_t address, Element element);
  std::optional<UndefinedUse> at(std::uint64_t address) const;

  static constexpr std::uint64_t kWordBytes = 4, kPageBytes = 4096;
  /// Elements that begin in each word; of two in one word only the last.
  using Page = std::array<Element, kPageBytes / kWordBytes>;
  const std::unordered_map<std::uint64_t, std::unique_ptr<Page>>& pages() const { return pages_; }
  UndefinedUse use_of(const Element& element, std::uint64_t address) const;

 private:
  const Element* word_at(std::uint64_t address) const;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< by address / kPageBytes
  std::uint64_t near_ = 0;                                          ///< the page used last
  Page* near_page_ = nullptr;
};

}  // namespace labkit::simt
