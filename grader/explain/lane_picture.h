// The picture of one warp's access: which lanes touch which bytes, what that costs and why. Plain data, so that a terminal
// and a page can each draw it, and the sentences that go with it.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "observe/samples.h"

namespace labkit::explain {

/// A 32-byte sector that the access fetches or sends.
struct SectorUse {
  std::uint64_t address = 0;  ///< a multiple of 32
  std::uint32_t bytes = 0;    ///< bit i: byte i of it is touched
  std::uint32_t lanes = 0;    ///< bit i: by lane i
  int used_bytes() const { return std::popcount(bytes); }
};

/// What one bank of shared memory delivers or takes in a wavefront.
struct BankUse {
  std::uint64_t word = 0;   ///< offset in the block's window over 4
  std::uint32_t lanes = 0;  ///< that want it; 0: the bank is idle
};
/// One pass through the 32 banks. In which order the hardware takes the words that meet in a bank is not documented: here,
/// that of the first lane which wants each.
struct Wavefront {
  std::uint32_t pass = 0;  ///< of half or quarter warps, for 8 and 16 bytes a lane (rules.h)
  std::array<BankUse, 32> banks;
};

struct LanePicture {
  ptx::Space space = ptx::Space::global;
  bool is_store = false, is_atomic = false;
  observe::WarpAccess access;

  std::string array;                ///< "in"; "" where it is not known
  std::uint32_t element_bytes = 4;  ///< of the array, or else of what the instruction moves
  /// "in[2048*lane + 3]" where the element follows from the lane so; with blocks of lanes,
  /// "in[lane%16 + 2048*(lane/16)]"; else "".
  std::string index;
  /// Bytes from one active lane's address to the next lane's, where they are all the same.
  bool has_stride = false;
  std::int64_t stride_bytes = 0;

  std::vector<SectorUse> sectors;     ///< by address; empty for shared memory
  std::vector<Wavefront> wavefronts;  ///< shared memory; by pass
  /// Lane i's element of `array` (of memory in elements, where the array is not known); -1: lane i takes no part.
  std::array<std::int64_t, 32> elements{};

  /// "32 sectors where 4 would do", "1 wavefront: as few as can be"
  std::string headline;
  /// What is to be seen, most important first: 1 to 4 sentences. The first says cost and ideal.
  std::vector<std::string> words;
  bool is_ideal() const { return access.excess() == 0; }
};

/// `spelling` of the instruction: "ld.global.f32".
LanePicture picture_of(const observe::InstructionSamples& instruction,
                       const observe::WarpAccess& access,
                       const std::vector<observe::NamedRange>& ranges, std::string_view spelling);

/// "lanes 0 to 31", "lanes 0, 8, 16 and 24", "lane 5"
std::string lanes_text(std::uint32_t lanes);

}  // namespace labkit::explain
