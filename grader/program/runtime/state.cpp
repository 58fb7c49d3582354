#include "program/runtime/state.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace labkit::program {
namespace {

constexpr std::uint64_t kPage = 4096;
/// As simt::Memory hands addresses out: below it nothing is device memory.
constexpr std::uint64_t kFirstDeviceAddress = 1ull << 34;

struct sigaction before_us[2];

/// More is not followed of what streams do beside each other.
constexpr std::size_t kMostUnordered = 1000;

/// What malloc() keeps before each block.
constexpr std::size_t kHeadOfBlock = 16;

/// Behind the instruction of the program that was under way, or its call of the library that was; null: not known.
const void* place_of_fault([[maybe_unused]] void* context) {
#ifdef __x86_64__
  const auto at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const void* const behind = reinterpret_cast<const void*>(at + 1);
  if (place_in_program(behind) != 0) return behind;
#endif
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  void** const end = frames + ::backtrace(frames, kMostFrames);
  void** const first = std::find_if(frames, end, place_in_program);
  return first == end ? nullptr : *first;
}

/// The host has touched what belongs to the device: said to labkit, then the program dies as it would with a GPU.
void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  State& state = State::get();
  state.caller = place_of_fault(context);
  if (const auto early = state.open_guarded(info->si_addr))
    return state.incident(*early, "", address);
  if (state.copying.name != nullptr)
    state.incident(IncidentKind::host_end, state.copying.name, state.copying.bytes);
  // free() and delete look at what lies before
  const void* const behind = static_cast<const std::byte*>(info->si_addr) + kHeadOfBlock;
  if (address >= kFirstDeviceAddress &&
      (state.piece_of(info->si_addr) != nullptr || state.piece_of(behind) != nullptr))
    state.incident(IncidentKind::host_access, "", address, address);
  else if (state.was_freed(info->si_addr))
    state.incident(IncidentKind::freed_use, "", address);
  ::sigaction(signal, &before_us[signal == SIGSEGV ? 0 : 1], nullptr);
}

}  // namespace

std::uint64_t place_in_program(const void* address) {
  std::pair<std::uint64_t, std::uint64_t> asked = {reinterpret_cast<std::uint64_t>(address), 0};
  // the program comes first
  ::dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* to) {
        auto& [wanted, found] = *static_cast<std::pair<std::uint64_t, std::uint64_t>*>(to);
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          const auto& part = program->dlpi_phdr[i];
          const std::uint64_t place = wanted - program->dlpi_addr;
          if (part.p_type == PT_LOAD && place - part.p_vaddr < part.p_memsz) found = place;
        }
        return 1;
      },
      &asked);
  return asked.second;
}

State& State::get() {
  static State& state = *new State;  // programs use CUDA while they end
  return state;
}

State::State() {
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // its first call loads a library, which a signal's handler must not
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, &before_us[0]);
  ::sigaction(SIGBUS, &action, &before_us[1]);
  std::atexit([] { State::get().tell_unasked(); });
}

void State::tell_unasked() {
  if (unasked_error_ == cudaSuccess) return;
  const void* const now = std::exchange(caller, unasked_caller_);
  incident(IncidentKind::unchecked, unasked_.c_str(), unasked_error_);
  caller = now;
  unasked_error_ = cudaSuccess;
}

cudaError_t State::enter(Waits waits) {
  if (!channel.is_connected()) return cudaErrorNoDevice;
  tell_unasked();
  if (waits == Waits::yes) {
    forget_order();
    open_guarded();
    if (fault_ != cudaSuccess) stuck_ = fault_;
  }
  // all that follows a fault fails; the fault itself is reported
  if (stuck_ != cudaSuccess) last_ = stuck_;
  return stuck_;
}

cudaError_t State::leave(const char* name, cudaError_t error) {
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  last_ = error;
  unasked_caller_ = caller;
  unasked_ = name;
  unasked_error_ = error;
  incident(IncidentKind::failed, name, error);
  return error;
}

cudaError_t State::last_error(bool clear) {
  const std::lock_guard lock(mutex);
  unasked_error_ = cudaSuccess;
  const cudaError_t error = last_;
  if (clear) last_ = cudaSuccess;
  return error;
}

cudaError_t State::unsupported(const char* name) {
  const std::lock_guard lock(mutex);
  incident(IncidentKind::unsupported, name, cudaErrorNotSupported);
  last_ = cudaErrorNotSupported;
  return cudaErrorNotSupported;
}

