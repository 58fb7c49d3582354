// Cooperative groups' basics: blocks, tiles, coalesced groups, a grid's numbers.
#pragma once
namespace cooperative_groups {

class thread_block {
 public:
  __LABKIT_FN_MEMBER static void sync() { __syncthreads(); }
  __LABKIT_FN_MEMBER static void barrier_arrive() {}
  __LABKIT_FN_MEMBER static void barrier_wait() { __syncthreads(); }
  __LABKIT_FN_MEMBER static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __LABKIT_FN_MEMBER static unsigned int num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  __LABKIT_FN_MEMBER static unsigned int size() { return num_threads(); }
  __LABKIT_FN_MEMBER static dim3 group_index() { return blockIdx; }
  __LABKIT_FN_MEMBER static dim3 thread_index() { return threadIdx; }
  __LABKIT_FN_MEMBER static dim3 group_dim() { return blockDim; }
  __LABKIT_FN_MEMBER static dim3 dim_threads() { return blockDim; }
};
__LABKIT_FN thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  __LABKIT_FN_MEMBER static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __LABKIT_FN_MEMBER static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __LABKIT_FN_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __LABKIT_FN_MEMBER static unsigned long long num_threads() {
    return num_blocks() * thread_block::size();
  }
  __LABKIT_FN_MEMBER static unsigned long long size() { return num_threads(); }
  __LABKIT_FN_MEMBER static dim3 group_dim() { return gridDim; }
  __LABKIT_FN_MEMBER static dim3 dim_blocks() { return gridDim; }
  __LABKIT_FN_MEMBER static dim3 block_index() { return blockIdx; }
  /// Only of a launch that is cooperative, which a grader's is not.
  __LABKIT_FN_MEMBER static bool is_valid() { return workspace() != nullptr; }
  /// The last block to come turns the counter's highest bit, for which the others wait.
  __LABKIT_FN_MEMBER static void sync() {
    unsigned int* const counter = workspace() + 1;
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      if (workspace() == nullptr) __trap();
      const unsigned int others = (unsigned int)num_blocks() - 1;
      __threadfence();
      const unsigned int before = atomicAdd(counter, block_rank() == 0 ? 0x80000000u - others : 1u);
      while (((before ^ *(volatile unsigned int*)counter) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  __LABKIT_FN_MEMBER static unsigned int* workspace() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned int*)((unsigned long long)high << 32 | low);
  }
};
__LABKIT_FN grid_group this_grid() { return {}; }

/// What tiles and coalesced groups share: some lanes of a warp.
class __labkit_lanes {
 protected:
  unsigned int mask_, size_, rank_, first_;
  __LABKIT_FN_MEMBER __labkit_lanes(unsigned int mask, unsigned int size, unsigned int rank,
                                    unsigned int first)
      : mask_(mask), size_(size), rank_(rank), first_(first) {}

 public:
  __LABKIT_FN_MEMBER void sync() const { __syncwarp(mask_); }
  __LABKIT_FN_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  __LABKIT_FN_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
};

__LABKIT_FN unsigned int __labkit_lane() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// Lanes that follow each other: `Size` of them, or as many as are said.
class __labkit_tile : public __labkit_lanes {
 protected:
  unsigned int parts_, part_;
  __LABKIT_FN_MEMBER __labkit_tile(unsigned int size, unsigned int threads, unsigned int rank)
      : __labkit_lanes(size == 32 ? ~0u : ((1u << size) - 1) << (__labkit_lane() & ~(size - 1)), size,
                       __labkit_lane() & (size - 1), __labkit_lane() & ~(size - 1)),
        parts_((threads + size - 1) / size),
        part_(rank / size) {}

 public:
  __LABKIT_FN_MEMBER unsigned int thread_rank() const { return rank_; }
  __LABKIT_FN_MEMBER unsigned int size() const { return size_; }
  __LABKIT_FN_MEMBER unsigned int num_threads() const { return size_; }
  __LABKIT_FN_MEMBER unsigned int meta_group_size() const { return parts_; }
  __LABKIT_FN_MEMBER unsigned int meta_group_rank() const { return part_; }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl(T value, int lane) const {
    return __shfl_sync(mask_, value, lane, (int)size_);
  }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl_up(T value, unsigned int by) const {
    return __shfl_up_sync(mask_, value, by, (int)size_);
  }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl_down(T value, unsigned int by) const {
    return __shfl_down_sync(mask_, value, by, (int)size_);
  }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl_xor(T value, unsigned int lanes) const {
    return __shfl_xor_sync(mask_, value, (int)lanes, (int)size_);
  }
  __LABKIT_FN_MEMBER unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask_, predicate) & mask_) >> first_;
  }
  template <typename T>
  __LABKIT_FN_MEMBER unsigned int match_any(T value) const {
    return (__match_any_sync(mask_, value) & mask_) >> first_;
  }
  template <typename T>
  __LABKIT_FN_MEMBER unsigned int match_all(T value, int& all) const {
    return (__match_all_sync(mask_, value, &all) & mask_) >> first_;
  }
};

