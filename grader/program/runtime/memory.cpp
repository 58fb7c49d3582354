// Memory: allocated by labkit, copied here, since both have the same bytes mapped.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "program/runtime/copies.h"
#include "program/runtime/state.h"

/// Of heap/, if that is loaded.
extern "C" [[gnu::weak]] std::size_t labkit_heap_room(const void* address);

namespace labkit::program {
namespace {

/// Rows of cudaMallocPitch(), as on an H200.
constexpr std::size_t kPitch = 512;

/// One side of a copy.
struct Side {
  const Piece* piece = nullptr;  ///< null: memory of the host alone
  std::byte* bytes = nullptr;
  bool is_of_device() const { return piece != nullptr && piece->kind == Kind::device; }
};

/// `extent` bytes from there. Past the end of its allocation: an incident, and no side.
cudaError_t side_of(const void* address, std::uint64_t extent, const char* name, Side* side) {
  State& state = State::get();
  side->piece = state.piece_of(address);
  side->bytes = static_cast<std::byte*>(const_cast<void*>(address));
  if (side->piece == nullptr && state.was_freed(address)) {
    state.incident(IncidentKind::freed_use, name, reinterpret_cast<std::uint64_t>(address));
    return cudaErrorInvalidValue;
  }
  if (side->piece == nullptr) return cudaSuccess;
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(address) - side->piece->address;
  side->bytes = side->piece->window + offset;
  if (extent <= side->piece->bytes - offset) return cudaSuccess;
  state.incident(IncidentKind::bad_copy, name, offset + extent - side->piece->bytes,
                 side->piece->address);
  return cudaErrorInvalidValue;
}

/// Of the host's memory alone, where its size is known.
void check_room(const Side& side, std::uint64_t extent, IncidentKind what, const char* name) {
  if (side.piece != nullptr || labkit_heap_room == nullptr) return;
  if (const std::size_t room = labkit_heap_room(side.bytes); room < extent)
    State::get().incident(what, name, extent, room);
}

bool is_locked(const Side& side) {
  return side.piece == nullptr ? State::get().device_pointer(side.bytes) != nullptr
                               : side.piece->kind == Kind::host;
}

/// As an H200 takes it (CUDA 13.0): a side that should be the host's may lie on the device.
std::optional<Misfit> misfit(const Side& to, const Side& from, cudaMemcpyKind kind) {
  const bool needs_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
             needs_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (needs_device_to && to.piece == nullptr) return Misfit::host_target;
  if (needs_device_from && from.piece == nullptr) return Misfit::host_source;
  return std::nullopt;
}

}  // namespace

cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 const char* name, cudaStream_t stream) {
  State& state = State::get();
  state.open_guarded();
  if (const auto error = state.check(stream, name); error != cudaSuccess) return error;
  if (rows.is_empty()) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (rows.height > 1 && (rows.width > rows.to_pitch || rows.width > rows.from_pitch))
    return cudaErrorInvalidPitchValue;
  Side target, source;
  if (const auto error = side_of(to, rows.to_bytes(), name, &target); error != cudaSuccess)
    return error;
  if (const auto error = side_of(from, rows.from_bytes(), name, &source); error != cudaSuccess)
    return error;
  if (const auto wrong = misfit(target, source, kind)) {
    state.incident(IncidentKind::direction, name, static_cast<std::uint64_t>(*wrong));
    return cudaErrorInvalidValue;
  }
  check_room(target, rows.to_bytes(), IncidentKind::host_small, name);
  check_room(source, rows.from_bytes(), IncidentKind::host_short, name);
  state.copies(reinterpret_cast<std::uint64_t>(from), rows.from_bytes(), stream, name);
  state.copying = {name, rows.bytes()};
  rows.each([&](std::uint64_t to_row, std::uint64_t from_row) {
    std::memmove(target.bytes + to_row, source.bytes + from_row, rows.width);
  });
  state.copying = {};
  const auto address = reinterpret_cast<std::uint64_t>(to);
  if (target.piece != nullptr)
    state.written({.address = address,
                   .bytes = rows.to_bytes(),
                   .from = source.piece == nullptr ? reinterpret_cast<std::uint64_t>(from) : 0},
                  name);
  const bool is_async = std::string_view(name).ends_with("Async");
  if (is_async && target.is_of_device() && !source.is_of_device() && rows.height * rows.depth == 1)
    state.uploads({address, rows.width}, stream);
  if (source.is_of_device())
    state.moved(address, reinterpret_cast<std::uint64_t>(from), rows, name);
  state.copied(target.is_of_device() && source.is_of_device() ? Copy::on_device
               : target.is_of_device()                        ? Copy::to_device
               : source.is_of_device()                        ? Copy::to_host
                                                              : Copy::on_host,
               rows.bytes(), is_locked(target) || is_locked(source));
  if (is_async && source.is_of_device() && target.piece != nullptr &&
      target.piece->kind == Kind::host && rows.height * rows.depth == 1)
    state.downloads(*target.piece, address - target.piece->address, rows.width);
  return cudaSuccess;
}

