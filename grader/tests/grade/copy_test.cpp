// The baseline copies on the simulator.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "grade/comparison.h"

namespace labkit::grade {
namespace {

class CopyTest : public testing::Test {
 protected:
  void SetUp() override {
    cache_ =
        std::filesystem::temp_directory_path() / ("labkit_copy_test_" + std::to_string(getpid()));
  }
  void TearDown() override { std::filesystem::remove_all(cache_); }
  std::vector<std::filesystem::path> kept() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(cache_ / "copies"))
      files.push_back(entry.path());
    return files;
  }
  std::filesystem::path cache_;
};

/// Passes everything on and counts the runs.
class Counting : public device::Device {
 public:
  device::Description describe() const override { return inner_->describe(); }
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    ++runs;
    std::uint64_t bytes = 0;
    for (const auto& buffer : plan.buffers) bytes += buffer.size_in_bytes();
    most_bytes = std::max(most_bytes, bytes);
    return inner_->run(plan);
  }
  std::vector<launch::Finding> refusals(const device::Module& module,
                                        const std::string& entry) override {
    return inner_->refusals(module, entry);
  }
  int runs = 0;
  std::uint64_t most_bytes = 0;  ///< of a plan's buffers

 private:
  std::unique_ptr<device::Device> inner_ = device::make_devices("sim").simulator;
};

TEST_F(CopyTest, EveryShapeCopies) {
  Counting device;
  using launch::Element;
  for (const CopyShape& shape :
       {CopyShape{.block = {256}}, CopyShape{.block = {256}, .elements_a_thread = 8},
        CopyShape{.block = {128}, .elements_a_thread = 16}, CopyShape{.block = {32, 32}},
        CopyShape{.block = {32, 8}, .elements_a_thread = 4},
        CopyShape{.block = {16, 16}, .elements_a_thread = 1, .element = Element::f64},
        CopyShape{.block = {256}, .elements_a_thread = 8, .element = Element::f64},
        CopyShape{.block = {}, .best = true}}) {
    const CopyTime time = time_copy(device, shape, 1 << 20, cache_);
    EXPECT_EQ(time.useful_bytes, 1u << 20);
    EXPECT_GT(time.time_us, 0);
    EXPECT_TRUE(time.predicted);
  }
}

/// A part of a copy for the whole, which is what time_copy does above 128 MiB.
TEST_F(CopyTest, APartTellsTheTimeOfTheWhole) {
  const auto simulator = device::make_devices("sim").simulator;
  constexpr std::uint64_t kWhole = 96 << 20;
  constexpr std::uint32_t kParts = 3;
  for (const CopyShape& shape :
       {CopyShape{.block = {256}, .elements_a_thread = 8}, CopyShape{.block = {32, 32}},
        CopyShape{.block = {32, 8}, .elements_a_thread = 4},
        CopyShape{.block = {}, .best = true}}) {
    const auto predicted = [&](std::uint64_t bytes, std::uint32_t part_of) {
      const PlannedCopy copy = plan_copy(shape, bytes, simulator->describe().arch, cache_);
      device::Plan plan = plan_of(copy.build, copy.setup);
      plan.launches[0].want_time = true;
      plan.launches[0].part_of = part_of;
      return simulator->run(plan).at(0).times_us.at(0);
    };
    const double whole = predicted(kWhole, 1);
    EXPECT_NEAR(predicted(kWhole / kParts, kParts) / whole, 1, 0.01);
    EXPECT_LT(predicted(kWhole / kParts, 1), whole / 2);
  }
}

TEST_F(CopyTest, LargeCopiesAreTimedByAPart) {
  Counting device;
  const CopyTime time = time_copy(device, {.block = {}, .best = true}, 300 << 20, cache_);
  EXPECT_NEAR(static_cast<double>(time.useful_bytes), 300 << 20, 4096);
  EXPECT_LT(device.most_bytes, 128u << 20);
}

TEST_F(CopyTest, OddSizesAreRoundedAndStillCopied) {
  Counting device;
  for (const std::uint64_t bytes : {0ull, 1ull, 8ull, 12345ull, 100001ull})
    for (const CopyShape& shape :
         {CopyShape{.block = {256}, .elements_a_thread = 8}, CopyShape{.block = {32, 8}},
          CopyShape{.block = {}, .best = true}})
      EXPECT_GT(time_copy(device, shape, bytes, cache_).useful_bytes, 0u);
}

