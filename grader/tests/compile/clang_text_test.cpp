// What the kit changes in the text that clang makes: source lines of its PTX, and loads of a thread's own arrays.
#include <gtest/gtest.h>

#include "base/text.h"
#include "compile/clang/elements.h"
#include "compile/clang/lines.h"

namespace labkit::compile {
namespace {

/// Each instruction with its line: "7 add, 0 st.shared.f32, ".
std::string lines_of(const std::string& ptx) {
  std::string found, line = "?";
  const std::string settled = with_settled_lines(ptx);
  for (const std::string_view text : split_lines(settled)) {
    const std::string_view words = trim(text);
    if (words.starts_with(".loc\t1 ")) {
      line = words.substr(7, words.find(' ', 7) - 7);
    } else if (words.ends_with(';') && !words.starts_with('.') && words.find(' ') != words.npos) {
      found += line + ' ' + std::string(words.substr(0, words.find(' '))) + ", ";
    }
  }
  return found;
}

TEST(ClangLines, AnAccessWithoutALineHasNoneAndOthersThatOfTheOneBefore) {
  EXPECT_EQ(lines_of("Lfunc_begin0:\n"
                     "\t.loc\t1 7 2                // kernel.cu:7:2\n\tadd.s32 %r1, %r2, 1;\n"
                     "\t.loc\t1 0 2\n\tst.shared.f32 [%r1], %f1;\n\tadd.s32 %r3, %r1, 1;\n"
                     "\t@%p1 ld.global.f32 %f2, [%rd1];\n\tld.param.u64 %rd2, [k_param_0];\n"
                     "\t.loc\t1 8 2\n\tadd.f32 %f3, %f2, %f1;\n"),
            "7 add.s32, 0 st.shared.f32, 7 add.s32, 7 @%p1, 7 ld.param.u64, 8 add.f32, ");
  EXPECT_EQ(lines_of("\t.loc\t1 7 2\n\tadd.s32 %r1, %r2, 1;\n\t.loc\t1 0 2\n"
                     "\t@%p1\tld.global.f32 %f2, [%rd1];\n"),
            "7 add.s32, 0 @%p1\tld.global.f32, ");
}

TEST(ClangLines, WhereABlockBeginsWithoutALineItHasThatOfItsEnd) {
  EXPECT_EQ(lines_of("\t.loc\t1 7 2\n\tadd.s32 %r1, %r2, 1;\n"
                     "LBB0_2:                      // %for.body\n"
                     "\t.loc\t1 0 2\n\tcvt.u64.u32 %rd1, %r1;\n"
                     "\t.loc\t1 9 2\n\tst.global.f32 [%rd1], %f1;\n"
                     "\t.loc\t1 8 2\n\t@%p1 bra LBB0_2;\n"
                     "\t.loc\t1 0 2\n// %bb.3:\n\tmov.u32 %r1, 0;\n\tret;\n"),
            "7 add.s32, 8 cvt.u64.u32, 9 st.global.f32, 8 @%p1, 8 mov.u32, ");
}

TEST(ClangLines, ACallOfSeveralLinesOfTextStaysWhole) {
  const std::string call =
      "\tcall.uni (retval0), \n\t_Z1fi, \n\t(\n\tparam0\n\t);\n\t} // callseq 0\n";
  EXPECT_EQ(with_settled_lines("\t.loc\t1 7 2\n\t{ // callseq 0, 0\n\t.loc\t1 0 2\n" + call),
            "\t{ // callseq 0, 0\n\t.loc\t1 7 2\n" + call);
}

TEST(ClangElements, LoadsOfTwoElementsOfAnOwnArrayAreKeptApart) {
  const auto arms = [](const std::string& array) {
    return "define void @k() {\n  %q = alloca [8 x double], align 8\ncond.true:\n"
           "  %a = getelementptr inbounds [8 x double], [8 x double]* " +
           array +
           ", i64 0, i64 %i\n  %1 = load double, double* %a, align 8, !tbaa !5\n"
           "  br label %cond.end, !dbg !7\n}\n";
  };
  const std::string kept = keep_loads_apart(arms("%q"));
  EXPECT_NE(kept.find("!tbaa !5\n  call void asm sideeffect"), std::string::npos) << kept;
  EXPECT_EQ(keep_loads_apart(arms("@shared")), "");
  EXPECT_EQ(keep_loads_apart(replace_all(arms("%q"), "cond.end", "for.body")), "");
}

}  // namespace
}  // namespace labkit::compile
