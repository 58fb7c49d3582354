// Textures and surfaces: which texels are read, with which weights, and what is refused. Programs that run on a GPU, too, are in
// tests/program/programs (textures_*.cu, surface_*.cu).
#include <bit>

#include "kernel.h"

namespace labkit::simt::test {
namespace {

using Outside = Image::Outside;

constexpr std::uint64_t kHandle = 7;

/// Results of a kernel that fetches once in each thread; coordinates are argument 1, handles 2, results go to argument 0.
class Images : public testing::Test {
 protected:
  /// `texels` as the argument behind the others, and an object of them.
  template <typename T>
  Image& image(Kernel& kernel, const std::vector<T>& texels, std::uint64_t width,
               std::uint64_t height = 1) {
    image_.address = kernel.buffer(texels);
    kernel.arguments.pop_back();
    image_.width = width;
    image_.height = height;
    image_.channels = static_cast<std::uint32_t>(texels.size() / width / height);
    image_.channel_bytes = sizeof(T);
    image_.row_bytes = image_.slice_bytes = width * image_.texel_bytes();
    return image_;
  }
  void use(Kernel& kernel) {
    kernel.memory.set_images(
        std::make_shared<const Memory::Images>(Memory::Images{{kHandle, image_}}));
    kernel.arguments.push_back(kHandle);
  }

  /// x of each thread -> channel 0, by `instruction`.
  template <typename X>
  std::vector<float> fetched(Kernel& kernel, const std::vector<X>& places) {
    const auto out = kernel.buffer(std::vector<float>(32));
    std::vector<X> all = places;
    all.resize(32);
    kernel.buffer(all);
    use(kernel);
    kernel.complete();
    auto values = kernel.values<float>(out);
    values.resize(places.size());
    return values;
  }

