#include "simt/memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "simt/heap.h"

namespace labkit::simt {

namespace {

Memory::Place place_of(const Allocation& allocation) {
  return {allocation.name, allocation.begin, allocation.contents.size(), allocation.is_variable,
          allocation.written};
}

}  // namespace

Memory::Memory() : impl_(std::make_unique<Impl>()) {}
Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;

std::uint64_t Memory::Impl::add(Allocation allocation) {
  constexpr std::uint64_t kMost = 1ull << (kSlotBits - 1);
  if (allocation.contents.size() > kMost)
    throw Error("an allocation of more than 8 GiB: " + allocation.name);
  allocation.begin = Memory::address_of(allocations.size());
  allocations.push_back(std::move(allocation));
  return allocations.back().begin;
}

void Memory::place(Placed placed) {
  if (placed.is_heap) impl_->heap = placed.place;
  auto& allocations = impl_->allocations;
  if (placed.place >= allocations.size()) {
    allocations.reserve(placed.place + 1);
    for (std::size_t n = allocations.size(); n <= placed.place; ++n)
      allocations.push_back({.name = "", .begin = address_of(n)});
  }
  allocations[placed.place] = {.name = std::move(placed.name),
                               .begin = address_of(placed.place),
                               .contents = placed.bytes,
                               .written = placed.defined.empty(),
                               .is_constant = placed.is_constant,
                               .is_variable = placed.is_variable,
                               .is_heap = placed.is_heap,
                               .freed_bytes = placed.freed_bytes,
                               .defined = placed.defined};
}

void Memory::place_variables(const ptx::Module& module, std::vector<std::uint64_t> addresses) {
  impl_->variables[&module] = std::move(addresses);
}

std::uint64_t Memory::heap_bytes(std::uint64_t held) { return Heap::bytes_for(held); }
void Memory::set_images(std::shared_ptr<const Images> images) { impl_->images = std::move(images); }

std::uint64_t Memory::address_of(std::size_t place) {
  return (static_cast<std::uint64_t>(place) + 1) << Impl::kSlotBits | 1ull << (Impl::kSlotBits - 1);
}

std::optional<std::size_t> Memory::number_of(std::uint64_t address) {
  const std::uint64_t slot = address >> Impl::kSlotBits;
  return slot == 0 ? std::nullopt : std::optional<std::size_t>(slot - 1);
}

std::uint64_t Memory::allocate(std::string name, std::vector<std::byte> contents, bool written) {
  return impl_->add({.name = std::move(name), .contents = std::move(contents), .written = written});
}

Allocation& Memory::Impl::at(std::uint64_t address) {
  auto* allocation = slot_of(address);
  if (allocation == nullptr || allocation->begin != address)
    throw Error("no allocation begins at this address");
  return *allocation;
}

std::span<const std::byte> Memory::contents(std::uint64_t address) const {
  return impl_->at(address).contents.all();
}
std::span<std::byte> Memory::contents(std::uint64_t address) {
  return impl_->at(address).contents.all();
}
std::vector<std::byte> Memory::take_contents(std::uint64_t address) {
  return impl_->at(address).contents.take();
}
std::span<const std::uint8_t> Memory::defined(std::uint64_t address) const {
  return impl_->at(address).defined.all();
}

std::optional<Memory::Place> Memory::find(std::uint64_t address) const {
  const auto* allocation = impl_->slot_of(address);
  if (allocation == nullptr || address < allocation->begin || address >= allocation->end())
    return std::nullopt;
  return place_of(*allocation);
}

std::span<std::uint8_t> Memory::follow(std::uint64_t address) {
  Allocation& allocation = impl_->at(address);
  if (allocation.defined.empty())
    allocation.defined =
        std::vector(allocation.contents.size(), allocation.written ? kDefined : kNeverWritten);
  return allocation.defined.all();
}
void Memory::set_padding(std::uint64_t address, std::vector<bool> padding) {
  impl_->at(address).padding = std::move(padding);
}
void Memory::mark_written(std::uint64_t address) {
  impl_->at(address).defined = {};
  impl_->at(address).written = true;
}

std::vector<Memory::Place> Memory::places() const {
  std::vector<Place> all;
  for (const auto& allocation : impl_->allocations) all.push_back(place_of(allocation));
  return all;
}

Memory::Saved Memory::save() const {
  Saved saved;
  for (const auto& allocation : impl_->allocations) {
    saved.contents.push_back(allocation.contents.copy());
    saved.defined.push_back(allocation.defined.copy());
  }
  return saved;
}

void Memory::restore(Saved saved) {
  auto& allocations = impl_->allocations;
  allocations.resize(std::min(allocations.size(), saved.contents.size()));
  for (std::size_t k = 0; k < allocations.size(); ++k) {
    allocations[k].contents.restore(std::move(saved.contents[k]));
    allocations[k].defined.restore(std::move(saved.defined[k]));
  }
  std::erase_if(impl_->variables, [&](const auto& module) {
    return std::ranges::any_of(module.second, [&](std::uint64_t address) {
      return address != 0 && impl_->slot_of(address) == nullptr;
    });
  });
}

bool has_address(const ptx::Variable& variable) {
  return (variable.space == ptx::Space::global || variable.space == ptx::Space::constant) &&
         !variable.is_extern;
}

void initialise_variables(const ptx::Module& module, std::span<const std::uint64_t> addresses,
                          const std::function<std::span<std::byte>(std::size_t)>& bytes_of) {
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    if (addresses[v] == 0) continue;
    const std::span<std::byte> bytes = bytes_of(v);
    const auto& initial = module.variables[v].initial;
    if (!initial.empty())
      std::memcpy(bytes.data(), initial.data(),
                  std::min<std::size_t>(initial.size(), bytes.size()));
    for (const auto& relocation : module.variables[v].relocations) {
      std::uint64_t value = 0;
      for (std::size_t to = 0; to < module.variables.size(); ++to)
        if (module.variables[to].name == relocation.symbol && addresses[to] != 0)
          value = addresses[to] + static_cast<std::uint64_t>(relocation.addend);
      for (std::size_t to = 0; value == 0 && to < module.functions.size(); ++to)
        if (module.functions[to].name == relocation.symbol) value = function_address(to);
      if (relocation.offset_bytes + sizeof value <= bytes.size())
        std::memcpy(bytes.data() + relocation.offset_bytes, &value, sizeof value);
    }
  }
}

const std::vector<std::uint64_t>& Memory::Impl::variables_of(const ptx::Module& module) {
  if (const auto found = variables.find(&module); found != variables.end()) return found->second;
  std::vector<std::uint64_t> addresses(module.variables.size(), 0);
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    const auto& variable = module.variables[v];
    if (!has_address(variable)) continue;
    addresses[v] = add({.name = std::string(variable.name),
                        .contents = std::vector<std::byte>(variable.size_bytes),
                        .is_constant = variable.space == ptx::Space::constant,
                        .is_variable = true});
  }
  initialise_variables(module, addresses,
                       [&](std::size_t v) { return slot_of(addresses[v])->contents.all(); });
  return variables.emplace(&module, std::move(addresses)).first->second;
}

}  // namespace labkit::simt