template <unsigned int Size, typename Parent = void>
class thread_block_tile : public __labkit_tile {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __LABKIT_FN_MEMBER explicit thread_block_tile(unsigned int threads, unsigned int rank)
      : __labkit_tile(Size, threads, rank) {}
  template <typename Other>
  __LABKIT_FN_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)
      : __labkit_tile(other) {}
  __LABKIT_FN_MEMBER static constexpr unsigned int size() { return Size; }
  __LABKIT_FN_MEMBER static constexpr unsigned int num_threads() { return Size; }
};

/// A group whose size is only known when the kernel runs: a tile, or the block.
class thread_group : public __labkit_tile {
  bool is_block_ = false;

 public:
  __LABKIT_FN_MEMBER thread_group(unsigned int size, unsigned int threads, unsigned int rank)
      : __labkit_tile(size, threads, rank) {}
  template <unsigned int Size, typename Parent>
  __LABKIT_FN_MEMBER thread_group(const thread_block_tile<Size, Parent>& tile)
      : __labkit_tile(tile) {}
  __LABKIT_FN_MEMBER thread_group(const thread_block&)
      : __labkit_tile(32, 32, 0), is_block_(true) {}
  __LABKIT_FN_MEMBER void sync() const {
    if (is_block_)
      __syncthreads();
    else
      __labkit_tile::sync();
  }
  __LABKIT_FN_MEMBER unsigned int thread_rank() const {
    return is_block_ ? thread_block::thread_rank() : rank_;
  }
  __LABKIT_FN_MEMBER unsigned int size() const { return is_block_ ? thread_block::size() : size_; }
  __LABKIT_FN_MEMBER unsigned int num_threads() const { return size(); }
};

template <unsigned int Size, typename Group>
__LABKIT_FN thread_block_tile<Size, Group> tiled_partition(const Group& group) {
  return thread_block_tile<Size, Group>(group.size(), group.thread_rank());
}
__LABKIT_FN thread_group tiled_partition(const thread_block& group, unsigned int size) {
  return thread_group(size, group.size(), group.thread_rank());
}

class coalesced_group : public __labkit_lanes {
  __LABKIT_FN_MEMBER unsigned int lane_of(unsigned int rank) const {
    return __fns(mask_, 0, (int)rank + 1);
  }

 public:
  __LABKIT_FN_MEMBER explicit coalesced_group(unsigned int mask)
      : __labkit_lanes(mask, (unsigned int)__popc(mask),
                       (unsigned int)__popc(mask & ((1u << __labkit_lane()) - 1)), 0) {}
  __LABKIT_FN_MEMBER unsigned int thread_rank() const { return rank_; }
  __LABKIT_FN_MEMBER unsigned int size() const { return size_; }
  __LABKIT_FN_MEMBER unsigned int num_threads() const { return size_; }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, (int)lane_of((unsigned int)rank % size_));
  }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl_down(T value, unsigned int by) const {
    return __shfl_sync(mask_, value, (int)lane_of(rank_ + by < size_ ? rank_ + by : rank_));
  }
  template <typename T>
  __LABKIT_FN_MEMBER T shfl_up(T value, unsigned int by) const {
    return __shfl_sync(mask_, value, (int)lane_of(rank_ >= by ? rank_ - by : rank_));
  }
  __LABKIT_FN_MEMBER unsigned int ballot(int predicate) const {
    const unsigned int votes = __ballot_sync(mask_, predicate);
    unsigned int packed = 0;
    for (unsigned int rank = 0; rank < size_; ++rank) packed |= (votes >> lane_of(rank) & 1u) << rank;
    return packed;
  }
};
__LABKIT_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <typename Group>
__LABKIT_FN void sync(const Group& group) {
  group.sync();
}

template <typename T>
struct plus {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return x + y; }
};
template <typename T>
struct less {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return y < x ? y : x; }
};
template <typename T>
struct greater {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return x < y ? y : x; }
};
template <typename T>
struct bit_and {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return x & y; }
};
template <typename T>
struct bit_or {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return x | y; }
};
template <typename T>
struct bit_xor {
  __LABKIT_FN_MEMBER T operator()(T x, T y) const { return x ^ y; }
};
template <unsigned int Size, typename Parent, typename T, typename Op>
__LABKIT_FN T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  for (unsigned int step = Size / 2; step > 0; step /= 2)
    value = op(value, tile.shfl_xor(value, step));
  return value;
}

}  // namespace cooperative_groups