cudaError_t fill(void* to, int value, const Rows& rows, const char* name, cudaStream_t stream) {
  State& state = State::get();
  state.open_guarded();
  if (const auto error = state.check(stream, name); error != cudaSuccess) return error;
  if (rows.is_empty()) return cudaSuccess;
  Side target;
  if (const auto error = side_of(to, rows.to_bytes(), name, &target); error != cudaSuccess)
    return error;
  if (target.piece == nullptr) return cudaErrorInvalidValue;
  rows.each([&](std::uint64_t row, std::uint64_t) {
    std::memset(target.bytes + row, value, rows.width);
  });
  state.written({.address = reinterpret_cast<std::uint64_t>(to),
                 .bytes = rows.to_bytes(),
                 .value = value & 0xFF},
                name);
  state.copied(Copy::fill, rows.bytes());
  return cudaSuccess;
}

namespace {

Rows rows_of(const cudaPitchedPtr& to, const cudaExtent& extent) {
  return {.width = extent.width,
          .height = extent.height,
          .to_pitch = to.pitch,
          .depth = extent.depth,
          .to_slice = to.pitch * to.ysize};
}

cudaError_t symbol_copy(void* to, const void* from, const void* symbol, bool to_symbol,
                        std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                        const char* name) {
  Piece piece;
  if (const auto error = State::get().variable(symbol, &piece); error != cudaSuccess) return error;
  if (offset > piece.bytes || bytes > piece.bytes - offset) {
    State::get().incident(IncidentKind::bad_copy, name, offset + bytes - piece.bytes,
                          piece.address);
    return cudaErrorInvalidValue;
  }
  auto* const place = reinterpret_cast<void*>(piece.address + offset);
  const Rows rows{bytes, 1, bytes, bytes};
  return to_symbol ? copy(place, from, rows, kind, name) : copy(to, place, rows, kind, name);
}

}  // namespace
}  // namespace labkit::program

using namespace labkit::program;

#define CALL(name, waits) State::get().call(#name, Waits::waits, [&]() -> cudaError_t
extern "C" {

cudaError_t cudaMalloc(void** address, size_t bytes) {
  return CALL(cudaMalloc, no) { return State::get().allocate(bytes, Kind::device, address); });
}
cudaError_t cudaMallocAsync(void** address, size_t bytes, cudaStream_t) {
  return CALL(cudaMallocAsync, no) { return State::get().allocate(bytes, Kind::device, address); });
}
cudaError_t cudaMallocFromPoolAsync(void** address, size_t bytes, cudaMemPool_t, cudaStream_t) {
  return cudaMallocAsync(address, bytes, nullptr);
}
cudaError_t cudaMallocManaged(void** address, size_t bytes, unsigned) {
  return CALL(cudaMallocManaged, no) {
    return State::get().allocate(bytes, Kind::managed, address);
  });
}
cudaError_t cudaMallocHost(void** address, size_t bytes) {
  return CALL(cudaMallocHost, no) { return State::get().allocate(bytes, Kind::host, address); });
}
cudaError_t cudaHostAlloc(void** address, size_t bytes, unsigned) {
  return CALL(cudaHostAlloc, no) { return State::get().allocate(bytes, Kind::host, address); });
}
cudaError_t cudaMallocPitch(void** address, size_t* pitch, size_t width, size_t height) {
  return CALL(cudaMallocPitch, no) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return State::get().allocate(*pitch * height, Kind::device, address);
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) return cudaErrorInvalidValue;
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}
cudaError_t cudaFree(void* address) {
  return CALL(cudaFree, yes) { return State::get().release(address, false); });
}
cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  return CALL(cudaFreeAsync, no) {
    if (const auto error = State::get().check(stream, "cudaFreeAsync"); error != cudaSuccess)
      return error;
    return State::get().release(address, false);
  });
}
cudaError_t cudaFreeHost(void* address) {
  return CALL(cudaFreeHost, yes) { return State::get().release(address, true); });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return CALL(cudaHostGetDevicePointer, no) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = State::get().device_pointer(host);
    return *device != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return CALL(cudaHostGetFlags, no) {
    if (flags == nullptr || State::get().piece_of(host) == nullptr) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}
