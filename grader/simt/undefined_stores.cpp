#include "simt/undefined_stores.h"

namespace labkit::simt {

void UndefinedStores::note(std::uint64_t address, Element element) {
  const std::uint64_t number = address / kPageBytes;
  if (near_page_ == nullptr || near_ != number) {
    auto& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    near_page_ = page.get();
    near_ = number;
  }
  auto& have = (*near_page_)[address % kPageBytes / kWordBytes];
  if (have.bytes != 0 && have.block < element.block) return;
  element.first_place = static_cast<std::uint8_t>(address % kWordBytes);
  have = element;
}

const UndefinedStores::Element* UndefinedStores::word_at(std::uint64_t address) const {
  const auto page = pages_.find(address / kPageBytes);
  if (page == pages_.end()) return nullptr;
  const auto& element = (*page->second)[address % kPageBytes / kWordBytes];
  return element.bytes == 0 ? nullptr : &element;
}

std::optional<UndefinedUse> UndefinedStores::at(std::uint64_t address) const {
  if (pages_.empty()) return std::nullopt;
  for (const auto word :
       {address, address & ~std::uint64_t{7}}) {  // 8 bytes begin in the first of two words
    const auto* element = word_at(word);
    if (element == nullptr) continue;
    const std::uint64_t begin = word / kWordBytes * kWordBytes + element->first_place;
    if (address >= begin && address < begin + element->bytes) return use_of(*element, begin);
  }
  return std::nullopt;
}

UndefinedUse UndefinedStores::use_of(const Element& element, std::uint64_t address) const {
  UndefinedUse use;
  if (element.origin < origins.size()) use = origins[element.origin];
  use.kind = UndefinedUse::Kind::output;
  use.instruction = element.instruction;
  use.block = element.block;
  use.thread = element.thread;
  use.address = address;
  return use;
}

}  // namespace labkit::simt
