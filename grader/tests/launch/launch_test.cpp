#include "launch/launch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "launch/arguments.h"

namespace labkit::launch {
namespace {

template <typename T>
T element(const std::vector<std::byte>& bytes, std::size_t index) {
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

Buffer buffer(std::string_view text) { return *parse_argument(text).buffer; }

TEST(Dim3, ReadsOneTwoAndThreeParts) {
  EXPECT_EQ(parse_dim3("256"), (Dim3{256, 1, 1}));
  EXPECT_EQ(parse_dim3("64x32"), (Dim3{64, 32, 1}));
  EXPECT_EQ(parse_dim3("8x4x2"), (Dim3{8, 4, 2}));
  EXPECT_EQ(parse_dim3("2147483647")->x, 2147483647u);
}

TEST(Dim3, RefusesWhatIsNoLaunchShape) {
  for (const char* text : {"", "0", "8x0", "x8", "8x", "8x4x2x1", "-1", "8 x 4", "2147483648",
                           "99999999999", "8X4", "1.5"})
    EXPECT_EQ(parse_dim3(text), std::nullopt) << text;
}

TEST(Dim3, IsWrittenAsItIsRead) {
  for (const char* text : {"256", "64x32", "8x4x2", "1x1x2"})
    EXPECT_EQ(to_string(*parse_dim3(text)), text);
}

TEST(Contents, DependOnSeedAndIndexOnly) {
  Buffer small = buffer("f32[100]:random"), large = buffer("f32[1000]:random");
  const auto a = initial_contents(small), b = initial_contents(large);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  small.seed = 2;
  EXPECT_NE(initial_contents(small), a);
}

TEST(Contents, RandomFloatsFillTheirRange) {
  const auto f32 = initial_contents(buffer("f32[10000]:random"));
  const auto f64 = initial_contents(buffer("f64[10000]:random"));
  double low = 1, high = -1, sum = 0;
  for (int i = 0; i < 10000; ++i) {
    for (const double value :
         {static_cast<double>(element<float>(f32, i)), element<double>(f64, i)}) {
      ASSERT_GE(value, -1);
      ASSERT_LT(value, 1);
      low = std::min(low, value);
      high = std::max(high, value);
      sum += value;
    }
  }
  EXPECT_LT(low, -0.99);
  EXPECT_GT(high, 0.99);
  EXPECT_LT(std::fabs(sum / 20000), 0.03);
}

TEST(Contents, RandomIntegersCanServeAsSmallIndices) {
  const auto bytes = initial_contents(buffer("i32[1000]:random"));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_GE(element<std::int32_t>(bytes, i), 0);
    ASSERT_LT(element<std::int32_t>(bytes, i), 1024);
  }
}

TEST(Contents, ARangeHoldsEveryNumber) {
  for (const char* text :
       {"f32[1000]:random(5,6)", "f64[1000]:random(5,6)", "i32[1000]:random(5,6)"}) {
    const ParsedArgument parsed = parse_argument(text);
    const auto bytes = initial_contents(*parsed.buffer);
    with_type_of(parsed.buffer->element, [&]<typename T>(T) {
      for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_GE(element<T>(bytes, i), T{5}) << text;
        ASSERT_LE(element<T>(bytes, i), T{6}) << text;
      }
    });
  }
  const auto signs = initial_contents(*parse_argument("i32[1000]:random(-2,2)").buffer);
  int seen[4] = {};
  for (std::size_t i = 0; i < 1000; ++i) ++seen[element<std::int32_t>(signs, i) + 2];
  for (const int times : seen) EXPECT_GT(times, 150);
}

TEST(Contents, IotaCountsInEveryType) {
  EXPECT_EQ(element<std::uint8_t>(initial_contents(buffer("u8[300]:iota")), 257), 1);
  EXPECT_EQ(element<std::uint16_t>(initial_contents(buffer("u16[300]:iota")), 257), 257);
  EXPECT_EQ(element<std::int64_t>(initial_contents(buffer("i64[300]:iota")), 299), 299);
  EXPECT_EQ(element<float>(initial_contents(buffer("f32[300]:iota")), 299), 299.0f);
  EXPECT_EQ(element<std::uint16_t>(initial_contents(buffer("f16[300]:iota")), 1), 0x3c00);
}

TEST(Contents, PoisonIsANanAndMinusOne) {
  EXPECT_TRUE(std::isnan(element<float>(initial_contents(buffer("f32[4]:poison")), 3)));
  EXPECT_TRUE(std::isnan(element<double>(initial_contents(buffer("f64[4]:poison")), 3)));
  EXPECT_EQ(element<std::int32_t>(initial_contents(buffer("i32[4]:poison")), 3), -1);
}

// Expected bits from IEEE 754-2008, table 3.5 and the rounding rule; ties go to even.
TEST(Half, EveryValueComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = half_value(static_cast<std::uint16_t>(bits));
    if (std::isnan(value))
      EXPECT_TRUE((bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0) << bits;
    else
      EXPECT_EQ(half_bits(value), bits);
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(half_bits(0.0f), 0x0000);
  EXPECT_EQ(half_bits(-0.0f), 0x8000);
  EXPECT_EQ(half_bits(1.0f), 0x3c00);
  EXPECT_EQ(half_bits(-2.0f), 0xc000);
  EXPECT_EQ(half_bits(1.0f + 0x1p-11f), 0x3c00);      // tie, down to even
  EXPECT_EQ(half_bits(1.0f + 3 * 0x1p-11f), 0x3c02);  // tie, up to even
  EXPECT_EQ(half_bits(1.0f + 0x1.8p-11f), 0x3c01);
  EXPECT_EQ(half_bits(2.0f - 0x1p-12f), 0x4000);  // carries into the next binade
  EXPECT_EQ(half_bits(65504.0f), 0x7bff);
  EXPECT_EQ(half_bits(65519.9f), 0x7bff);
  EXPECT_EQ(half_bits(65520.0f), 0x7c00);
  EXPECT_EQ(half_bits(INFINITY), 0x7c00);
  EXPECT_EQ(half_bits(NAN), 0x7fff);
  EXPECT_EQ(half_bits(0x1p-14f), 0x0400);              // smallest normal
  EXPECT_EQ(half_bits(0x1p-24f), 0x0001);              // smallest subnormal
  EXPECT_EQ(half_bits(0x1p-25f), 0x0000);              // tie, down to even
  EXPECT_EQ(half_bits(0x1.8p-24f), 0x0002);            // tie, up to even
  EXPECT_EQ(half_bits(0x1.ffcp-15f), 0x0400 - 1 + 1);  // rounds up into the normals
}

TEST(Element, NamesGoBothWays) {
  for (Element e : {Element::u8, Element::u16, Element::i32, Element::i64, Element::f16,
                    Element::f32, Element::f64})
    EXPECT_EQ(element_from_name(name_of(e)), e);
  EXPECT_EQ(element_from_name("f8"), std::nullopt);
}

}  // namespace
}  // namespace labkit::launch
