#include "program/device_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "ptx/module.h"

namespace labkit::program {
namespace {

constexpr std::uint64_t kPage = 4096;
std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::byte* map_file(int file, std::uint64_t bytes, int how) {
  void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, how | MAP_NORESERVE, file, 0);
  if (at == MAP_FAILED)
    throw Error(std::string("cannot map the simulated GPU's memory: ") + std::strerror(errno));
  return static_cast<std::byte*>(at);
}

constexpr auto kDefined = simt::Memory::kDefined;
std::uint64_t undefined_in(std::span<const std::byte> flags) {
  return flags.size() - static_cast<std::uint64_t>(std::ranges::count(flags, std::byte{kDefined}));
}

Descriptor file_of(const char* name, std::uint64_t bytes) {
  Descriptor file(::memfd_create(name, 0));
  if (file.get() < 0 || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
    throw Error(std::string("cannot make a file in memory for the simulated GPU: ") +
                std::strerror(errno));
  return file;
}
void empty_file(const Descriptor& file, std::uint64_t offset, std::uint64_t bytes) {
  ::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(bytes));
}

}  // namespace

/// Pages of a private mapping that were written to. Of each page one word of /proc/self/pagemap: bit 61 says that it is the file's
/// (Linux, Documentation/admin-guide/mm/pagemap.rst).
class DeviceMemory::Changed {
 public:
  Changed(const void* mapping, std::uint64_t bytes) : pages_(bytes / kPage) {
    const Descriptor file(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
    const auto at = static_cast<off_t>(reinterpret_cast<std::uint64_t>(mapping) / kPage *
                                       sizeof(std::uint64_t));
    const std::size_t size = pages_.size() * sizeof(std::uint64_t);
    std::size_t got = 0;
    while (file.get() >= 0 && got < size) {
      const ssize_t n = ::pread(file.get(), reinterpret_cast<char*>(pages_.data()) + got,
                                size - got, at + static_cast<off_t>(got));
      if (n <= 0) break;
      got += static_cast<std::size_t>(n);
    }
    is_known_ = got == size;
  }
  bool maybe(std::uint64_t page) const {
    constexpr std::uint64_t kThere = 3ull << 62, kOfFile = 1ull << 61;
    return !is_known_ || ((pages_[page] & kThere) != 0 && (pages_[page] & kOfFile) == 0);
  }

 private:
  std::vector<std::uint64_t> pages_;
  bool is_known_ = false;
};

DeviceMemory::DeviceMemory(std::uint64_t capacity_bytes, bool follow_undefined)
    : capacity_(whole_pages(capacity_bytes)),
      file_(file_of("labkit-device", capacity_)),
      shared_(map_file(file_.get(), capacity_, MAP_SHARED)) {
  if (!follow_undefined) return;
  flags_file_ = file_of("labkit-written", capacity_);
  flags_ = map_file(flags_file_.get(), capacity_, MAP_SHARED);
}

DeviceMemory::~DeviceMemory() {
  ::munmap(shared_, capacity_);
  if (flags_ != nullptr) ::munmap(flags_, capacity_);
}

std::optional<std::size_t> DeviceMemory::free_number() const {
  std::size_t number = pieces_.size();
  if (number >= kMostPieces)
    for (number = 0; number < pieces_.size() && pieces_[number].is_live;) ++number;
  return number < kMostPieces ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> DeviceMemory::add(Piece piece) {
  piece.file_bytes = whole_pages(std::max<std::uint64_t>(piece.bytes, 1));
  const auto number = free_number();
  if (!number || piece.bytes > kMostOfOne || piece.file_bytes > capacity_ - used_)
    return std::nullopt;
  const auto hole =
      std::ranges::find_if(holes_, [&](const auto& one) { return one.second >= piece.file_bytes; });
  if (hole != holes_.end()) {
    piece.offset = hole->first;
    const std::uint64_t rest = hole->second - piece.file_bytes;
    holes_.erase(hole);
    if (rest > 0) holes_.emplace(piece.offset + piece.file_bytes, rest);
  } else {
    if (piece.file_bytes > capacity_ - file_end_) return std::nullopt;
    piece.offset = file_end_;
    file_end_ += piece.file_bytes;
  }
  used_ += piece.file_bytes;
  piece.is_live = true;
  if (*number == pieces_.size()) pieces_.emplace_back();
  pieces_[*number] = std::move(piece);
  return number;
}

std::optional<AllocateReply> DeviceMemory::allocate(std::uint64_t bytes, Kind kind,
                                                    std::uint64_t caller) {
  static_assert(simt::Memory::kNeverWritten == 0);  // as a file begins
  const auto number = add({.bytes = bytes, .kind = kind, .history = {.allocated_by = caller}});
  if (!number) return std::nullopt;
  if (flags_ != nullptr && kind == Kind::device) pieces_[*number].undefined = bytes;
  return AllocateReply{simt::Memory::address_of(*number), bytes, pieces_[*number].offset};
}

const DeviceMemory::Piece* DeviceMemory::holder(std::uint64_t address) const {
  const auto place = simt::Memory::number_of(address);
  if (!place || *place >= pieces_.size()) return nullptr;
  const Piece& piece = pieces_[*place];
  const std::uint64_t begin = simt::Memory::address_of(*place);
  return address >= begin && address - begin < std::max<std::uint64_t>(1, piece.bytes) ? &piece
                                                                                       : nullptr;
}

DeviceMemory::Piece* DeviceMemory::piece_at(std::uint64_t address) {
  const Piece* piece = holder(address);
  return piece != nullptr && piece->is_live ? const_cast<Piece*>(piece) : nullptr;
}

std::uint64_t DeviceMemory::bytes_at(std::uint64_t address) const {
  const Piece* piece = holder(address);
  return piece != nullptr && piece->is_live ? piece->bytes : 0;
}

DeviceMemory::Allocation DeviceMemory::history_of(const Piece& piece) const {
  Allocation history = piece.history;
  history.address = address_of(piece);
  history.bytes = piece.bytes;
  history.is_live = piece.is_live;
  return history;
}

std::optional<DeviceMemory::Allocation> DeviceMemory::allocation_at(std::uint64_t address) const {
  const Piece* piece = holder(address);
  if (piece == nullptr || piece->is_variable) return std::nullopt;
  return history_of(*piece);
}

/// Joined with what is free beside it.
void DeviceMemory::free_in_file(std::uint64_t offset, std::uint64_t bytes) {
  auto next = holes_.lower_bound(offset);
  if (next != holes_.end() && next->first == offset + bytes) {
    bytes += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin())
    if (const auto before = std::prev(next); before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      holes_.erase(before);
    }
  if (offset + bytes == file_end_)
    file_end_ = offset;
  else
    holes_.emplace(offset, bytes);
}

std::uint64_t DeviceMemory::grid_workspace() {
  constexpr std::uint64_t kBytes = 8;
  if (!workspace_)
    workspace_ = add({.name = "grid workspace", .bytes = kBytes, .is_variable = true});
  if (!workspace_) throw Error("the simulated GPU's memory is full");
  std::ranges::fill(bytes_of(pieces_[*workspace_]), std::byte{0});
  return simt::Memory::address_of(*workspace_);
}

bool DeviceMemory::set_heap_bytes(std::uint64_t bytes) {
  if (heap_) return false;
  heap_bytes_ = bytes;
  return true;
}

void DeviceMemory::make_heap() {
  if (!heap_)
    heap_ = add({.name = "memory of malloc() in kernels",
                 .bytes = simt::Memory::heap_bytes(heap_bytes_),
                 .is_variable = true,
                 .is_heap = true});
  if (!heap_) throw Error("the simulated GPU's memory has no room for the heap of malloc()");
}

bool DeviceMemory::release(std::uint64_t address, std::uint64_t launches, std::uint64_t caller) {
  Piece* piece = piece_at(address);
  if (piece == nullptr || piece->is_variable) return false;
  empty_file(file_, piece->offset, piece->file_bytes);
  free_in_file(piece->offset, piece->file_bytes);
  used_ -= piece->file_bytes;
  piece->is_live = false;
  piece->history.freed_after = launches;
  piece->history.freed_by = caller;
  forget_flags(*piece);
  return true;
}

std::uint64_t DeviceMemory::add_image(const simt::Image& image) {
  auto images = std::make_shared<simt::Memory::Images>(*images_);
  images->emplace(++last_image_, image);
  images_ = std::move(images);
  return last_image_;
}

bool DeviceMemory::remove_image(std::uint64_t handle) {
  auto images = std::make_shared<simt::Memory::Images>(*images_);
  const bool was_there = images->erase(handle) != 0;
  images_ = std::move(images);
  return was_there;
}

void DeviceMemory::mark_written(std::uint64_t address, std::uint64_t bytes, std::uint64_t caller,
                                int fill) {
  Piece* piece = piece_at(address);
  if (piece == nullptr) return;
  const std::uint64_t begin = address - address_of(*piece);
  const std::uint64_t end = std::min(begin + bytes, piece->bytes);
  piece->history.written_by = caller;
  piece->history.written_end = end;
  piece->history.fill = fill;
  if (piece->undefined == 0) return;
  if (begin == 0 && end == piece->bytes) return forget_flags(*piece);
  const std::span flags = flags_of(*piece).subspan(begin, end - begin);
  piece->undefined -= undefined_in(flags);
  std::ranges::fill(flags, std::byte{kDefined});
  if (piece->undefined == 0) forget_flags(*piece);
}

DeviceMemory::Unwritten DeviceMemory::unwritten(std::uint64_t address, std::uint64_t bytes) const {
  const Piece* piece = holder(address);
  if (piece == nullptr || piece->undefined == 0) return {};
  const std::uint64_t begin = address - address_of(*piece);
  const std::span flags = flags_of(*piece).subspan(begin, std::min(bytes, piece->bytes - begin));
  constexpr std::byte kNever{simt::Memory::kNeverWritten};
  const auto first = std::ranges::find(flags, kNever);
  Unwritten all{.first = address + static_cast<std::uint64_t>(first - flags.begin())};
  for (auto at = first; at != flags.end();) {
    const auto end = std::find_if(at, flags.end(), [&](std::byte flag) { return flag != kNever; });
    const auto run = static_cast<std::uint64_t>(end - at);
    all.bytes += run;
    all.longest = std::max(all.longest, run);
    at = std::find(end, flags.end(), kNever);
  }
  return all;
}

void DeviceMemory::mark_padding(std::uint64_t address, const std::vector<bool>& padding) {
  Piece* piece = piece_at(address);
  if (piece == nullptr || piece->undefined == 0 || piece->has_padding || padding.empty()) return;
  piece->has_padding = true;
  const std::span flags = flags_of(*piece).subspan(address - address_of(*piece));
  for (std::size_t at = 0; at < flags.size(); ++at)
    if (padding[at % padding.size()] && flags[at] != std::byte{kDefined}) {
      flags[at] = std::byte{kDefined};
      --piece->undefined;
    }
  if (piece->undefined == 0) forget_flags(*piece);
}

void DeviceMemory::copy_written(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  Piece *target = piece_at(to), *source = piece_at(from);
  if (target == nullptr || target->kind != Kind::device) return;
  if (source == nullptr || source->undefined == 0) return;
  if (target->undefined == 0) std::ranges::fill(flags_of(*target), std::byte{kDefined});
  const std::span now = flags_of(*target).subspan(to - address_of(*target), bytes);
  const std::uint64_t before = undefined_in(now);
  std::memmove(now.data(), flags_of(*source).data() + (from - address_of(*source)), bytes);
  target->undefined += undefined_in(now) - before;
  if (target->undefined == 0) forget_flags(*target);
}

void DeviceMemory::mark_all_written() {
  for (Piece& piece : pieces_) forget_flags(piece);
}

void DeviceMemory::mark_stored_written() {
  for (Piece& piece : pieces_) {
    if (piece.undefined == 0 || !piece.is_live) continue;
    std::ranges::replace(flags_of(piece), std::byte{simt::Memory::kStoredUndefined},
                         std::byte{kDefined});
    piece.undefined = undefined_in(flags_of(piece));
    if (piece.undefined == 0) forget_flags(piece);
  }
}

void DeviceMemory::forget_flags(Piece& piece) {
  if (flags_ != nullptr && piece.kind == Kind::device)
    empty_file(flags_file_, piece.offset, piece.file_bytes);
  piece.undefined = 0;
}

const std::vector<DeviceMemory::Variable>& DeviceMemory::variables_of(const ptx::Module& module) {
  if (const auto known = variables_.find(&module); known != variables_.end()) return known->second;
  std::vector<Variable> all;
  std::vector<std::uint64_t> addresses(module.variables.size(), 0);
  std::vector<std::size_t> numbers(module.variables.size(), 0);
  for (std::size_t v = 0; v < module.variables.size(); ++v) {
    const auto& variable = module.variables[v];
    if (!simt::has_address(variable)) continue;
    const auto number = add({.name = std::string(variable.name),
                             .bytes = variable.size_bytes,
                             .kind = variable.is_managed ? Kind::managed : Kind::device,
                             .is_variable = true,
                             .is_constant = variable.space == ptx::Space::constant});
    if (!number)
      throw Error("the program's device variables do not fit into the simulated GPU's memory");
    numbers[v] = *number;
    addresses[v] = simt::Memory::address_of(*number);
    all.push_back(
        {std::string(variable.name), {addresses[v], variable.size_bytes, pieces_[*number].offset}});
  }
  simt::initialise_variables(module, addresses,
                             [&](std::size_t v) { return bytes_of(pieces_[numbers[v]]); });
  variable_addresses_.emplace(&module, std::move(addresses));
  return variables_.emplace(&module, std::move(all)).first->second;
}

std::unique_ptr<DeviceMemory::View> DeviceMemory::view(const ptx::Module& module, bool is_copy) {
  variables_of(module);
  auto view = std::make_unique<View>();
  view->bytes_ = file_end_;
  if (is_copy && file_end_ > 0) {
    view->copy_ = map_file(file_.get(), file_end_, MAP_PRIVATE);
    if (flags_ != nullptr) view->flags_ = map_file(flags_file_.get(), file_end_, MAP_PRIVATE);
  }
  std::byte* const base = view->copy_ != nullptr ? view->copy_ : shared_;
  for (std::size_t n = pieces_.size(); n-- > 0;) {
    const Piece& piece = pieces_[n];
    view->memory_.place(
        {.name = piece.name,
         .place = n,
         .bytes =
             piece.is_live ? std::span(base + piece.offset, piece.bytes) : std::span<std::byte>(),
         .defined = piece.undefined != 0 && view->flags_ != nullptr
                        ? std::span(reinterpret_cast<std::uint8_t*>(view->flags_ + piece.offset),
                                    piece.bytes)
                        : std::span<std::uint8_t>(),
         .is_constant = piece.is_constant,
         .is_variable = piece.is_variable,
         .is_heap = piece.is_heap,
         .freed_bytes = piece.is_live ? 0 : piece.bytes});
  }
  view->memory_.set_images(images_);
  view->memory_.place_variables(module, variable_addresses_.at(&module));
  return view;
}

DeviceMemory::View::~View() {
  if (copy_ != nullptr) ::munmap(copy_, bytes_);
  if (flags_ != nullptr) ::munmap(flags_, bytes_);
}

DeviceMemory::Committed DeviceMemory::commit(std::span<const std::unique_ptr<View>> copies,
                                             simt::Memory& memory) {
  Committed committed;
  const auto live =
      std::ranges::find_if(pieces_, [](const Piece& one) { return one.is_live && one.bytes > 0; });
  if (live == pieces_.end()) return committed;
  const std::byte* const some =
      memory.contents(simt::Memory::address_of(static_cast<std::size_t>(live - pieces_.begin())))
          .data();
  const auto used = std::ranges::find_if(copies, [&](const auto& one) { return one->holds(some); });
  if (used == copies.end()) throw Error("a launch ran in memory of its own", "", error_id::kBug);
  const View& copy = **used;
  /// From the first byte that was changed to before what follows the last; both 0 where none was.
  const auto take_over = [&](const Changed& changed, std::byte* ours, const std::byte* theirs,
                             Piece& piece, bool is_flags) {
    std::pair<std::uint64_t, std::uint64_t> stretch = {0, 0};
    for (std::uint64_t at = 0; at < piece.bytes; at += kPage) {
      const std::uint64_t offset = piece.offset + at;
      if (!changed.maybe(offset / kPage)) continue;
      const std::span before(ours + offset, std::min(kPage, piece.bytes - at));
      const std::span now(theirs + offset, before.size());
      if (std::memcmp(before.data(), now.data(), now.size()) == 0) continue;
      const auto first = std::ranges::mismatch(before, now).in1 - before.begin();
      const auto last = std::mismatch(before.rbegin(), before.rend(), now.rbegin()).first;
      if (stretch.second == 0) stretch.first = at + static_cast<std::uint64_t>(first);
      stretch.second = at + static_cast<std::uint64_t>(last.base() - before.begin());
      if (is_flags) piece.undefined += undefined_in(now) - undefined_in(before);
      std::ranges::copy(now, before.begin());
      committed.has_changes = true;
    }
    return stretch;
  };
  const Changed changed(copy.copy_, copy.bytes_),
      changed_flags(copy.flags_, copy.flags_ == nullptr ? 0 : copy.bytes_);
  for (std::size_t n = 0; n < pieces_.size(); ++n) {
    Piece& piece = pieces_[n];
    if (!piece.is_live) continue;
    const std::uint64_t address = simt::Memory::address_of(n);
    if (const auto [first, end] = take_over(changed, shared_, copy.copy_, piece, false); end != 0)
      committed.changed.push_back({address + first, end - first});
    if (piece.undefined == 0 || copy.flags_ == nullptr) continue;
    if (!memory.defined(address).empty())
      take_over(changed_flags, flags_, copy.flags_, piece, true);
    else
      piece.undefined = 0;
    if (piece.undefined != 0) continue;
    forget_flags(piece);
    committed.has_changes = true;
  }
  return committed;
}

void DeviceMemory::set_writer(std::uint64_t address, const std::string& kernel,
                              std::uint64_t caller) {
  Piece* piece = piece_at(address);
  if (piece == nullptr) return;
  piece->history.kernel = kernel;
  piece->history.launched_by = caller;
  piece->history.fill = -1;
}

void DeviceMemory::set_name(std::uint64_t address, std::string name) {
  const Piece* piece = holder(address);
  if (piece != nullptr && !piece->is_variable) const_cast<Piece*>(piece)->name = std::move(name);
}
void DeviceMemory::forget_names() {
  for (Piece& piece : pieces_)
    if (!piece.is_variable) piece.name = "memory";
}

std::uint64_t DeviceMemory::checksum_of_shared() const {
  std::uint64_t sum = 0;
  for (const Piece& piece : pieces_) {
    if (!piece.is_live || piece.kind == Kind::device) continue;
    const std::byte* at = shared_ + piece.offset;  // whole pages
    for (const std::byte* const end = at + piece.bytes; at < end; at += sizeof sum) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      sum = std::rotl(sum ^ word, 23) *
            0x9E3779B97F4A7C15;  // an odd number: no two states become one
    }
  }
  return sum;
}

std::vector<DeviceMemory::Allocation> DeviceMemory::live() const {
  std::vector<Allocation> all;
  for (const Piece& piece : pieces_)
    if (piece.is_live && !piece.is_variable) all.push_back(history_of(piece));
  return all;
}

}  // namespace labkit::program
