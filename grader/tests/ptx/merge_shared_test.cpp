// Widths of shared accesses, against what ptxas 13.0 (-arch=sm_90 -O3) made of the same text: each row was compiled and
// the size fields of its LDS and STS read from the SASS. Rows with loops, which ptxas unrolls, give one iteration.
#include <algorithm>
#include <map>
#include <set>

#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

/// "L128 L32 S64": loads and stores by width in bits, sorted.
std::string widths(const Function& function, const SharedMerges& merges) {
  std::multiset<std::string> found;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    if (!instruction.has("shared") || (instruction.root() != "ld" && instruction.root() != "st"))
      continue;
    std::uint32_t bytes =
        size_bytes(*type_from_name(instruction.parts.back())) * (instruction.has("v2") ? 2U : 1U);
    if (merges.group_of[i] >= 0) {
      const MergedAccess& group = merges.groups[static_cast<std::size_t>(merges.group_of[i])];
      if (group.representative != static_cast<std::int32_t>(i)) continue;
      bytes = group.bytes;
    }
    found.insert((instruction.root() == "ld" ? "L" : "S") + std::to_string(8 * bytes));
  }
  std::string out;
  for (const std::string& access : found) out += (out.empty() ? "" : " ") + access;
  return out;
}

/// All variables laid out in order of declaration from `base`.
SharedMerges merges_of(const Module& module, const Function& function, std::int64_t base = 0) {
  std::vector<std::int64_t> offsets(function.variables.size(), -1);
  std::int64_t at = base;
  for (std::size_t v = 0; v < offsets.size(); ++v) {
    const Variable& variable = function.variables[v];
    if (variable.space != Space::shared) continue;
    at = (at + variable.align_bytes - 1) / variable.align_bytes * variable.align_bytes;
    offsets[v] = at;
    at += static_cast<std::int64_t>(variable.size_bytes);
  }
  std::vector<std::int64_t> module_offsets(module.variables.size(), -1);
  for (std::size_t v = 0; v < module_offsets.size(); ++v)
    if (module.variables[v].space == Space::shared) module_offsets[v] = (at + 15) / 16 * 16;
  return merge_shared_accesses(function, control_flow(function), offsets, module_offsets);
}

/// Registers: %rd4 = t + 16 tid, %rd6 = t + 8 tid, %rd8 = t + 4 tid, %rd10 = u + 16 tid, %rd1 global, %p1, %p2, %r30 free.
constexpr const char* kPrologue =
    "ld.param.u64 %rd50,[a]; cvta.to.global.u64 %rd1,%rd50; ld.param.u32 %r50,[n]; mov.u32 "
    "%r1,%tid.x;"
    "mul.wide.u32 %rd2,%r1,16; mov.u64 %rd3,t; add.s64 %rd4,%rd3,%rd2; mul.wide.u32 %rd5,%r1,8; "
    "add.s64 %rd6,%rd3,%rd5;"
    "mul.wide.u32 %rd7,%r1,4; add.s64 %rd8,%rd3,%rd7; mov.u64 %rd9,u; add.s64 %rd10,%rd9,%rd2;"
    "setp.eq.u32 %p1,%r1,%r50; mov.u32 %r30,%r50;\n";

/// Shorthand: `L4` loads the word at %rd4+4, `S4@6` stores one at %rd6+4; what stands between < and > is PTX.
std::string expanded(const std::string& shorthand) {
  std::string out;
  int next = 10;
  for (std::size_t i = 0; i < shorthand.size();) {
    const std::size_t end = shorthand[i] == '<'
                                ? shorthand.find('>', i)
                                : std::min(shorthand.find(' ', i), shorthand.size());
    const std::string word = shorthand.substr(i, end - i);
    i = end + 1;
    if (word.empty()) continue;
    if (word[0] == '<') {
      out += word.substr(1) + "\n";
      continue;
    }
    const std::size_t at = word.find('@');
    const std::string base = at == std::string::npos ? "4" : word.substr(at + 1);
    const std::string address =
        "[%rd" + base + "+" + word.substr(1, at == std::string::npos ? at : at - 1) + "]";
    out += word[0] == 'L'
               ? "ld.shared.f32 %f" + std::to_string(next++) + ", " + address + ";\n"
               : "st.shared.f32 " + address + ", %f" + std::to_string(1 + next % 5) + ";\n";
  }
  return out;
}