void State::incident(IncidentKind what, const char* name, std::uint64_t number,
                     std::uint64_t address) {
  const IncidentRequest request{what, static_cast<std::uint32_t>(std::strlen(name)), number,
                                address, place_in_program(caller)};
  channel.tell(Op::incident, {bytes_of(request),
                              Bytes(reinterpret_cast<const std::byte*>(name), request.name_bytes)});
}

cudaError_t State::map(const AllocateReply& reply, Kind kind, bool is_variable, Piece* made) {
  *made = {.address = reply.address,
           .bytes = reply.bytes,
           .mapped_bytes = (std::max<std::uint64_t>(reply.bytes, 1) + kPage - 1) / kPage * kPage,
           .kind = kind,
           .is_variable = is_variable};
  void* const wanted = kind == Kind::device ? nullptr : reinterpret_cast<void*>(reply.address);
  void* const got = ::mmap(wanted, made->mapped_bytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | (wanted == nullptr ? 0 : MAP_FIXED_NOREPLACE),
                           channel.memory(), static_cast<off_t>(reply.offset));
  if (got == MAP_FAILED || (wanted != nullptr && got != wanted)) return cudaErrorMemoryAllocation;
  made->window = static_cast<std::byte*>(got);
  const std::uint64_t end = made->address + std::max<std::uint64_t>(made->bytes, 1);
  pieces_[end] = *made;
  std::erase_if(freed_,
                [&](const auto& one) { return one.second < end && one.first > made->address; });
  return cudaSuccess;
}

cudaError_t State::allocate(std::uint64_t bytes, Kind kind, void** address) {
  if (address == nullptr) return cudaErrorInvalidValue;
  *address = nullptr;
  if (bytes == 0) return kind == Kind::managed ? cudaErrorInvalidValue : cudaSuccess;
  const Answer answer = channel.ask(
      Op::allocate, {bytes_of(AllocateRequest{bytes, kind, 0, place_in_program(caller)})});
  if (answer.error != kSuccess) return static_cast<cudaError_t>(answer.error);
  const auto reply = answer.get<AllocateReply>();
  Piece piece;
  if (const cudaError_t error = map(reply, kind, false, &piece); error != cudaSuccess) {
    channel.ask(Op::release, {bytes_of(ReleaseRequest{reply.address})});
    return error;
  }
  *address = reinterpret_cast<void*>(reply.address);
  return cudaSuccess;
}

cudaError_t State::release(void* address, bool of_host) {
  if (address == nullptr) return cudaSuccess;
  const Piece* piece = piece_of(address);
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const bool is_freed = piece == nullptr && was_freed(address);
  if (piece == nullptr || piece->address != begin || piece->is_variable ||
      (piece->kind == Kind::host) != of_host) {
    incident(is_freed ? IncidentKind::freed_twice : IncidentKind::bad_free,
             of_host ? "cudaFreeHost" : "cudaFree", begin);
    return cudaErrorInvalidValue;
  }
  open_guarded();
  const Piece gone = *piece;
  pieces_.erase(gone.address + gone.bytes);
  freed_[gone.address + gone.bytes] = gone.address;
  ::munmap(gone.window, gone.mapped_bytes);
  const Answer answer =
      channel.ask(Op::release, {bytes_of(ReleaseRequest{gone.address, place_in_program(caller)})});
  return static_cast<cudaError_t>(answer.error);
}