  Image image_;
};

std::string fetch_text(const std::string& instruction = "tex.1d.v4.f32.f32") {
  const bool is_integer = instruction.ends_with("s32");
  return kernel_text(
      3, kOwnElement + "sub.s64 %d8, %d9, %d0; add.s64 %d8, %d8, %d1;\n" +
             (is_integer ? "ld.global.b32 %r1, [%d8];" : "ld.global.f32 %f1, [%d8];") +
             instruction + " {%f2, %f3, %f4, %f5}, [%d2, {" + (is_integer ? "%r1" : "%f1") +
             "}]; st.global.f32 [%d9], %f2;");
}

TEST_F(Images, NearestTexelAndWhatLiesOutside) {
  const std::vector<float> places = {-1.5f, -0.5f, 0.0f, 0.75f, 3.999f, 4.0f, 5.5f, 9.25f};
  const auto run = [&](Outside outside, bool normalized) {
    Kernel kernel(fetch_text());
    Image& image = this->image<float>(kernel, {1, 2, 3, 4}, 4);
    image.outside[0] = outside;
    image.border[0] = 9;
    image.is_normalized = normalized ? 1 : 0;
    std::vector<float> at = places;
    for (float& one : at) one /= normalized ? 4.0f : 1.0f;
    return fetched(kernel, at);
  };
  EXPECT_EQ(run(Outside::clamp, false), (std::vector<float>{1, 1, 1, 1, 4, 4, 4, 4}));
  EXPECT_EQ(run(Outside::border, false), (std::vector<float>{9, 9, 1, 1, 4, 9, 9, 9}));
  EXPECT_EQ(run(Outside::wrap, true), (std::vector<float>{3, 4, 1, 1, 4, 1, 2, 2}));
  EXPECT_EQ(run(Outside::mirror, true), (std::vector<float>{2, 1, 1, 1, 4, 4, 3, 2}));
  // of texels there is no wrapping (CUDA C++ Programming Guide, Texture Object API)
  EXPECT_EQ(run(Outside::wrap, false), run(Outside::clamp, false));
  EXPECT_EQ(run(Outside::mirror, false), run(Outside::clamp, false));
}

TEST_F(Images, WeightsHaveEightBits) {
  Kernel kernel(fetch_text());
  image<float>(kernel, {0, 256}, 2).is_filtered = 1;
  const auto at = [](float steps) { return 0.5f + steps / 256; };
  EXPECT_EQ(fetched(kernel, std::vector<float>{at(0), at(1), at(127.25f), at(127.75f), at(255.75f),
                                               at(300), at(-4)}),
            (std::vector<float>{0, 1, 127, 128, 256, 256, 0}));
}

TEST_F(Images, IntegersAreReadAsTheyAreOrAsFractions) {
  Kernel as_is(fetch_text("tex.1d.v4.s32.s32"));
  Image& image = this->image<std::int8_t>(as_is, {-128, -1, 0, 127}, 4);
  image.channel = Image::Channel::as_signed;
  const auto numbers = fetched(as_is, std::vector<std::int32_t>{0, 1, 2, 3});
  EXPECT_EQ(std::bit_cast<std::int32_t>(numbers[0]), -128);
  EXPECT_EQ(std::bit_cast<std::int32_t>(numbers[1]), -1);
  EXPECT_EQ(std::bit_cast<std::int32_t>(numbers[3]), 127);

  Kernel fractions(fetch_text());
  this->image<std::int8_t>(fractions, {-128, -127, 0, 127}, 4).reads_fractions = 1;
  EXPECT_EQ(fetched(fractions, std::vector<float>{0.5f, 1.5f, 2.5f, 3.5f}),
            (std::vector<float>{-1, -1, 0, 1}));
}

TEST_F(Images, HalvesAreFloats) {
  Kernel kernel(fetch_text());
  image<std::uint16_t>(kernel, {0x3C00, 0xC000, 0x0001}, 3);
  EXPECT_EQ(fetched(kernel, std::vector<float>{0.5f, 1.5f, 2.5f}),
            (std::vector<float>{1, -2, 0x1p-24f}));
}

TEST_F(Images, PastLinearMemoryAllIsZero) {
  Kernel kernel(fetch_text("tex.1d.v4.f32.s32"));
  image<float>(kernel, {5, 6}, 2).is_linear = 1;
  EXPECT_EQ(fetched(kernel, std::vector<std::int32_t>{-1, 0, 1, 2, 1 << 30}),
            (std::vector<float>{0, 5, 6, 0, 0}));
}

TEST_F(Images, AHandleMustBeThatOfAnObject) {
  Kernel kernel(fetch_text());
  image<float>(kernel, {5, 6}, 2).is_surface = 1;
  kernel.buffer(std::vector<float>(32));
  kernel.buffer(std::vector<float>(32));
  use(kernel);
  const launch::Finding finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::out_of_bounds);
  ASSERT_FALSE(finding.evidence.empty());
  EXPECT_EQ(finding.evidence[0].id, Id::image_no_texture);
}

TEST_F(Images, MemoryThatIsSmallerThanTheObjectSaysIsOutOfBounds) {
  Kernel kernel(fetch_text());
  image<float>(kernel, {5, 6}, 2).width = 3;
  kernel.buffer(std::vector<float>(32));
  kernel.buffer(std::vector<float>(32, 2.5f));
  use(kernel);
  EXPECT_EQ(kernel.finding().kind, launch::FindingKind::out_of_bounds);
}

TEST_F(Images, ATexelThatNobodyHasWrittenIsUndefined) {
  for (const bool is_read : {false, true}) {
    Kernel kernel(fetch_text());
    image<float>(kernel, {5, 6, 7, 8}, 4).is_filtered = 1;
    kernel.memory.follow(image_.address)[9] = Memory::kNeverWritten;
    kernel.buffer(std::vector<float>(32));
    // the third texel has no part of 1.5, and a small one of 1.75
    kernel.buffer(std::vector<float>(32, is_read ? 1.75f : 1.5f));
    use(kernel);
    RunOptions options;
    options.follow_undefined = true;
    const RunResult result = kernel.complete(options);
    EXPECT_EQ(result.undefined_uses.size(), is_read ? 1u : 0u);
  }
}

/// Each thread stores its number at byte 4 * number - 8 of a surface of 4 words, and loads from there.
std::string surface_text(const std::string& mode) {
  return kernel_text(
      3, kOwnElement + "mad.lo.s32 %r1, %r0, 4, -8; add.s32 %r2, %r0, 100; mov.u32 %r4, 0;" +
             "sust.b.2d.b32." + mode + " [%d2, {%r1, %r4}], {%r2};" + "suld.b.2d.b32." + mode +
             " {%r3}, [%d2, {%r1, %r4}]; st.global.b32 [%d9], %r3;");
}

TEST_F(Images, SurfacesDropWhatIsOutside) {
  Kernel kernel(surface_text("zero"));
  image<std::uint32_t>(kernel, {1, 2, 3, 4}, 4).is_surface = 1;
  const auto out = kernel.buffer(std::vector<std::uint32_t>(32, 9));
  kernel.buffer(std::vector<float>(32));
  use(kernel);
  kernel.complete();
  EXPECT_EQ(kernel.values<std::uint32_t>(image_.address),
            (std::vector<std::uint32_t>{102, 103, 104, 105}));
  const auto read = kernel.values<std::uint32_t>(out);
  EXPECT_EQ(std::vector<std::uint32_t>(read.begin(), read.begin() + 7),
            (std::vector<std::uint32_t>{0, 0, 102, 103, 104, 105, 0}));
}

TEST_F(Images, SurfacesTrapOutsideAndSayWhere) {
  Kernel kernel(surface_text("trap"));
  image<std::uint32_t>(kernel, {1, 2, 3, 4}, 4).is_surface = 1;
  kernel.buffer(std::vector<std::uint32_t>(32));
  kernel.buffer(std::vector<float>(32));
  use(kernel);
  const launch::Finding finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::out_of_bounds);
  EXPECT_EQ(finding.cause, Cause::out_of_bounds_negative_index);
  EXPECT_NE(all_words(finding).find("byte -8 of row 0"), std::string::npos) << all_words(finding);
}