struct Row {
  const char* name;
  const char* body;
  const char* widths;
};

const Row kRows[] = {
    // Windows of loads
    {"four", "L0 L4 L8 L12", "L128"},
    {"four_backwards", "L12 L8 L4 L0", "L128"},
    {"first_three", "L0 L4 L8", "L128"},
    {"last_three", "L4 L8 L12", "L128"},
    {"gap_of_one", "L0 L4 L12", "L128"},
    {"middle_pair", "L4 L8", "L32 L32"},
    {"first_pair", "L0 L4", "L64"},
    {"last_pair", "L8 L12", "L64"},
    {"even_words", "L0 L8", "L32 L32"},
    {"across_windows", "L12 L16", "L32 L32"},
    {"five", "L0 L4 L8 L12 L16", "L128 L32"},
    {"two_and_four", "L8 L12 L16 L20 L24 L28", "L128 L64"},
    {"three_and_one", "L0 L4 L12 L16", "L128 L32"},
    {"below_the_base", "L-16 L-12 L-8 L-4", "L128"},
    {"twice_the_same", "L0 L4 L8 L12 L0 L4", "L128"},
    {"same_word_twice", "L0@8 <st.global.f32 [%rd1+8], %f10;> L0@8", "L32"},
    // What is known of the base
    {"eight_byte_base", "L0@6 L4@6 L8@6 L12@6", "L64 L64"},
    {"eight_byte_base_three", "L0@6 L4@6 L8@6", "L32 L64"},
    {"four_byte_base", "L0@8 L4@8 L8@8 L12@8", "L32 L32 L32 L32"},
    {"odd_base", "<add.s64 %rd20,%rd4,4;> L0@20 L4@20 L8@20 L12@20", "L128 L32"},
    {"base_plus_8", "<add.s64 %rd20,%rd4,8;> L0 L4 L0@20 L4@20", "L128"},
    {"base_minus_8", "<sub.s64 %rd20,%rd4,8;> L8@20 L12@20 L8 L12", "L128"},
    {"copied_base", "<mov.u64 %rd20,%rd4;> L0 L4 L8@20 L12@20", "L128"},
    {"sum_reordered", "<add.s64 %rd20,%rd2,8; add.s64 %rd21,%rd3,%rd20;> L0@21 L4@21 L0 L4",
     "L128"},
    {"index_48", "<mul.wide.u32 %rd20,%r1,48; add.s64 %rd21,%rd3,%rd20;> L0@21 L4@21 L8@21 L12@21",
     "L128"},
    {"shifted_index",
     "<shr.u32 %r20,%r1,2; shl.b32 %r21,%r20,4; cvt.u64.u32 %rd20,%r21; add.s64 %rd21,%rd3,%rd20;> "
     "L0@21 L4@21 L8@21 L12@21",
     "L128"},
    {"masked_index",
     "<and.b32 %r21,%r50,-16; cvt.u64.u32 %rd20,%r21; add.s64 %rd21,%rd3,%rd20;> L0@21 L4@21 L8@21 "
     "L12@21",
     "L128"},
    {"unknown_index",
     "<cvt.u64.u32 %rd20,%r50; shl.b64 %rd20,%rd20,2; add.s64 %rd21,%rd3,%rd20;> L0@21 L4@21",
     "L32 L32"},
    {"or_is_no_sum", "<or.b64 %rd20,%rd2,4; add.s64 %rd21,%rd3,%rd20;> L-4@21 L0@21 L4@21 L8@21",
     "L32 L32 L32 L32"},
    {"variable",
     "<ld.shared.f32 %f10,[t]; ld.shared.f32 %f11,[t+4]; ld.shared.f32 %f12,[t+8]; ld.shared.f32 "
     "%f13,[t+12];>",
     "L128"},
    {"dynamic", "<mov.u64 %rd20,dynamic; add.s64 %rd21,%rd20,%rd2;> L0@21 L4@21 L8@21 L12@21",
     "L128"},
    {"two_bases", "L0 L0@10 L4 L4@10 L8 L8@10 L12 L12@10", "L128 L128"},
    // What may stand between loads
    {"global_store", "L0 L4 <st.global.f32 [%rd1+128],%f1;> L8 L12", "L128"},
    {"global_atomic", "L0 L4 <atom.global.add.u32 %r5,[%rd1+256],%r1;> L8 L12", "L128"},
    {"shuffle", "L0 L4 <shfl.sync.down.b32 %r5|%p2,%r1,1,31,-1;> L8 L12", "L128"},
    {"local_store", "L0 L4 <st.local.f32 [l],%f1;> L8 L12", "L128"},
    {"generic_load", "L0 L4 <ld.f32 %f20,[%rd50];> L8 L12", "L128"},
    {"division_32_bit", "L0 L4 <div.u32 %r20,%r1,%r50;> L8 L12", "L128"},
    {"fast_division", "L0 L4 <div.full.f32 %f20,%f1,%f2;> L8 L12", "L128"},
    {"other_shared_store", "L0 L4 S0@10 L8 L12", "L64 L64 S32"},
    {"generic_store", "L0 L4 <st.f32 [%rd50],%f1;> L8 L12", "L64 L64"},
    {"shared_atomic", "L0 L4 <atom.shared.add.u32 %r5,[%rd10],%r1;> L8 L12", "L64 L64"},
    {"barrier", "L0 L4 <bar.sync 0;> L8 L12", "L64 L64"},
    {"warp_barrier", "L0 L4 <bar.warp.sync -1;> L8 L12", "L64 L64"},
    {"fence", "L0 L4 <membar.cta;> L8 L12", "L64 L64"},
    {"nanosleep", "L0 L4 <nanosleep.u32 100;> L8 L12", "L64 L64"},
    {"division", "L0 L4 <div.rn.f32 %f20,%f1,%f2;> L8 L12", "L64 L64"},
    {"square_root", "L0 L4 <sqrt.rn.f32 %f20,%f1;> L8 L12", "L64 L64"},
    {"division_64_bit", "L0 L4 <div.s64 %rd20,%rd2,%rd50;> L8 L12", "L64 L64"},
    // Other types
    {"mixed_32_bit",
     "L0 <ld.shared.u32 %r10,[%rd4+4]; ld.shared.b32 %r11,[%rd4+8]; ld.shared.s32 %r12,[%rd4+12];>",
     "L128"},
    {"volatile", "<ld.volatile.shared.f32 %f10,[%rd4]; ld.volatile.shared.f32 %f11,[%rd4+4];>",
     "L32 L32"},
    {"doubles", "<ld.shared.f64 %fd1,[%rd4]; ld.shared.u64 %rd30,[%rd4+8];>", "L128"},
    {"doubles_across", "<ld.shared.f64 %fd1,[%rd4+8]; ld.shared.f64 %fd2,[%rd4+16];>", "L64 L64"},
    {"double_and_floats", "<ld.shared.f64 %fd1,[%rd4];> L8 L12", "L64 L64"},
    {"vector_and_floats", "<ld.shared.v2.f32 {%f1,%f2},[%rd4];> L8", "L128"},
    {"vectors", "<ld.shared.v2.f32 {%f1,%f2},[%rd4]; ld.shared.v2.f32 {%f3,%f4},[%rd4+8];>",
     "L128"},
    {"halves",
     "<ld.shared.u16 %h1,[%rd4]; ld.shared.b16 %h2,[%rd4+2]; ld.shared.u16 %h3,[%rd4+4]; "
     "ld.shared.u16 %h4,[%rd4+8]; ld.shared.u16 %h5,[%rd4+10];>",
     "L32 L64"},
    {"bytes", "<ld.shared.u8 %h1,[%rd4]; ld.shared.u8 %h2,[%rd4+1];>", "L8 L8"},
    {"guarded", "<@%p1 ld.shared.f32 %f40,[%rd4];> L4", "L32 L32"},
    // Across blocks
    {"past_a_branch", "L0 L4 <@%p1 bra X; st.global.u32 [%rd1],%r1; X:> L8 L12", "L128"},
    {"into_a_branch", "L0 L4 <@%p1 bra X;> L8 <X:>", "L128"},
    {"pair_into_a_branch", "L0 <@%p1 bra X;> L4 <X:>", "L64"},
    {"out_of_a_branch", "<@%p1 bra X;> L0 L4 <X:> L8 L12", "L64 L64"},
    {"each_side_and_above", "L0 L4 <@%p1 bra X;> L8 <bra Y; X:> L12 <Y:>", "L128"},
    {"store_in_the_branch", "L0 L4 <@%p1 bra X;> S0@10 <X:> L8 L12", "L64 L64 S32"},
    {"barrier_in_the_branch", "L0 L4 <@%p1 bra X; bar.sync 0; X:> L8 L12", "L64 L64"},
    {"past_a_loop",
     "L0 L4 <mov.u32 %r31,0; X: add.u32 %r31,%r31,1; setp.lt.u32 %p2,%r31,%r50; @%p2 bra X;> L8 "
     "L12",
     "L128"},
    {"into_a_loop",
     "L0 L4 <mov.u32 %r31,0; X:> L8 L12 <add.u32 %r31,%r31,1; setp.lt.u32 %p2,%r31,%r50; @%p2 bra "
     "X;>",
     "L128"},
    {"moving_base",
     "<mov.u64 %rd40,%rd4; X:> L0@40 L4@40 <setp.gt.u32 %p2,%r30,%r1; @%p2 bra Y;> L8@40 L12@40 "
     "<Y: add.u64 %rd40,%rd40,16; add.u32 %r30,%r30,1; @%p1 bra X;>",
     "L128"},
    {"moved_between",
     "<mov.u64 %rd40,%rd4;> L0@40 L4@40 <@%p1 bra X; add.u64 %rd40,%rd40,%rd5; X:> L8@40 L12@40",
     "L64 L64"},
    // Stores
    {"store_four", "S0 S4 S8 S12", "S128"},
    {"store_any_order", "S4 S0 S12 S8", "S128"},
    {"store_three", "S0 S4 S8", "S32 S64"},
    {"store_last_three", "S4 S8 S12", "S32 S64"},
    {"store_five", "S0 S4 S8 S12 S16", "S128 S32"},
    {"store_eight_byte_base", "S0@6 S4@6 S8@6 S12@6", "S64 S64"},
    {"store_again", "S0 S4 S8 S12 S4", "S128 S32"},
    {"store_again_between", "S0 S4 S4 S8 S12", "S32 S64 S64"},
    {"store_elsewhere_between", "S0 S4 S64 S8 S12", "S32 S64 S64"},
    {"store_other_base_between", "S0 S4 S0@10 S8 S12", "S32 S64 S64"},
    {"store_interleaved", "S0 S0@10 S4 S4@10 S8 S8@10 S12 S12@10",
     "S32 S32 S32 S32 S32 S32 S32 S32"},
    {"store_then_window", "S0 S4 S16 S20 S8 S12", "S64 S64 S64"},
    {"store_load_between", "S0 S4 L0@10 S8 S12", "L32 S64 S64"},
    {"store_global_between",
     "S0 S4 <st.global.f32 [%rd1+128],%f1; ld.global.f32 %f20,[%rd1];> S8 S12", "S128"},
    {"store_shuffle_between", "S0 S4 <shfl.sync.down.b32 %r5|%p2,%r1,1,31,-1;> S8 S12", "S128"},
    {"store_reduction_between", "S0 S4 <red.global.add.u32 [%rd1+256],%r1;> S8 S12", "S128"},
    {"store_atomic_between", "S0 S4 <atom.global.add.u32 %r5,[%rd1+256],%r1;> S8 S12", "S64 S64"},
    {"store_generic_load_between", "S0 S4 <ld.f32 %f20,[%rd50];> S8 S12", "S64 S64"},
    {"store_division_between", "S0 S4 <div.rn.f32 %f20,%f1,%f2;> S8 S12", "S64 S64"},
    {"store_unsigned_division_between", "S0 S4 <div.u32 %r20,%r1,%r50;> S8 S12", "S128"},
    {"store_branch_between", "S0 S4 <@%p1 bra X; st.global.f32 [%rd1],%f1; X:> S8 S12", "S64 S64"},
    {"store_in_a_branch", "<@%p1 bra X;> S0 S4 S8 S12 <X:>", "S128"},
    {"store_base_plus_8", "<add.s64 %rd20,%rd4,8;> S0 S4 S0@20 S4@20", "S128"},
    {"store_doubles", "<st.shared.f64 [%rd4],%fd1; st.shared.f64 [%rd4+8],%fd2;>", "S128"},
    {"store_vectors", "<st.shared.v2.f32 [%rd4],{%f1,%f2}; st.shared.v2.f32 [%rd4+8],{%f3,%f4};>",
     "S128"},
    {"store_vector_last", "S0 S4 <st.shared.v2.f32 [%rd4+8],{%f3,%f4};>", "S128"},
    {"store_vector_first", "<st.shared.v2.f32 [%rd4],{%f1,%f2};> S8 S12", "S32 S32 S64"},
    {"store_halves",
     "<st.shared.u16 [%rd4],%h1; st.shared.u16 [%rd4+2],%h2; st.shared.u16 [%rd4+4],%h1; "
     "st.shared.u16 [%rd4+6],%h2;>",
     "S64"},
    {"store_three_halves",
     "<st.shared.u16 [%rd4],%h1; st.shared.u16 [%rd4+2],%h2; st.shared.u16 [%rd4+4],%h1;>",
     "S16 S32"},
    {"store_bytes", "<st.shared.u8 [%rd4],%r1; st.shared.u8 [%rd4+1],%r50;>", "S8 S8"},
};

