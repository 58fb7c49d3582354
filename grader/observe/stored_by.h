// Who left what lies at a place of global memory when a launch is over: for words about a wrong element.
#pragma once
#include <cstdint>

#include "launch/launch.h"

namespace labkit::observe {

/// The last store, with the blocks and warps in the order that one host thread runs them in, so that it is always the same.
/// Atomic operations count as stores.
struct StoredBy {
  std::uint64_t stores = 0;  ///< by lanes, of any part of the place; 0: nobody stored there
  bool several_threads = false;
  launch::SourceLine where = {};         ///< of the last; line 0: not known
  launch::SourceLine where_inside = {};  ///< as in Places::inside
  launch::Dim3 thread = {}, block = {};  ///< of the last
};

}  // namespace labkit::observe