/// The pages become pieces of device memory that the program sees where its own were.
cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned) {
  return CALL(cudaHostRegister, no) { return State::get().take_pages(host, bytes); });
}
cudaError_t cudaHostUnregister(void* host) {
  return CALL(cudaHostUnregister, no) { return State::get().leave_pages(host); });
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return CALL(cudaMemGetInfo, no) {
    const auto now = State::get().channel.ask(Op::device, {}).get<DeviceReply>();
    if (free_bytes != nullptr) *free_bytes = now.free_bytes;
    if (total_bytes != nullptr) *total_bytes = now.memory_bytes;
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return CALL(cudaPointerGetAttributes, no) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const Piece* piece = State::get().piece_of(pointer);
    void* const address = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    if (piece == nullptr) return cudaSuccess;
    attributes->type = piece->kind == Kind::device    ? cudaMemoryTypeDevice
                       : piece->kind == Kind::managed ? cudaMemoryTypeManaged
                                                      : cudaMemoryTypeHost;
    attributes->device = 0;
    attributes->devicePointer = address;
    attributes->hostPointer = piece->is_of_host() ? address : nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return CALL(cudaMemcpy, yes) {
    return copy(to, from, {bytes, 1, bytes, bytes}, kind, "cudaMemcpy");
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return CALL(cudaMemcpyAsync, no) {
    return copy(to, from, {bytes, 1, bytes, bytes}, kind, "cudaMemcpyAsync", stream);
  });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return CALL(cudaMemcpyPeer, yes) {
    return copy(to, from, {bytes, 1, bytes, bytes}, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer");
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return CALL(cudaMemcpy2D, yes) {
    return copy(to, from, {width, height, to_pitch, from_pitch}, kind, "cudaMemcpy2D");
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return CALL(cudaMemcpy2DAsync, no) {
    return copy(to, from, {width, height, to_pitch, from_pitch}, kind, "cudaMemcpy2DAsync", stream);
  });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return CALL(cudaMemset, yes) { return fill(to, value, {bytes, 1, bytes}, "cudaMemset"); });
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return CALL(cudaMemsetAsync, no) {
    return fill(to, value, {bytes, 1, bytes}, "cudaMemsetAsync", stream);
  });
}
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return CALL(cudaMemset2D, yes) { return fill(to, value, {width, height, pitch}, "cudaMemset2D"); });
}
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return CALL(cudaMemset2DAsync, no) {
    return fill(to, value, {width, height, pitch}, "cudaMemset2DAsync", stream);
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return CALL(cudaMemset3D, yes) {
    return fill(to.ptr, value, rows_of(to, extent), "cudaMemset3D");
  });
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return CALL(cudaMemset3DAsync, no) {
    return fill(to.ptr, value, rows_of(to, extent), "cudaMemset3DAsync", stream);
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return CALL(cudaMemcpyToSymbol, yes) {
    return symbol_copy(nullptr, from, symbol, true, bytes, offset, kind, "cudaMemcpyToSymbol");
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return CALL(cudaMemcpyFromSymbol, yes) {
    return symbol_copy(to, nullptr, symbol, false, bytes, offset, kind, "cudaMemcpyFromSymbol");
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return CALL(cudaGetSymbolAddress, no) {
    Piece piece;
    const cudaError_t error = State::get().variable(symbol, &piece);
    if (error == cudaSuccess) *address = reinterpret_cast<void*>(piece.address);
    return error;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return CALL(cudaGetSymbolSize, no) {
    Piece piece;
    const cudaError_t error = State::get().variable(symbol, &piece);
    if (error == cudaSuccess) *bytes = piece.bytes;
    return error;
  });
}
/// Where managed memory lies makes no difference here.
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }

}  // extern "C"
