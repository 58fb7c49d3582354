#include "launch/arguments.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace labkit::launch {
namespace {

template <typename T>
T bits_as(const std::vector<std::byte>& bytes, std::size_t index) {
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::string refusal(std::string_view text) {
  try {
    parse_argument(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Argument, ReadsScalarsAsTheirBytes) {
  EXPECT_EQ(bits_as<std::int32_t>(parse_argument("i32:-7").bytes, 0), -7);
  EXPECT_EQ(bits_as<std::uint32_t>(parse_argument("u32:4294967295").bytes, 0), 4294967295u);
  EXPECT_EQ(bits_as<std::int64_t>(parse_argument("i64:-9000000000").bytes, 0), -9000000000);
  EXPECT_EQ(bits_as<float>(parse_argument("f32:0.1").bytes, 0), 0.1f);
  EXPECT_EQ(bits_as<double>(parse_argument("f64:+2.5e-3").bytes, 0), 2.5e-3);
  EXPECT_EQ(parse_argument("i64:1").bytes.size(), 8u);
}

TEST(Argument, ReadsStructsByValue) {
  const auto bytes = parse_argument("hex:00ff7A").bytes;
  ASSERT_EQ(bytes.size(), 3u);
  EXPECT_EQ(bytes[1], std::byte{0xff});
  EXPECT_EQ(bytes[2], std::byte{0x7a});
}

TEST(Argument, ReadsBuffers) {
  const Buffer made = *parse_argument("f64[1000]:iota").buffer;
  EXPECT_EQ(made.element, Element::f64);
  EXPECT_EQ(made.count, 1000u);
  EXPECT_EQ(made.fill, Fill::iota);
  EXPECT_EQ(parse_argument("u8[0]:poison").buffer->size_in_bytes(), 0u);
}

TEST(Argument, RefusalsNameTheTextAndTheMend) {
  EXPECT_NE(refusal("f32[8]:rnadom").find("unknown contents 'rnadom'"), std::string::npos);
  EXPECT_NE(refusal("f31[8]:zero").find("unknown type 'f31'"), std::string::npos);
  EXPECT_NE(refusal("f32[8]").find("TYPE[COUNT]:CONTENTS"), std::string::npos);
  EXPECT_NE(refusal("f32[]:zero").find("not a number of elements"), std::string::npos);
  EXPECT_NE(refusal("f32[-1]:zero").find("not a number of elements"), std::string::npos);
  EXPECT_NE(refusal("f64[99999999999999999]:zero").find("64 GiB"), std::string::npos);
  EXPECT_NE(refusal("i32:3000000000").find("does not fit"), std::string::npos);
  EXPECT_NE(refusal("i32:1.5").find("not a number"), std::string::npos);
  EXPECT_NE(refusal("i32:").find("not a number"), std::string::npos);
  EXPECT_NE(refusal("u32:-1").find("not a number"), std::string::npos);
  EXPECT_NE(refusal("hex:abc").find("pairs"), std::string::npos);
  EXPECT_NE(refusal("hex:zz").find("'zz'"), std::string::npos);
  EXPECT_NE(refusal("10 24").find("wants"), std::string::npos);
  EXPECT_NE(refusal("i32:1.5").find("'i32:1.5'"), std::string::npos);
  EXPECT_NE(refusal("f32[8]:random(2,1)").find("empty"), std::string::npos);
  EXPECT_NE(refusal("f32[8]:random(2)").find("random(LOW,HIGH)"), std::string::npos);
}

TEST(Argument, NumbersTakeTheParametersType) {
  EXPECT_EQ(parse_argument(" 2048 ").number, "2048");
  EXPECT_EQ(bits_as<std::int32_t>(number_bytes("-3", false, 4), 0), -3);
  EXPECT_EQ(bits_as<std::uint32_t>(number_bytes("4000000000", false, 4), 0), 4000000000u);
  EXPECT_EQ(bits_as<std::uint64_t>(number_bytes("18446744073709551615", false, 8), 0), ~0ull);
  EXPECT_EQ(number_bytes("255", false, 1), std::vector{std::byte{255}});
  EXPECT_EQ(bits_as<float>(number_bytes("0.1", true, 4), 0), 0.1f);
  EXPECT_EQ(bits_as<double>(number_bytes("1e-3", true, 8), 0), 1e-3);
  for (const auto& [number, bytes] :
       {std::pair("256", 1), {"-129", 1}, {"4294967296", 4}, {"-2147483649", 4}, {"0.5", 4}})
    EXPECT_THROW(number_bytes(number, false, bytes), std::invalid_argument) << number;
}

TEST(Argument, ArraysHaveNamesAndFiles) {
  const ParsedArgument made = parse_argument("part=f32[64]:zero");
  EXPECT_EQ(made.buffer->name, "part");
  EXPECT_EQ(parse_argument("part").array, "part");
  const ParsedArgument file = parse_argument("i32[]:data/x.npy");
  EXPECT_EQ(file.file, "data/x.npy");
  EXPECT_EQ(file.buffer->fill, Fill::given);
  EXPECT_EQ(parse_argument("x=u8[12]:./bytes").buffer->count, 12u);
}

TEST(Launch, IsWrittenAsInCuda) {
  const ParsedLaunch launch = parse_launch(
      "ns::tr<float, 32> <<< dim3(64, 8), {32,8}, 4096 >>> (f32[8]:random(0, 1), x, 3);");
  EXPECT_EQ(launch.kernel, "ns::tr<float, 32>");
  EXPECT_EQ(launch.grid, (Dim3{64, 8, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 4096u);
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(launch.arguments[1].array, "x");
  EXPECT_TRUE(parse_launch("k<<<1, 64x2>>>()").arguments.empty());
}

TEST(Launch, RefusesWhatIsNone) {
  for (const char* text :
       {"", "k", "k(1)", "k<<<1>>>()", "<<<1, 1>>>()", "k<<<0, 1>>>()", "k<<<1, 1>>>",
        "k<<<1, 1, 1, 1>>>()", "k<<<1, 1>>>(1,)", "k<<<1, 1>>>(1) + 2", "k<<<1, x>>>()"})
    EXPECT_THROW(parse_launch(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace labkit::launch
