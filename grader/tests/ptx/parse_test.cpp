// What the parser makes of each construct, from text written by hand.
#include <bit>

#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

using test::kernel_text;
using test::parsed;

const Function& kernel_of(const Module& module) { return *module.find_function("k"); }

/// The operands of the single instruction of a kernel.
struct One {
  Module module;
  const Instruction& instruction() const { return kernel_of(module).body.at(0); }
  const Operand& operand(std::size_t i) const { return instruction().operands.at(i); }
};
One one(const std::string& body) { return {parsed(kernel_text(body))}; }

TEST(Parse, HeaderIsKept) {
  const Module module = parsed(".version 7.8\n.target sm_75, debug\n.address_size 64\n");
  EXPECT_EQ(module.version, "7.8");
  EXPECT_EQ(module.target, "sm_75");
  EXPECT_EQ(module.address_bits, 64U);
}

TEST(Parse, OpcodeIsSplitAtTheDots) {
  const One load = one("ld.global.nc.L1::evict_last.v2.f32 {%f1, _}, [%rd1+-8];");
  EXPECT_EQ(load.instruction().spelling, "ld.global.nc.L1::evict_last.v2.f32");
  EXPECT_EQ(load.instruction().root(), "ld");
  EXPECT_TRUE(load.instruction().has("nc"));
  EXPECT_TRUE(load.instruction().has("L1::evict_last"));
  EXPECT_FALSE(load.instruction().has("ld"));
  EXPECT_EQ(load.instruction().ptx_line, 10U);
  EXPECT_EQ(load.operand(0).kind, OperandKind::vector);
  EXPECT_EQ(load.operand(0).elements.at(1).kind, OperandKind::sink);
  EXPECT_EQ(load.operand(1).kind, OperandKind::address);
  EXPECT_EQ(load.operand(1).base, OperandKind::reg);
  EXPECT_EQ(load.operand(1).offset, -8);
  EXPECT_EQ(kernel_of(load.module).registers.at(static_cast<std::size_t>(load.operand(1).id)).name,
            "%rd1");
}

TEST(Parse, AddressesOfVariablesAndNumbers) {
  EXPECT_EQ(one("ld.shared.f32 %f1, [t+12];").operand(1).symbol, SymbolKind::function_variable);
  EXPECT_EQ(one("ld.shared.f32 %f1, [t+12];").operand(1).offset, 12);
  EXPECT_EQ(one("ld.shared.f32 %f1, [t-4];").operand(1).offset, -4);
  EXPECT_EQ(one("ld.shared.f32 %f1, [dynamic];").operand(1).symbol, SymbolKind::module_variable);
  EXPECT_EQ(one("ld.param.u64 %rd1, [a];").operand(1).symbol, SymbolKind::parameter);
  EXPECT_EQ(one("ld.shared.f32 %f1, [0x10];").operand(1).base, OperandKind::immediate);
  EXPECT_EQ(one("ld.shared.f32 %f1, [0x10];").operand(1).bits, 16U);
  const One symbol = one("mov.u64 %rd1, t+8;");
  EXPECT_EQ(symbol.operand(1).kind, OperandKind::symbol);
  EXPECT_EQ(symbol.operand(1).offset, 8);
}