class MergeShared : public testing::TestWithParam<Row> {};

TEST_P(MergeShared, AsPtxasDoes) {
  const Module module = test::parsed(test::kernel_text(kPrologue + expanded(GetParam().body)));
  const Function* k = module.find_function("k");
  ASSERT_NE(k, nullptr);
  EXPECT_EQ(widths(*k, merges_of(module, *k)), GetParam().widths);
}

INSTANTIATE_TEST_SUITE_P(Ptxas, MergeShared, testing::ValuesIn(kRows),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(MergedGroups, RepresentativeIsFirstAndTheStartIsRelativeToIt) {
  const Module module = test::parsed(test::kernel_text(kPrologue + expanded("L12 L4 L8")));
  const Function* k = module.find_function("k");
  const SharedMerges merges = merges_of(module, *k);
  ASSERT_EQ(merges.groups.size(), 1U);
  const MergedAccess& group = merges.groups[0];
  const auto first = static_cast<std::int32_t>(k->body.size()) - 3;
  EXPECT_EQ(group.representative, first);
  EXPECT_EQ(group.start_bytes, -12);
  EXPECT_EQ(group.bytes, 16U);
  EXPECT_EQ(group.members, (std::vector<std::int32_t>{first + 1, first + 2, first}))
      << "in address order";
}

TEST(MergedGroups, AlignmentComesFromAssignedOffsets) {
  const Module module = test::parsed(test::kernel_text(kPrologue + expanded("L0 L4 L8 L12")));
  const Function* k = module.find_function("k");
  EXPECT_EQ(widths(*k, merges_of(module, *k, 8)), "L64 L64");
  EXPECT_EQ(widths(*k, merges_of(module, *k, 4)), "L32 L32 L32 L32");
}

class MergeFixtures : public testing::TestWithParam<const char*> {};

TEST_P(MergeFixtures, AsInTheSass) {
  const Module module = test::parsed_file(GetParam());
  const auto counted = [&](const char* kernel) {
    const Function* function = module.find_function(kernel);
    std::map<std::string, int> counts;
    std::istringstream all(widths(*function, merges_of(module, *function)));
    for (std::string width; all >> width;) ++counts[width];
    return counts;
  };
  using Counts = std::map<std::string, int>;
  EXPECT_EQ(counted("matmul"), (Counts{{"L128", 4}, {"L32", 16}, {"S32", 2}}));
  EXPECT_EQ(counted("powers_conflict"), (Counts{{"S128", 8}, {"L32", 32}}));
  EXPECT_EQ(counted("powers_padded"), (Counts{{"S32", 32}, {"L32", 32}}));
  EXPECT_EQ(counted("three_of_four"), (Counts{{"S128", 1}, {"L128", 1}}));
  EXPECT_EQ(counted("transpose_rows"), (Counts{{"S32", 4}, {"L32", 4}}));
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, MergeFixtures,
                         testing::Values("passes_nvrtc13_sm90.ptx", "passes_nvrtc118_sm90.ptx"),
                         [](const auto& info) {
                           return std::string(info.param).substr(7, 8) == "nvrtc118" ? "v11"
                                                                                     : "v13";
                         });

}  // namespace
}  // namespace labkit::ptx