TEST_F(CopyTest, ATimeIsKeptAndFoundAgain) {
  Counting device;
  const CopyTime first = time_copy(device, {.block = {256}}, 1 << 18, cache_);
  EXPECT_EQ(device.runs, 1);
  const CopyTime second = time_copy(device, {.block = {256}}, 1 << 18, cache_);
  EXPECT_EQ(device.runs, 1);
  EXPECT_EQ(second.time_us, first.time_us);  // every digit is kept
  EXPECT_TRUE(second.predicted);
  time_copy(device, {.block = {128}}, 1 << 18, cache_);
  time_copy(device, {.block = {256}}, 1 << 17, cache_);
  EXPECT_EQ(device.runs, 3);
}

TEST_F(CopyTest, ADamagedCacheIsMeasuredAgain) {
  Counting device;
  const double right = time_copy(device, {.block = {256}}, 1 << 18, cache_).time_us;
  ASSERT_EQ(kept().size(), 1u);
  const std::filesystem::path file = kept()[0];
  const std::string whole = read_file(file);
  std::vector<std::string> damages = {"", "nonsense", "-5", "0", "12 34", "4.5\n", whole + "0"};
  for (std::size_t size = 0; size < whole.size(); size += 3)
    damages.push_back(whole.substr(0, size));
  damages.push_back(whole.substr(0, whole.size() - 2));  // a digit and the line end
  for (std::size_t i = 60; i < whole.size(); ++i) {      // of the checksum, and of the time
    damages.push_back(whole);
    damages.back()[i] = static_cast<char>(damages.back()[i] ^ 1);
  }
  for (const std::string& damage : damages) {
    write_file_atomically(file, damage);
    const int before = device.runs;
    EXPECT_EQ(time_copy(device, {.block = {256}}, 1 << 18, cache_).time_us, right);
    EXPECT_EQ(device.runs, before + 1) << damage;
    EXPECT_EQ(read_file(file), whole);
  }
}

TEST_F(CopyTest, AnEntryUnderAnotherNameIsNotBelieved) {
  Counting device;
  const double right = time_copy(device, {.block = {256}}, 1 << 18, cache_).time_us;
  ASSERT_EQ(kept().size(), 1u);
  const std::filesystem::path file = kept()[0];
  time_copy(device, {.block = {256}}, 1 << 19, cache_);
  ASSERT_EQ(kept().size(), 2u);
  const std::filesystem::path other = kept()[0] == file ? kept()[1] : kept()[0];
  write_file_atomically(file, read_file(other));
  EXPECT_EQ(time_copy(device, {.block = {256}}, 1 << 18, cache_).time_us, right);
  EXPECT_EQ(device.runs, 3);
}

TEST_F(CopyTest, ACacheThatCannotBeWrittenIsDoneWithout) {
  Counting device;
  EXPECT_GT(time_copy(device, {.block = {256}}, 1 << 16, "/proc/no/such").time_us, 0);
  write_file_atomically(cache_ / "file", "");
  EXPECT_GT(time_copy(device, {.block = {256}}, 1 << 16, cache_ / "file").time_us, 0);
  EXPECT_EQ(device.runs, 2);
}

TEST_F(CopyTest, WithoutACacheNothingIsKept) {
  Counting device;
  time_copy(device, {.block = {256}}, 1 << 16, {});
  time_copy(device, {.block = {256}}, 1 << 16, {});
  EXPECT_EQ(device.runs, 2);
}

/// A device whose copies do not copy.
class Lazy : public Counting {
 public:
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    auto outcomes = Counting::run(plan);
    outcomes.at(0).outputs.at(0).bytes.at(5) ^= std::byte{1};
    return outcomes;
  }
};

TEST_F(CopyTest, ACopyThatDoesNotCopyIsOurFault) {
  Lazy device;
  EXPECT_THROW(time_copy(device, {.block = {256}}, 1 << 16, cache_), Error);
}

}  // namespace
}  // namespace labkit::grade