TEST(Parse, Immediates) {
  const auto bits = [](const std::string& literal) {
    return one("mov.b64 %rd1, " + literal + ";").operand(1).bits;
  };
  EXPECT_EQ(bits("-3"), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(bits("0xFFu"), 255U);
  EXPECT_EQ(bits("0X1f"), 31U);
  EXPECT_EQ(bits("0b101"), 5U);
  EXPECT_EQ(bits("017"), 15U);
  EXPECT_EQ(bits("7U"), 7U);
  EXPECT_EQ(bits("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(bits("WARP_SZ"), 32U);
  EXPECT_EQ(bits("WARP_SZ - 1"), 31U);
  EXPECT_EQ(bits("(1 + 2) * 3 << 1"), 18U);
  EXPECT_EQ(bits("~0 & 0xF0 | 1 ^ 3"), 0xF2U);
  EXPECT_EQ(bits("-8 / 3"), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(bits("-8 % 3"), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(bits("-8 >> 1"), static_cast<std::uint64_t>(-4));
  EXPECT_EQ(bits("(.u64)-8 >> 60"), 15U);
  EXPECT_EQ(bits("0x8000000000000000 / -1"), 0U) << "unsigned, as one side is";
  EXPECT_EQ(bits("(.s64)0x8000000000000000 / -1"), std::uint64_t{1} << 63);
  EXPECT_EQ(bits("1 < 2 ? 5 : 6"), 5U);
  EXPECT_EQ(bits("!3 || 2 >= 3 && 1 != 1"), 0U);
  EXPECT_EQ(bits("1 << 64"), 0U);
}

TEST(Parse, FloatingPointImmediates) {
  const One single = one("mov.f32 %f1, 0f3F800000;");
  EXPECT_EQ(single.operand(1).kind, OperandKind::float32);
  EXPECT_EQ(single.operand(1).bits, 0x3F800000U);
  const One wide = one("mov.f64 %fd1, 0d3FF8000000000000;");
  EXPECT_EQ(wide.operand(1).kind, OperandKind::float64);
  EXPECT_EQ(std::bit_cast<double>(wide.operand(1).bits), 1.5);
  EXPECT_EQ(std::bit_cast<double>(one("mov.f64 %fd1, -2.5e-1;").operand(1).bits), -0.25);
}

TEST(Parse, GuardsPairsAndNegation) {
  const One pair = one("@!%p3 setp.ne.and.s32 %p1|%p2, %r1, 5, !%p4;");
  EXPECT_TRUE(pair.instruction().guard_negated);
  EXPECT_EQ(
      kernel_of(pair.module).registers.at(static_cast<std::size_t>(pair.instruction().guard)).name,
      "%p3");
  ASSERT_EQ(pair.operand(0).kind, OperandKind::pair);
  EXPECT_EQ(pair.operand(0).elements.at(1).kind, OperandKind::reg);
  EXPECT_TRUE(pair.operand(3).negated);
  EXPECT_EQ(one("shfl.sync.down.b32 %r1|_, %r2, 4, 31, -1;").operand(0).elements.at(1).kind,
            OperandKind::sink);
  EXPECT_EQ(one("mov.b64 {%r1, %r2}, %rd1;").operand(0).elements.size(), 2U);
}

TEST(Parse, SpecialRegisters) {
  for (const char* name : {"%tid.x", "%nctaid.z", "%laneid", "%lanemask_lt", "%clock64", "%envreg3",
                           "%dynamic_smem_size"}) {
    const One move = one(std::string("mov.u32 %r1, ") + name + ";");
    EXPECT_EQ(move.operand(1).kind, OperandKind::special);
    EXPECT_EQ(move.operand(1).name, name);
  }
}

TEST(Parse, BranchesAndTables) {
  const Module module =
      parsed(kernel_text("bra.uni END;\nT: .branchtargets A, END, A;\nA: brx.idx %r1, T;\nEND:"));
  const Function& k = kernel_of(module);
  ASSERT_EQ(k.body.size(), 2U);
  EXPECT_EQ(k.body[0].operands.at(0).kind, OperandKind::label);
  EXPECT_EQ(k.body[0].operands.at(0).id, 2) << "a label at the end of the body";
  ASSERT_EQ(k.branch_tables.size(), 1U);
  EXPECT_EQ(k.branch_tables[0].second, (std::vector<std::int32_t>{1, 2, 1}));
  EXPECT_EQ(k.body[1].operands.at(1).symbol, SymbolKind::label_table);
}

TEST(Parse, ScopesHideNamesAndLabels) {
  const Module module =
      parsed(kernel_text("{ .reg .b32 t1; mov.u32 t1, 1; L: bra L; }\n{ .reg .b32 t1; mov.u32 t1, "
                         "2; L: bra L; }\nL: bra L;"));
  const Function& k = kernel_of(module);
  EXPECT_NE(k.body[0].operands.at(0).id, k.body[2].operands.at(0).id);
  EXPECT_EQ(k.body[1].operands.at(0).id, 1);
  EXPECT_EQ(k.body[3].operands.at(0).id, 3);
  EXPECT_EQ(k.body[4].operands.at(0).id, 4);
  std::vector<std::string> names;
  for (const Register& reg : k.registers)
    if (reg.name.starts_with("t1")) names.push_back(reg.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t1", "t1#1"}));
}

TEST(Parse, CallsWithParametersInScope) {
  const Module module = parsed(
      std::string(test::kHeader) +
      ".extern .func (.param .b32 r) vprintf(.param .b64 x, .param .b64 y);\n"
      ".func (.param .align 8 .b8 r[16]) f(.param .b32 x, .param .align 8 .b8 y[12]) {\n"
      " .reg .b64 %rd<3>;\n"
      " { .param .b64 param0; .param .b64 param1; st.param.b64 [param0+0], 1;\n"
      "   .param .b32 retval0; call.uni (retval0), vprintf, (param0, param1); }\n"
      " { .param .b32 param0; .param .align 8 .b8 param1[12]; .param .align 8 .b8 retval0[16];\n"
      "   call (retval0), f, (param0, param1);\n"
      "   P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
      "   call (retval0), %rd1, (param0), P; }\n"
      " st.param.b64 [r+8], %rd1; ret;\n}\n");
  ASSERT_EQ(module.functions.size(), 2U);
  EXPECT_TRUE(module.functions[0].is_declaration);
  const Function& f = module.functions[1];
  EXPECT_EQ(f.parameters.at(1).offset_bytes, 8U);
  EXPECT_EQ(f.parameters.at(1).size_bytes, 12U);
  EXPECT_EQ(f.returns.at(0).size_bytes, 16U);
  ASSERT_EQ(f.variables.size(), 6U);
  EXPECT_EQ(f.variables[0].space, Space::param);
  const Instruction& call = f.body.at(1);
  EXPECT_EQ(call.operands.at(0).kind, OperandKind::list);
  EXPECT_EQ(call.operands.at(1).symbol, SymbolKind::function);
  EXPECT_EQ(call.operands.at(1).id, 0);
  EXPECT_EQ(call.operands.at(2).elements.at(1).id, 1);
  EXPECT_EQ(f.body.at(2).operands.at(1).id, 1) << "a call of itself";
  EXPECT_EQ(f.body.at(2).operands.at(2).elements.at(0).id, 3) << "the second param0";
  EXPECT_EQ(f.body.at(3).operands.at(1).kind, OperandKind::reg);
  EXPECT_EQ(f.body.at(3).operands.at(3).symbol, SymbolKind::label_table);
  EXPECT_EQ(f.body.at(4).operands.at(0).symbol, SymbolKind::return_parameter);
}

TEST(Parse, DeclarationsJoinTheirDefinition) {
  const Module module =
      parsed(std::string(test::kHeader) + ".func f(.param .b32 x);\n.func f(.param .b32 x);\n" +
             ".func g() { call f, (1); ret; }\n.func f(.param .b32 x) { ret; }\n");
  ASSERT_EQ(module.functions.size(), 2U);
  EXPECT_FALSE(module.functions[0].is_declaration);
  EXPECT_EQ(module.functions[1].body.at(0).operands.at(0).id, 0);
}

TEST(Parse, AliasesAreReplaced) {
  const Module module = parsed(std::string(test::kHeader) +
                               ".func f() { ret; }\n.func g();\n.func h() { call g; ret; }\n" +
                               ".global .u64 p = g;\n.alias g, f;\n");
  EXPECT_EQ(module.find_function("h")->body.at(0).operands.at(0).id, 0);
  EXPECT_EQ(module.variables.at(0).relocations.at(0).symbol, "f");
}

TEST(Parse, FunctionDirectives) {
  const Module module =
      parsed(std::string(test::kHeader) +
             ".weak .entry k(.param .u64 .ptr .global .align 16 p, .param .u8 q, .param .f64 d)\n"
             ".maxntid 128, 2\n.reqntid 64\n.minnctapersm 3\n.maxnreg 40\n.noreturn\n"
             "{ .pragma \"nounroll\"; ret; }\n");
  const Function& k = *module.find_function("k");
  EXPECT_TRUE(k.is_entry);
  EXPECT_EQ(k.max_threads[0], 128U);
  EXPECT_EQ(k.max_threads[1], 2U);
  EXPECT_EQ(k.max_threads[2], 1U);
  EXPECT_EQ(k.required_threads[0], 64U);
  EXPECT_EQ(k.min_blocks_per_sm, 3U);
  EXPECT_EQ(k.parameters.at(0).align_bytes, 8U) << "the alignment after .ptr is the pointee's";
  EXPECT_EQ(k.parameters.at(2).offset_bytes, 16U);
}

TEST(Parse, VariablesAndInitialisers) {
  const Module module = parsed(std::string(test::kHeader) + R"(
.global .align 4 .b8 v[12] = {1, 0, 0xff, 017, -1};
.global .f32 f[2][2] = {{0f3F800000, 1.5}, {-2.5, 1}};
.visible .const .f64 d = 0d3FF8000000000000;
.global .u64 p[3] = {generic(v)+4, v, 7};
.global .u8 m[10] = {9, 0xFF(generic(v)+8), 0xFF00(generic(v)+8), 0xFF0000(generic(v)+8), 0xFF000000(generic(v)+8),
  0xFF00000000(generic(v)+8), 0xFF0000000000(generic(v)+8), 0XFF000000000000(generic(v)+8), 0xFF00000000000000(generic(v)+8), 4};
.global .s32 unsized[] = {1, 2, 3};
.global .s16 inner[][2] = {{1}, {2, 3}, {4}};
.extern .shared .align 16 .b8 dynamic[];
.global .v4 .f32 four;
.global .s32 plain;
)");
  const auto& v = module.variables;
  EXPECT_EQ(v.at(0).size_bytes, 12U);
  EXPECT_EQ(v.at(0).initial, (std::vector<std::uint8_t>{1, 0, 255, 15, 255, 0, 0, 0, 0, 0, 0, 0}));
  const auto word = [&](std::size_t variable, std::size_t at) {
    const auto& bytes = v.at(variable).initial;
    return std::bit_cast<float>(bytes.at(at) | bytes.at(at + 1) << 8 | bytes.at(at + 2) << 16 |
                                static_cast<int>(static_cast<unsigned>(bytes.at(at + 3)) << 24));
  };
  EXPECT_EQ(word(1, 0), 1.0F);
  EXPECT_EQ(word(1, 4), 1.5F);
  EXPECT_EQ(word(1, 8), -2.5F);
  EXPECT_EQ(word(1, 12), 1.0F);
  EXPECT_EQ(v.at(2).initial.at(7), 0x3F);
  EXPECT_EQ(v.at(2).space, Space::constant);
  EXPECT_TRUE(v.at(2).is_visible);
  ASSERT_EQ(v.at(3).relocations.size(), 2U);
  EXPECT_TRUE(v.at(3).relocations[0].generic);
  EXPECT_EQ(v.at(3).relocations[0].addend, 4);
  EXPECT_EQ(v.at(3).relocations[1].offset_bytes, 8U);
  EXPECT_FALSE(v.at(3).relocations[1].generic);
  EXPECT_EQ(v.at(3).initial.at(16), 7);
  ASSERT_EQ(v.at(4).relocations.size(), 1U) << "eight masked bytes are one address";
  EXPECT_EQ(v.at(4).relocations[0].offset_bytes, 1U);
  EXPECT_EQ(v.at(4).relocations[0].addend, 8);
  EXPECT_EQ(v.at(4).initial.at(9), 4);
  EXPECT_EQ(v.at(5).size_bytes, 12U);
  EXPECT_EQ(v.at(6).size_bytes, 12U);
  EXPECT_EQ(v.at(6).initial, (std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0, 0}));
  EXPECT_EQ(v.at(7).size_bytes, 0U);
  EXPECT_TRUE(v.at(7).is_extern);
  EXPECT_EQ(v.at(7).align_bytes, 16U);
  EXPECT_EQ(v.at(8).size_bytes, 16U);
  EXPECT_EQ(v.at(8).align_bytes, 16U);
  EXPECT_TRUE(v.at(9).initial.empty());
}

TEST(Parse, LocationsFollowInliningToTheOutermostCall) {
  const Module module =
      parsed(std::string(test::kHeader) + ".entry k() {\n.loc 1 9 3\ntrap;\n" +
             ".loc 1 7 5, function_name $L__a, inlined_at 1 9 3\ntrap;\n"
             ".loc 2 4 1, function_name $L__b+7, inlined_at 1 7 5\ntrap;\n.loc 1 10 2\ntrap; }\n"
             ".file 1 \"a.cu\"\n.file 2 \"b.h\", 12, 34\n"
             ".section .debug_str { $L__a: .b8 1,2 $L__b: .b32 $L__a+5 .b64 { } }\n");
  EXPECT_EQ(module.files, (std::vector<std::string>{"", "a.cu", "b.h"}));
  const auto& body = module.find_function("k")->body;
  EXPECT_EQ(body.at(0).location, (SourceLocation{1, 9, 3}));
  EXPECT_EQ(body.at(0).inlined_at.line, 0U);
  EXPECT_EQ(body.at(1).location, (SourceLocation{1, 7, 5}));
  EXPECT_EQ(body.at(1).inlined_at, (SourceLocation{1, 9, 3}));
  EXPECT_EQ(body.at(2).location, (SourceLocation{1, 7, 5}))
      << "the call, in the file of the kernel";
  EXPECT_EQ(body.at(2).inlined_at, (SourceLocation{1, 9, 3}));
  EXPECT_EQ(body.at(3).inlined_at.line, 0U);
}

TEST(Parse, TextSurvivesMovingTheModule) {
  Module first = parsed(kernel_text("ret;"));
  const Module second = std::move(first);
  EXPECT_EQ(kernel_of(second).body.at(0).spelling, "ret");
}

TEST(Types, NamesAndSizes) {
  int known = 0;
  for (int i = 1; i <= static_cast<int>(Type::f64); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(type_from_name(name_of(type)), type) << i;
    ++known;
  }
  EXPECT_EQ(known, 20);
  EXPECT_EQ(type_from_name("f33"), std::nullopt);
  EXPECT_EQ(type_from_name("none"), std::nullopt);
  EXPECT_EQ(size_bytes(Type::f16x2), 4U);
  EXPECT_EQ(size_bytes(Type::pred), 0U);
  EXPECT_EQ(size_bytes(Type::b128), 16U);
  EXPECT_EQ(name_of(Space::constant), "const");
}

}  // namespace
}  // namespace labkit::ptx
