#include "simt/undefined_stores.h"

namespace labkit::simt {

void UndefinedStores::note(std::uint64_t address, Element element) {
  const auto keep = [&](Element& have) {
    if (have.bytes == 0 || keeps_last || element.block <= have.block) have = element;
  };
  if (element.bytes < kWordBytes) return keep(small_[address]);
  const std::uint64_t number = address / kPageBytes;
  if (near_page_ == nullptr || near_ != number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    near_page_ = page.get();
    near_ = number;
  }
  keep((*near_page_)[address % kPageBytes / kWordBytes]);
}

const UndefinedStores::Element* UndefinedStores::word_at(std::uint64_t address) const {
  const auto page = pages_.find(address / kPageBytes);
  if (page == pages_.end()) return nullptr;
  const auto& element = (*page->second)[address % kPageBytes / kWordBytes];
  return element.bytes == 0 ? nullptr : &element;
}

std::optional<UndefinedUse> UndefinedStores::at(std::uint64_t address) const {
  for (const std::uint64_t size : {1, 2}) {  // elements lie at multiples of their size
    const auto element = small_.find(address & ~(size - 1));
    if (element != small_.end() && element->second.bytes >= size)
      return use_of(element->second, element->first);
  }
  if (pages_.empty()) return std::nullopt;
  for (const std::uint64_t size : {4, 8}) {
    const std::uint64_t begin = address & ~(size - 1);
    if (const auto* element = word_at(begin); element != nullptr && element->bytes >= size)
      return use_of(*element, begin);
  }
  return std::nullopt;
}

UndefinedUse UndefinedStores::from(std::uint32_t origin, std::uint64_t block,
                                   std::uint32_t thread) const {
  if (origin >= origins.size()) return {};
  UndefinedUse use = origins[origin];
  // its own lane's, if that read there, is where it has it from
  const auto& by_lane = lanes[origin];
  if (use.block == block && use.origin_thread / 32 == thread / 32 &&
      (by_lane.known >> thread % 32 & 1) != 0) {
    use.origin_thread = thread;
    use.origin_address = by_lane.addresses[thread % 32];
  }
  return use;
}

UndefinedUse UndefinedStores::use_of(const Element& element, std::uint64_t address) const {
  UndefinedUse use = from(element.origin, element.block, element.thread);
  use.kind = UndefinedUse::Kind::output;
  use.instruction = element.instruction;
  use.block = element.block;
  use.thread = element.thread;
  use.address = address;
  return use;
}

}  // namespace labkit::simt
