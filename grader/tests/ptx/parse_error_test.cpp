// Every way in which a text can be refused: with a message that names the trouble, and the line.
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

struct Refused {
  const char* name;
  std::string text;
  std::uint32_t line;
  const char* message;
};

std::string body(const std::string& text) { return test::kernel_text(text); }  // line 10
std::string module(const std::string& text) { return std::string(test::kHeader) + text; }  // line 4

const Refused kCases[] = {
    {"empty", "", 1, "expected '.version', found the end of the text"},
    {"no_target", ".version 9.0\n.entry k() {}", 2, "expected '.target'"},
    {"version_word", ".version x", 1, "a version such as 9.0"},
    {"address_size_32", ".version 9.0\n.target sm_90\n.address_size 32", 3,
     "only .address_size 64"},
    {"stray_word", module("hello"), 4, "a directive such as .global"},
    {"texture", module(".global .texref t;"), 4, "expected a type"},
    {"texture_old", module(".tex .u32 t;"), 4, "not supported"},
    {"bad_character", body("`"), 10, "found '`'"},
    {"not_ascii", body("add.s32 \xC3\xA9, 1;"), 10, "found '?'"},
    {"unterminated_string", module(".file 1 \"a\n"), 4, "unterminated string"},
    {"number_runs_on", body("mov.u32 %r1, 12ab;"), 10, "found '12ab'"},
    {"number_too_big", body("mov.u64 %rd1, 18446744073709551616;"), 10, "expected a constant"},
    {"short_float", body("mov.f32 %f1, 0f3F8;"), 10, "found '0f3F8'"},
    {"octal_nine", body("mov.u32 %r1, 09;"), 10, "found '09'"},
    {"comment_hides_end", module(".entry k() { /* ret; }"), 4, "no closing '}'"},
    {"no_semicolon", body("ret"), 11, "expected ';' or an operand of 'ret', found '}'"},
    {"no_comma", body("add.s32 %r1 %r2;"), 10, "expected ';' or ',' after 'add.s32', found '%r2'"},
    {"undeclared_register", body("add.s32 %r1, %r60, 1;"), 10, "'%r60' is not declared"},
    {"leading_zero", body("add.s32 %r1, %r01, 1;"), 10, "'%r01' is not declared"},
    {"undeclared_variable", body("\nld.shared.f32 %f1, [nobody];"), 11, "'nobody' is not declared"},
    {"out_of_scope", body("{ .reg .b32 t1; }\nmov.u32 t1, 1;"), 11, "'t1' is not declared"},
    {"unknown_special", body("mov.u32 %r1, %tidy.x;"), 10, "'%tidy.x' is not declared"},
    {"guard_undeclared", body("@%q ret;"), 10, "'%q' is not a declared register"},
    {"guard_type", body("@%r1 ret;"), 10, "not of type .pred"},
    {"guard_number", body("@1 ret;"), 10, "expected a predicate register"},
    {"negated_number", body("selp.s32 %r1, 1, 2, !t;"), 10, "'!' needs a predicate register"},
    {"pair_of_symbol", body("setp.ne.s32 %p1|t, 1, 2;"), 10, "both sides of '|'"},
    {"missing_label", body("bra NOWHERE;"), 10, "the label 'NOWHERE' is not defined"},
    {"missing_table_label", body("T: .branchtargets A;\nbrx.idx %r1, T;"), 10,
     "the label 'A' is not defined"},
    {"label_of_other_scope", body("{ L: ret; }\nbra L;"), 11, "the label 'L' is not defined"},
    {"duplicate_label", body("L:\nL: ret;"), 11, "'L' is defined twice"},
    {"duplicate_register", body(".reg .b32 x;\n.reg .b32 x;"), 11, "'x' is declared twice"},
    {"duplicate_range", body(".reg .b32 %r<3>;"), 10, "'%r<>' is declared twice"},
    {"duplicate_variable", module(".global .u32 x;\n.global .u32 x;"), 5, "'x' is declared twice"},
    {"duplicate_function", module(".func f() { ret; }\n.func f() { ret; }"), 5,
     "'f' is defined twice, first on line 4"},
    {"other_signature", module(".func f(.param .b32 x);\n.func f(.param .b64 x) { ret; }"), 5,
     "does not match"},
    {"function_is_variable", module(".global .u32 f;\n.func f() { ret; }"), 5,
     "'f' is declared twice"},
    {"extern_body", module(".extern .func f() { ret; }"), 4, "cannot have a body"},
    {"entry_returns", module(".entry (.param .b32 r) k() { ret; }"), 4,
     "an .entry returns nothing"},
    {"open_body", module("\n.entry k()\n{ ret;"), 6, "no closing '}'"},
    {"open_section", module(".section .debug_str { .b8 1"), 4, "no closing '}'"},
    {"vector_register", body(".reg .v2 .f32 x;"), 10, "vector registers"},
    {"register_type", body(".reg .x32 x;"), 10, "expected a type"},
    {"too_many_registers", body(".reg .b32 x<1000001>;"), 10, "above the limit"},
    {"too_many_in_all", body(".reg .b32 x<600000>;\n.reg .b32 y<600000>;"), 11,
     "too many registers"},
    {"reg_parameter", module(".func f(.reg .b32 x) { ret; }"), 4, ".reg parameters"},
    {"big_parameter", module(".entry k(.param .b8 x[2000000]) { ret; }"), 4, "more than 1 MiB"},
    {"predicate_parameter", module(".entry k(.param .pred x) { ret; }"), 4,
     "cannot have type .pred"},
    {"unsized_parameter", module(".entry k(.param .b8 x[]) { ret; }"), 4, "unsized parameter"},
    {"alignment", module(".global .align 3 .u32 x;"), 4, "power of two"},
    {"unsized_variable", module(".global .b8 x[];"), 4, "'x' has no size"},
    {"huge_variable", module(".global .b8 x[1048576][1048576][2];"), 4, "larger than 2^40"},
    {"huge_behind_zero", module(".global .b8 x[0][1099511627776][1099511627776];"), 4,
     "larger than 2^40"},
    {"huge_initialiser", module(".global .b8 x[67108865] = {1};"), 4, "exceed 64 MiB"},
    {"predicate_variable", module(".global .pred x;"), 4, "cannot have type .pred"},
    {"parametric_variable", module(".global .u32 x<4>;"), 4, "parametric names"},
    {"too_many_values", module(".global .b8 x[2] = {1,2,3};"), 4, "too many values"},
    {"too_many_inner", module(".global .b8 x[2][2] = {{1,2,3}};"), 4, "too many values"},
    {"too_deep_braces", module(".global .b8 x[2] = {{1}};"), 4, "too many nested braces"},
    {"array_without_brace", module(".global .b8 x[2] = 1;"), 4, "expected '{'"},
    {"local_initialiser", body(".local .b32 x = 1;"), 10, "cannot have an initialiser"},
    {"unknown_in_initialiser", module(".global .u64 x = y;"), 4,
     "names 'y', which is not declared"},
    {"narrow_address", module(".global .u32 y;\n.global .u32 x = y;"), 5, "an element of 8 bytes"},
    {"mask_order", module(".global .u32 y;\n.global .b8 x[9] = {0xFF00(y)};"), 5,
     "the mask of the next byte"},
    {"mask_incomplete", module(".global .u32 y;\n.global .b8 x[9] = {0xFF(y), 0xFF00(y)};"), 5,
     "not complete"},
    {"mask_other", module(".global .u32 y;\n.global .b8 x[9] = {0xFF(y), 0xFF00(y+1)};"), 5,
     "must follow one another"},
    {"float_in_integer", module(".global .u32 x = 1.5;"), 4, "a floating-point value"},
    {"division_by_zero", module(".global .u32 x = 1 / 0;"), 4, "division by zero"},
    {"remainder_by_zero", module(".global .u32 x = 1 % 0;"), 4, "division by zero"},
    {"open_expression", module(".global .u32 x = (1 + ;"), 4, "expected a constant"},
    {"deep_expression", module(".global .u32 x = " + std::string(200, '-') + "1;"), 4,
     "nested too deeply"},
    {"deep_parentheses", module(".global .u32 x = " + std::string(100000, '(') + "1;"), 4,
     "nested too deeply"},
    {"deep_scopes", body(std::string(100, '{')), 10, "nested too deeply"},
    {"deep_operands", body("mov.b64 " + std::string(100, '{') + "%r1;"), 10, "nested too deeply"},
    {"label_in_vector", body("bra {L};\nL:"), 10, "a label cannot stand in a list"},
    {"address_of_table", body("T: .branchtargets L;\nL: ld.f32 %f1, [T];"), 11,
     "cannot be an address"},
    {"capital_opcode", body("ADD.s32 %r1, %r1, 1;"), 10, "is not an instruction"},
    {"directive_in_body", body(".entry x() {}"), 10, "allowed in a function"},
    {"loc_without_column", body(".loc 1 2\nret;"), 11, "expected a column"},
    {"loc_attribute", body(".loc 1 2 3, foo 1\nret;"), 10, "'function_name' or 'inlined_at'"},
    {"file_index", module(".file 70000 \"a\""), 4, "above the limit"},
    {"alias_unknown", module(".func f() { ret; }\n.alias g, f;"), 5,
     "'g' is not a declared function"},
    {"alias_with_body", module(".func f() { ret; }\n.func g() { ret; }\n.alias g, f;"), 5,
     "cannot be an alias"},
    {"alias_of_alias",
     module(".func f() { ret; }\n.func g();\n.func h();\n.alias g, f;\n.alias h, g;"), 6,
     "alias of an alias"},
};

class ParseError : public testing::TestWithParam<Refused> {};

TEST_P(ParseError, NamesTheTroubleAndTheLine) {
  const ParseResult result = parse(GetParam().text);
  ASSERT_FALSE(result.module.has_value());
  EXPECT_NE(result.error.message.find(GetParam().message), std::string::npos)
      << result.error.message;
  EXPECT_EQ(result.error.ptx_line, GetParam().line) << result.error.message;
  EXPECT_EQ(result.error.message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ParseError, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ParseErrors, EveryPrefixOfAGoodTextIsRefusedOrParsed) {
  const std::string text =
      test::file_text(std::string(LABKIT_TEST_DATA) + "/debug_nvrtc13_sm90.ptx");
  ASSERT_TRUE(parse(text).module.has_value());
  int refused = 0;
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const ParseResult result = parse(text.substr(0, length));
    if (result.module) continue;
    ++refused;
    EXPECT_FALSE(result.error.message.empty());
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace labkit::ptx