TEST_F(Images, KnowTheirSize) {
  for (const bool is_surface : {false, true}) {
    const std::string ask = is_surface ? "suq" : "txq";
    Kernel kernel(kernel_text(2, kOwnElement + ask + ".width.b32 %r1, [%d1]; " + ask +
                                     ".height.b32 %r2, [%d1]; mul.lo.s32 %r2, %r2, 100;"
                                     "add.s32 %r1, %r1, %r2; st.global.b32 [%d9], %r1;"));
    image<float>(kernel, {1, 2, 3, 4, 5, 6}, 3, 2).is_surface = is_surface ? 1 : 0;
    const auto out = kernel.buffer(std::vector<std::uint32_t>(32));
    use(kernel);
    kernel.complete();
    EXPECT_EQ(kernel.values<std::uint32_t>(out)[31], 203u);
  }
}

TEST_F(Images, SurfacesCountBytes) {
  Kernel kernel(kernel_text(2, "sust.b.1d.b32.trap [%d1, {%r0}], {%r0};"));
  image<std::uint32_t>(kernel, {1, 2, 3, 4}, 4).is_surface = 1;
  kernel.buffer(std::vector<std::uint32_t>(32));
  use(kernel);
  const launch::Finding finding = kernel.finding();
  EXPECT_EQ(finding.kind, launch::FindingKind::misaligned);
  EXPECT_EQ(finding.fix.id, Id::image_fix_misaligned);
}

TEST(ImageInstructions, OtherShapesAreRefused) {
  const auto is_taken = [](const std::string& body) {
    return Kernel(kernel_text(1, body)).decoded.refused.empty();
  };
  EXPECT_TRUE(is_taken("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d0, {%f5, %f6}];"));
  EXPECT_FALSE(is_taken("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d0, {%f5}];"));
  EXPECT_FALSE(is_taken("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%r0, {%f5, %f6}];"));
  EXPECT_FALSE(is_taken("tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d0, {%r5, %f5, %f6, %f6}];"));
  EXPECT_FALSE(is_taken("suld.b.2d.v4.b64.trap {%d1, %d2, %d3, %d4}, [%d0, {%r1, %r2}];"));
}

}  // namespace
}  // namespace labkit::simt::test
