#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "grade/steps.h"

namespace labkit::grade {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
Output<T> wanted(const std::vector<T>& values, Shape shape) {
  Output<T> out = output<T>("out", shape);
  for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<std::int64_t>(i)] = values[i];
  return out;
}

TEST(Compare, EqualIsNoMismatch) {
  const auto out = wanted<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({1, 2, 3, 4, 5, 6})), std::nullopt);
  EXPECT_EQ(compare_output(*wanted<float>({}, {0, 7}).data(), {}), std::nullopt);
}

TEST(Compare, TellsFirstPlaceAndCounts) {
  const auto out = wanted<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const auto m = compare_output(*out.data(), bytes_of<float>({1, 2, 3, 4, 7, 8}));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->array, "out");
  EXPECT_EQ(m->row, 1u);
  EXPECT_EQ(m->col, 1u);
  EXPECT_EQ(m->expected, "5");
  EXPECT_EQ(m->got, "7");
  EXPECT_EQ(m->wrong, 2u);
  EXPECT_EQ(m->total, 6u);
  EXPECT_FALSE(m->never_written);
  EXPECT_TRUE(m->bound.empty());
}

TEST(Compare, TellsWhoseValueAnElementHolds) {
  const auto out = wanted<float>({1, 2, 3, 4, 5, 5}, {2, 3});
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({1, 4, 3, 2, 5, 5}))->belongs_to,
            "out[1][0]");
  // not where two elements would have it, or none
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({5, 2, 3, 4, 5, 5}))->belongs_to, "");
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({9, 2, 3, 4, 5, 5}))->belongs_to, "");
  // nor by chance: the next wrong one is no element's
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({1, 4, 3, 9, 5, 5}))->belongs_to, "");
}

TEST(Compare, KnowsAnOutputThatIsMadeOfAnInput) {
  const auto in = wanted<int>({5, 1, 9, 7}, {1, 4}), corners = wanted<int>({9, 9, 5}, {1, 3}),
             sums = wanted<int>({5, 22}, {1, 2});
  EXPECT_TRUE(is_made_of(*corners.data(), *in.data()));
  EXPECT_FALSE(is_made_of(*sums.data(), *in.data()));
}

TEST(Compare, TellsOneValueEverywhere) {
  const auto out = wanted<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_TRUE(compare_output(*out.data(), bytes_of<float>({7, 7, 7, 7}))->constant);
  EXPECT_FALSE(compare_output(*out.data(), bytes_of<float>({7, 7, 7, 4}))->constant);
  // one value was right
  EXPECT_FALSE(
      compare_output(*wanted<float>({1, 1}, {1, 2}).data(), bytes_of<float>({7, 7}))->constant);
  Output<float> bounded = output<float>("out", 2);
  bounded.expect(0, 1, 0);
  bounded.expect(1, 2, 0);
  EXPECT_TRUE(compare_output(*bounded.data(), bytes_of<float>({7, 7}))->constant);
  EXPECT_FALSE(compare_output(*bounded.data(), bytes_of<float>({7, 2}))->constant);
}

TEST(Compare, OneUnitInTheLastPlaceIsWrongAndLooksDifferent) {
  const float next = std::nextafter(0.1f, 1.0f);
  const auto m = compare_output(*wanted<float>({0.1f}, {1, 1}).data(), bytes_of<float>({next}));
  ASSERT_TRUE(m);
  EXPECT_NE(m->expected, m->got);
}

TEST(Compare, NanNeverEquals) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(compare_output(*wanted<float>({1}, {1, 1}).data(), bytes_of<float>({nan})));
  EXPECT_TRUE(compare_output(*wanted<float>({nan}, {1, 1}).data(), bytes_of<float>({nan})));
  Output<float> bounded = output<float>("out", 1);
  bounded.expect(0, 1, 1e30);
  EXPECT_TRUE(compare_output(*bounded.data(), bytes_of<float>({nan})));
}

TEST(Compare, ZeroHasNoSign) {
  EXPECT_EQ(compare_output(*wanted<float>({0.0f}, {1, 1}).data(), bytes_of<float>({-0.0f})),
            std::nullopt);
}

TEST(Compare, PoisonIsToldAsNeverWritten) {
  std::vector<std::byte> got = bytes_of<double>({1, 2, 3});
  std::memset(got.data() + 8, 0xff, 16);
  const auto m = compare_output(*wanted<double>({1, 2, 3}, {1, 3}).data(), got);
  ASSERT_TRUE(m);
  EXPECT_TRUE(m->never_written);
  EXPECT_EQ(m->never_written_count, 2u);
}

TEST(Compare, BoundsAreInclusiveAndPerElement) {
  Output<float> out = output<float>("out", 3);
  out.expect(0, 1.0, 0.5);
  out.expect(1, 1.0, 0.25);
  out.expect(2, 1.0, 0);
  EXPECT_EQ(compare_output(*out.data(), bytes_of<float>({1.5f, 0.75f, 1.0f})), std::nullopt);
  const auto m = compare_output(*out.data(), bytes_of<float>({1.5f, 1.5f, 1.0f}));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->col, 1u);
  EXPECT_EQ(m->bound, "0.25");
}

TEST(Compare, TellsWhoseValueAnElementHoldsWithinBounds) {
  Output<float> out = output<float>("out", Shape{2, 2});
  for (int i = 0; i < 4; ++i) out.expect(i, i < 3 ? i : 1, 0.125);
  const auto moved = compare_output(*out.data(), bytes_of<float>({2.0625f, 1, 2, 1}));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->belongs_to, "out[1][0]");
  const auto either = compare_output(*out.data(), bytes_of<float>({1, 1, 2, 1}));
  ASSERT_TRUE(either);
  EXPECT_EQ(either->belongs_to, "") << "two elements have that value";
}

TEST(Compare, AnElementWithoutABoundFails) {
  Output<float> out = output<float>("out", 2);
  out.expect(0, 1.0, 0.5);
  const auto m = compare_output(*out.data(), bytes_of<float>({1, 0}));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->col, 1u);
}

TEST(Compare, InputsMustComeBackBitForBit) {
  const auto in = make_array("in", 1, 2, true, false, launch::Element::f32);
  in->bytes = bytes_of<float>({0.0f, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(compare_input(*in, in->bytes), std::nullopt);  // the same NaN is unchanged
  const auto m =
      compare_input(*in, bytes_of<float>({-0.0f, std::numeric_limits<float>::quiet_NaN()}));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->col, 0u);
  EXPECT_EQ(m->wrong, 1u);
}

TEST(Compare, IntegersOfEverySize) {
  EXPECT_EQ(compare_output(*wanted<int>({-1, 2}, {1, 2}).data(), bytes_of<int>({-1, 2})),
            std::nullopt);
  EXPECT_TRUE(compare_output(*wanted<long long>({1ll << 40}, {1, 1}).data(),
                             bytes_of<long long>({(1ll << 40) + 1})));
  EXPECT_TRUE(
      compare_output(*wanted<unsigned char>({200}, {1, 1}).data(), bytes_of<unsigned char>({201})));
}

TEST(RoundingBound, FollowsTheNumberOfRoundings) {
  EXPECT_EQ(rounding_bound<float>(0), 0);
  EXPECT_NEAR(rounding_bound<float>(1), 0x1p-24, 1e-14);
  EXPECT_NEAR(rounding_bound<double>(10), 10 * 0x1p-53, 1e-28);
  EXPECT_GT(rounding_bound<float>(1000), 1000 * 0x1p-24);  // never below the first-order figure
}

}  // namespace
}  // namespace labkit::grade
