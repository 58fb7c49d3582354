// Memory that outlives launches: copies that cost nothing until they are written to, and what is taken over from them.
#include "program/device_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

#include "ptx/module.h"

namespace labkit::program {
namespace {

constexpr std::uint64_t kCapacity = 64 << 20;

const ptx::Module& no_variables() {
  static const ptx::ParseResult read =
      ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n");
  return *read.module;
}

class DeviceMemoryTest : public testing::Test {
 protected:
  DeviceMemory memory{kCapacity, true};

  /// The program's view of an allocation.
  std::byte* map(const AllocateReply& place) {
    void* const at = ::mmap(nullptr, place.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.file(),
                            static_cast<off_t>(place.offset));
    EXPECT_NE(at, MAP_FAILED);
    return static_cast<std::byte*>(at);
  }
  /// What a launch does: `change` the memory it is given, which is then taken over.
  template <typename Change>
  bool launch(const Change& change) {
    std::vector<std::unique_ptr<DeviceMemory::View>> views;
    views.push_back(memory.view(no_variables(), true));
    simt::Memory of_launch = std::move(views.back()->memory());
    change(of_launch);
    return memory.commit(views, of_launch).has_changes;
  }
};

TEST_F(DeviceMemoryTest, WhatALaunchWritesIsSeenAfterIt) {
  const auto place = memory.allocate(10000, Kind::device).value();
  std::byte* const seen = map(place);
  std::memset(seen, 1, 10000);
  memory.mark_written(place.address, 10000);
  EXPECT_TRUE(launch([&](simt::Memory& of_launch) {
    EXPECT_EQ(of_launch.contents(place.address)[9999], std::byte{1});
    of_launch.contents(place.address)[9999] = std::byte{2};
    EXPECT_EQ(seen[9999], std::byte{1});  // not before it is over
  }));
  EXPECT_EQ(seen[9999], std::byte{2});
  EXPECT_EQ(seen[0], std::byte{1});
}

TEST_F(DeviceMemoryTest, ALaunchThatLeavesAllAsItIsChangesNothing) {
  const auto place = memory.allocate(5000, Kind::device).value();
  std::memset(map(place), 7, 5000);
  memory.mark_written(place.address, 5000);
  EXPECT_FALSE(launch([&](simt::Memory& of_launch) {
    of_launch.contents(place.address)[17] = std::byte{7};  // written, and the same
  }));
}

TEST_F(DeviceMemoryTest, WhatNobodyWroteIsKnown) {
  const auto place = memory.allocate(100, Kind::device).value();
  memory.mark_written(place.address + 10, 20);
  launch([&](simt::Memory& of_launch) {
    const auto defined = of_launch.defined(place.address);
    ASSERT_EQ(defined.size(), 100u);
    EXPECT_EQ(defined[9], simt::Memory::kNeverWritten);
    EXPECT_EQ(defined[10], simt::Memory::kDefined);
    EXPECT_EQ(defined[29], simt::Memory::kDefined);
    EXPECT_EQ(defined[30], simt::Memory::kNeverWritten);
  });
  memory.mark_written(place.address, 100);
  launch([&](simt::Memory& of_launch) { EXPECT_TRUE(of_launch.defined(place.address).empty()); });
}

TEST_F(DeviceMemoryTest, ALaunchMayWriteWhatNobodyWrote) {
  const auto place = memory.allocate(10000, Kind::device).value();
  EXPECT_TRUE(launch([&](simt::Memory& of_launch) {
    std::ranges::fill(of_launch.follow(place.address).first(5000), simt::Memory::kDefined);
  }));
  EXPECT_FALSE(launch([&](simt::Memory& of_launch) {
    EXPECT_EQ(of_launch.defined(place.address)[4999], simt::Memory::kDefined);
    EXPECT_EQ(of_launch.defined(place.address)[5000], simt::Memory::kNeverWritten);
  }));
  memory.mark_written(place.address + 5000, 4999);
  launch([&](simt::Memory& of_launch) {
    ASSERT_FALSE(of_launch.defined(place.address).empty());
    of_launch.follow(place.address)[9999] = simt::Memory::kDefined;
  });
  launch([&](simt::Memory& of_launch) { EXPECT_TRUE(of_launch.defined(place.address).empty()); });
}

TEST(LargeDeviceMemory, CostsWhatIsUsedOfIt) {
  constexpr std::uint64_t kBytes = 4ull << 30;
  DeviceMemory memory(kBytes, true);
  const auto place = memory.allocate(kBytes, Kind::device).value();
  const auto resident_kib = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto before = resident_kib();
  for (std::uint64_t at = 0; at < 4; ++at) {
    std::vector<std::unique_ptr<DeviceMemory::View>> views;
    views.push_back(memory.view(no_variables(), true));
    simt::Memory of_launch = std::move(views.back()->memory());
    of_launch.follow(place.address)[at * kBytes / 4] = simt::Memory::kDefined;
    EXPECT_TRUE(memory.commit(views, of_launch).has_changes);
  }
  EXPECT_LT(resident_kib() - before, 100 << 10);
}

TEST_F(DeviceMemoryTest, FreedMemoryIsUsedAgainAndItsAddressIsNot) {
  const auto first = memory.allocate(kCapacity / 2, Kind::device).value();
  EXPECT_FALSE(memory.allocate(kCapacity, Kind::device));
  EXPECT_TRUE(memory.release(first.address));
  EXPECT_FALSE(memory.release(first.address));
  const auto second = memory.allocate(kCapacity, Kind::device).value();
  EXPECT_NE(second.address, first.address);
  EXPECT_EQ(memory.used_bytes(), kCapacity);
  ASSERT_EQ(memory.live().size(), 1u);
  EXPECT_EQ(memory.live()[0].address, second.address);
}

TEST_F(DeviceMemoryTest, FreshMemoryIsZeroWhateverStoodThere) {
  const auto first = memory.allocate(4096, Kind::device).value();
  std::memset(map(first), 9, 4096);
  memory.release(first.address);
  const auto second = memory.allocate(4096, Kind::device).value();
  EXPECT_EQ(map(second)[5], std::byte{0});
}

TEST_F(DeviceMemoryTest, WhatTheHostChangesIsSeen) {
  const auto of_device = memory.allocate(100, Kind::device).value();
  const auto shared = memory.allocate(101, Kind::host).value();
  const std::uint64_t before = memory.checksum_of_shared();
  map(of_device)[0] = std::byte{1};
  EXPECT_EQ(memory.checksum_of_shared(), before);
  map(shared)[100] = std::byte{1};
  EXPECT_NE(memory.checksum_of_shared(), before);
  map(shared)[100] = std::byte{0};
  EXPECT_EQ(memory.checksum_of_shared(), before);
}

TEST_F(DeviceMemoryTest, VariablesKeepWhatLaunchesLeaveInThem) {
  const ptx::ParseResult read = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 count = "
      "41;\n");
  ASSERT_TRUE(read.module);
  const auto& variables = memory.variables_of(*read.module);
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables[0].name, "count");
  std::byte* const seen = map({variables[0].place.address, 4096, variables[0].place.offset});
  int value = 0;
  std::memcpy(&value, seen, sizeof value);
  EXPECT_EQ(value, 41);
  EXPECT_EQ(&memory.variables_of(*read.module), &variables);
  EXPECT_TRUE(memory.live().empty());  // nothing that the program must free
}

/// What is computed from it is told once, not again where it is read.
TEST_F(DeviceMemoryTest, WhatWasStoredUndefinedIsWrittenAfterItWasTold) {
  const auto place = memory.allocate(8192, Kind::device).value();
  launch([&](simt::Memory& of_launch) {
    std::ranges::fill(of_launch.follow(place.address).first(100), simt::Memory::kStoredUndefined);
  });
  memory.mark_stored_written();
  EXPECT_EQ(memory.unwritten(place.address, 8192).bytes, 8092u);
  launch([&](simt::Memory& of_launch) {
    EXPECT_EQ(of_launch.defined(place.address)[99], simt::Memory::kDefined);
    EXPECT_EQ(of_launch.defined(place.address)[100], simt::Memory::kNeverWritten);
  });
}

}  // namespace
}  // namespace labkit::program
