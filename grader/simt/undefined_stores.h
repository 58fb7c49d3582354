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
  /// Of an origin: its address for each lane of the warp that read there, if it did.
  struct Lanes {
    std::uint32_t known = 0;
    std::array<std::uint64_t, 32> addresses{};
  };
  std::vector<Lanes> lanes;  ///< as origins
  /// Blocks may learn of one another, and one host thread runs them all: whoever stored last is kept.
  bool keeps_last = false;
  /// What is said of what `thread` of `block` has from an origin; past the end of `origins`: nothing.
  UndefinedUse from(std::uint32_t origin, std::uint64_t block, std::uint32_t thread) const;

  /// An element of up to 8 bytes at a multiple of its size, stored whole.
  struct Element {
    std::uint64_t block = 0;
    std::uint32_t instruction = 0;
    std::uint32_t origin = ~0u;  ///< in `origins`; past their end: not known
    std::uint16_t thread = 0;    ///< linear, in the block
    std::uint8_t bytes = 0;      ///< 0: there is none
  };
  /// Of several the lowest block's is kept, and of its own the last, so that it is the same for any number of host threads.
  void note(std::uint64_t address, Element element);
  std::optional<UndefinedUse> at(std::uint64_t address) const;

  static constexpr std::uint64_t kWordBytes = 4, kPageBytes = 4096;
  /// Elements of 4 and 8 bytes, by the word that they begin with.
  using Page = std::array<Element, kPageBytes / kWordBytes>;
  const std::unordered_map<std::uint64_t, std::unique_ptr<Page>>& pages() const { return pages_; }
  /// Elements of 1 and 2 bytes, by address.
  const std::unordered_map<std::uint64_t, Element>& small() const { return small_; }
  UndefinedUse use_of(const Element& element, std::uint64_t address) const;

 private:
  const Element* word_at(std::uint64_t address) const;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< by address / kPageBytes
  std::unordered_map<std::uint64_t, Element> small_;
  std::uint64_t near_ = 0;  ///< the page used last
  Page* near_page_ = nullptr;
};

}  // namespace labkit::simt
