// Which blocks of malloc() a program has, for copies that reach past the end of one. Loaded before the program's libraries where it
// runs with --check (LD_PRELOAD); the runtime asks labkit_heap_room() if it is there. glibc's own functions do the work.
#include <pthread.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);
}

namespace {

/// Memory of the table itself, which must not be in it.
template <typename T>
struct Untold {
  using value_type = T;
  Untold() = default;
  template <typename U>
  Untold(const Untold<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(__libc_malloc(count * sizeof(T))); }
  void deallocate(T* at, std::size_t) { __libc_free(at); }
  bool operator==(const Untold&) const { return true; }
};
using Blocks = std::map<std::uintptr_t, std::size_t, std::less<>,
                        Untold<std::pair<const std::uintptr_t, std::size_t>>>;

constinit std::mutex mutex;
alignas(Blocks)
    std::byte place[sizeof(Blocks)];  // never destroyed: programs free memory while they end
Blocks* blocks = nullptr;

Blocks& table() {
  if (blocks == nullptr) {
    blocks = new (place) Blocks;
    ::pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
  }
  return *blocks;
}

void* add(void* block, std::size_t bytes) {
  if (block == nullptr) return block;
  const std::lock_guard lock(mutex);
  table()[reinterpret_cast<std::uintptr_t>(block)] = bytes;
  return block;
}
void remove(void* block) {
  if (block == nullptr) return;
  const std::lock_guard lock(mutex);
  table().erase(reinterpret_cast<std::uintptr_t>(block));
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return add(__libc_malloc(bytes), bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
  return add(__libc_calloc(count, bytes), count * bytes);
}
void* realloc(void* block, std::size_t bytes) {
  remove(block);
  void* const moved = __libc_realloc(block, bytes);
  // of one that could not grow the size is not known any more
  return add(moved, bytes);
}
void free(void* block) {
  remove(block);
  __libc_free(block);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return add(__libc_memalign(alignment, bytes), bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  void* const made = memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

/// How many bytes of a block there are from that address on; ~0: it is in none that is known.
std::size_t labkit_heap_room(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::lock_guard lock(mutex);
  const auto next = table().upper_bound(at);
  if (next == table().begin()) return ~std::size_t{0};
  const auto& [begin, bytes] = *std::prev(next);
  return at - begin < bytes ? bytes - (at - begin) : ~std::size_t{0};
}

}  // extern "C"