cudaError_t State::take_pages(void* host, std::uint64_t bytes) {
  if (host == nullptr || bytes == 0) return cudaErrorInvalidValue;
  if (registered_.contains(host)) return cudaErrorHostMemoryAlreadyRegistered;
  const auto first = reinterpret_cast<std::uint64_t>(host) / kPage * kPage,
             last = (reinterpret_cast<std::uint64_t>(host) + bytes + kPage - 1) / kPage * kPage;
  Pages pages{
      .begin = reinterpret_cast<std::byte*>(first), .bytes = bytes, .mapped_bytes = last - first};
  const Answer answer = channel.ask(
      Op::allocate,
      {bytes_of(AllocateRequest{pages.mapped_bytes, Kind::host, 0, place_in_program(caller)})});
  if (answer.error != kSuccess) return static_cast<cudaError_t>(answer.error);
  const auto reply = answer.get<AllocateReply>();
  pages.address = reply.address;
  Piece piece;
  if (map(reply, Kind::host, false, &piece) != cudaSuccess) return cudaErrorMemoryAllocation;
  std::memcpy(piece.window, pages.begin, pages.mapped_bytes);
  if (::mmap(pages.begin, pages.mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             channel.memory(), static_cast<off_t>(reply.offset)) == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  registered_[host] = pages;
  return cudaSuccess;
}

cudaError_t State::leave_pages(void* host) {
  const auto at = registered_.find(host);
  if (at == registered_.end()) return cudaErrorHostMemoryNotRegistered;
  const Pages pages = at->second;
  registered_.erase(at);
  const std::vector<std::byte> contents(pages.begin, pages.begin + pages.mapped_bytes);
  if (::mmap(pages.begin, pages.mapped_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  std::memcpy(pages.begin, contents.data(), contents.size());
  return release(reinterpret_cast<void*>(pages.address), true);
}

void* State::device_pointer(const void* host) const {
  if (const Piece* piece = piece_of(host))
    return piece->is_of_host() ? const_cast<void*>(host) : nullptr;
  for (const auto& [begin, pages] : registered_) {
    const auto* at = static_cast<const std::byte*>(host);
    if (at >= begin && at < static_cast<const std::byte*>(begin) + pages.bytes)
      return reinterpret_cast<void*>(pages.address + static_cast<std::uint64_t>(at - pages.begin));
  }
  return nullptr;
}

cudaError_t State::reset() {
  const std::lock_guard lock(mutex);
  tell_unasked();
  last_ = fault_ = stuck_ = unasked_error_ = cudaSuccess;
  std::erase_if(pieces_, [&](const auto& one) {
    const Piece& piece = one.second;
    if (piece.is_variable || piece.kind == Kind::host) return false;
    ::munmap(piece.window, piece.mapped_bytes);
    channel.ask(Op::release, {bytes_of(ReleaseRequest{piece.address, place_in_program(caller)})});
    freed_[one.first] = piece.address;
    return true;
  });
  arrays.clear();
  for (const auto& [handle, image] : images)
    channel.ask(Op::no_image, {bytes_of(ImageReply{handle})});
  images.clear();
  return cudaSuccess;
}

void State::has_changed(const Stretch& stretch, cudaStream_t stream, bool is_with_host) {
  if (is_default(stream)) forget_order();
  if (!is_default(stream) && unordered_.size() < kMostUnordered)
    unordered_.push_back({stretch, stream});
  const Piece* piece = piece_of(reinterpret_cast<const void*>(stretch.address));
  // page-locked memory a host may watch while the kernel runs
  if (piece != nullptr && piece->kind == Kind::managed && !is_with_host)
    guard(piece->window, piece->mapped_bytes, IncidentKind::early_access);
}

void State::uploads(const Stretch& stretch, cudaStream_t stream) {
  if (is_default(stream)) return forget_order();
  std::erase_if(unordered_, [&](const Unordered& one) {
    return one.uploaded_by != 0 && one.stretch.address == stretch.address &&
           one.stretch.bytes == stretch.bytes;
  });
  if (unordered_.size() < kMostUnordered)
    unordered_.push_back({stretch, stream, place_in_program(caller)});
}

/// The pages that hold nothing else.
void State::downloads(const Piece& piece, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t first = (offset + kPage - 1) / kPage * kPage;
  const std::uint64_t end =
      offset + bytes == piece.bytes ? piece.mapped_bytes : (offset + bytes) / kPage * kPage;
  if (first < end) guard(piece.window + first, end - first, IncidentKind::early_read);
}

void State::guard(std::byte* begin, std::uint64_t bytes, IncidentKind what) {
  if (::mprotect(begin, bytes, PROT_NONE) == 0) guarded_.push_back({begin, bytes, what});
}

void State::copies(std::uint64_t address, std::uint64_t bytes, cudaStream_t stream,
                   const char* name) {
  if (is_default(stream)) return forget_order();
  for (const auto& [changed, of, uploaded_by] : unordered_)
    if (of != stream && uploaded_by == 0 && address < changed.address + changed.bytes &&
        changed.address < address + bytes)
      return incident(IncidentKind::unordered, name, changed.address);
}

void State::open_guarded() {
  for (const Guarded& one : guarded_) ::mprotect(one.begin, one.bytes, PROT_READ | PROT_WRITE);
  guarded_.clear();
}

std::optional<IncidentKind> State::open_guarded(const void* address) {
  const auto at = static_cast<const std::byte*>(address);
  const auto holder = std::find_if(guarded_.begin(), guarded_.end(), [&](const Guarded& one) {
    return at >= one.begin && at < one.begin + one.bytes;
  });
  if (holder == guarded_.end()) return std::nullopt;
  const IncidentKind what = holder->what;
  open_guarded();
  return what;
}

cudaError_t State::check(cudaStream_t stream, const char* name) {
  if (is_default(stream) || stream == cudaStreamPerThread) return cudaSuccess;
  return check(stream, IncidentKind::unknown_stream, IncidentKind::destroyed_stream, name);
}
cudaError_t State::check(cudaEvent_t event, const char* name) {
  return check(event, IncidentKind::unknown_event, IncidentKind::destroyed_event, name);
}
cudaError_t State::check(const void* handle, IncidentKind unknown, IncidentKind gone,
                         const char* name) {
  const auto at = handles_.find(handle);
  if (at != handles_.end() && at->second) return cudaSuccess;
  incident(at == handles_.end() ? unknown : gone, name, reinterpret_cast<std::uint64_t>(handle));
  return cudaErrorInvalidResourceHandle;
}

const Piece* State::piece_of(const void* address) const {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  const auto at = pieces_.upper_bound(number);
  return at == pieces_.end() || number < at->second.address ? nullptr : &at->second;
}

bool State::was_freed(const void* address) const {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  const auto at = freed_.upper_bound(number);
  return at != freed_.end() && number >= at->second;
}

cudaError_t State::variable(const void* symbol, Piece* piece) {
  if (const auto known = variable_pieces_.find(symbol); known != variable_pieces_.end()) {
    *piece = known->second;
    return cudaSuccess;
  }
  const auto at = variables.find(symbol);
  if (at == variables.end()) return cudaErrorInvalidSymbol;
  const Answer answer = channel.ask(
      Op::variable, {bytes_of(KernelRequest{at->second.module}), bytes_of(at->second.name)});
  if (answer.error != kSuccess) return cudaErrorInvalidSymbol;
  const cudaError_t error = map(answer.get<AllocateReply>(),
                                at->second.is_managed ? Kind::managed : Kind::device, true, piece);
  if (error == cudaSuccess) variable_pieces_[symbol] = *piece;
  return error;
}

/// A start and a rate, as an H100 took them (grader/tests/h200/copies.txt), over the GPU's link to the host; on the device each byte
/// is read and written.
void State::copied(Copy copy, std::uint64_t bytes, bool is_locked) {
  constexpr double kHostStart = 6.5e-6, kCopyStart = 8.8e-6, kFillStart = 5.2e-6;
  constexpr double kPageableBytesPerSecond = 16.5e9;
  if (copy == Copy::on_host) return;
  const double dram = device().dram_bytes_per_second, link = device().host_link_bytes_per_second;
  const bool is_host = copy == Copy::to_device || copy == Copy::to_host;
  const double start = is_host ? kHostStart : copy == Copy::fill ? kFillStart : kCopyStart;
  const double rate = is_host ? (is_locked ? link : std::min(link, kPageableBytesPerSecond))
                      : copy == Copy::fill ? dram
                                           : dram / 2;
  const double seconds = start + static_cast<double>(bytes) / rate;
  now_seconds += seconds;
  channel.tell(Op::copied, {bytes_of(CopiedRequest{copy, 0, bytes, seconds})});
}

void State::moved(std::uint64_t to, std::uint64_t from, const Rows& rows, const char* name) {
  const MovedRequest request{to, from, rows, place_in_program(caller), std::strlen(name)};
  channel.tell(Op::moved, {bytes_of(request),
                           Bytes(reinterpret_cast<const std::byte*>(name), request.name_bytes)});
}

void State::written(WrittenRequest request, const char* name) {
  request.caller = place_in_program(caller);
  request.name_bytes = std::strlen(name);
  channel.tell(Op::written, {bytes_of(request),
                             Bytes(reinterpret_cast<const std::byte*>(name), request.name_bytes)});
}

const DeviceReply& State::device() {
  if (!device_) device_ = channel.ask(Op::device, {}).get<DeviceReply>();
  return *device_;
}

}  // namespace labkit::program
