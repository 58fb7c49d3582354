// The compiler's first errors as a student's slips. The logs are NVRTC's, of CUDA 12.
#include <gtest/gtest.h>

#include <cstdint>
#include <variant>

#include "explain/defect.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;
using words::Message;

grade::LabResult refused(const std::string& log, std::uint32_t line = 0) {
  grade::LabResult result;
  result.verdict.kind = "compile_error";
  result.message = {{words::Id::compile_failed, {{"file", "kernel.cu"}}}};
  result.compile_log = log;
  result.where = {"kernel.cu", line};
  return result;
}

/// The first slip; Id::none if there is none.
Message slip(const std::string& log, std::uint32_t line = 0) {
  const auto all = compile_slips(refused(log, line));
  return all.empty() ? Message{} : all.front();
}

std::string name_in(const Message& message, std::string_view parameter) {
  const words::Value* value = message.find(parameter);
  const auto* name = value ? std::get_if<std::string>(value) : nullptr;
  return name ? *name : "no " + std::string(parameter);
}

std::uint32_t line_in(const Message& message, std::string_view parameter = "at") {
  const words::Value* value = message.find(parameter);
  const auto* at = value ? std::get_if<words::SourceLine>(value) : nullptr;
  return at ? at->line : 0;
}

TEST(CompileSlip, ASemicolonIsMissedALineLater) {
  const std::string log =
      "kernel.cu(5): error: expected a \";\"\n    if (i < n) c[i] = a[i];\n    ^\n";
  const Message before = slip(log, 3);
  EXPECT_EQ(before.id, Id::compile_semicolon_before);
  EXPECT_EQ(line_in(before), 3u);
  EXPECT_EQ(line_in(before, "noticed"), 5u);
  EXPECT_EQ(slip_lines(before),
            (std::vector<std::string>{
                "A semicolon is missing at the end of line 3; the compiler notices it only at "
                "line 5.",
                "Fix: Add it at the end of line 3."}));
  EXPECT_EQ(slip(log, 5).id, Id::compile_semicolon);
}

/// The first slip in a source, with its error at a line.
Message slip_in(const std::string& source, const std::string& log, std::uint32_t line) {
  grade::LabResult result = refused(log, line);
  result.source = source;
  const auto all = compile_slips(result);
  return all.empty() ? Message{} : all.front();
}

TEST(CompileSlip, AForWithTwoPartsLacksOne) {
  const std::string log =
      "kernel.cu(2): error: expected a \";\"\n  for (i < n; i += step) c[i] = 0;\n                 "
      " "
      "      ^\n";
  const auto of = [&](const std::string& head) {
    return slip_in("void f() {\n  " + head + " c[i] = 0;\n}\n", log, 2);
  };
  EXPECT_EQ(of("for (i < n; i += step)").id, Id::compile_for_parts);
  EXPECT_EQ(line_in(of("for (i < n; i += step)")), 2u);
  EXPECT_EQ(of("for (; i < n; i += step)").id, Id::compile_semicolon);
}

TEST(CompileSlip, AFunctionOfTheHostThatAKernelUses) {
  const std::string head = "int half(int i) { return i / 2; }\nint wide = 4;\n";
  const std::string function = "kernel.cu(1): error: this function is host code\n";
  const std::string variable = "kernel.cu(2): error: this variable is host code\n";
  const auto kernel = [&](const std::string& value) {
    return head + "__global__ void k(int* a) {\n  a[0] = " + value + ";\n}\n";
  };
  const Message used = slip_in(kernel("half(8)"), function, 1);
  EXPECT_EQ(used.id, Id::compile_host_function_used);
  EXPECT_EQ(name_in(used, "name"), "half");
  EXPECT_EQ(line_in(used, "used"), 4u);
  const Message held = slip_in(kernel("wide"), variable, 2);
  EXPECT_EQ(held.id, Id::compile_host_variable_used);
  EXPECT_EQ(name_in(held, "name"), "wide");
  EXPECT_EQ(slip_in(kernel("8"), function, 1).id, Id::none);
}

TEST(CompileSlip, AnArrayThatIsAsLargeAsTheBlock) {
  const std::string log = "kernel.cu(4): error: expression must have a constant value\n";
  const auto of = [&](const std::string& constants) {
    return slip_in(
        constants + "__global__ void k() {\n  __shared__ int t[blockDim.y][blockDim.x];\n}\n", log,
        4);
  };
  EXPECT_EQ(of("constexpr int kHigh = 8;\nconstexpr int kWide = 32;\n").id,
            Id::compile_launch_size_names);
  EXPECT_EQ(of("constexpr int kWide = 32;\n\n").id, Id::compile_launch_size_names);
  EXPECT_EQ(of("\n\n").id, Id::compile_launch_size);
}

TEST(CompileSlip, ASharedArrayWithInitialValues) {
  const std::string log =
      "kernel.cu(2): error: initializer not allowed for __shared__ variable\n  x\n  ^\n";
  const auto of = [&](const std::string& declaration) {
    return slip_in("void f() {\n  __shared__ float " + declaration + "\n}\n", log, 2);
  };
  EXPECT_EQ(of("bins[256] = {0};").id, Id::compile_shared_values);
  EXPECT_EQ(name_in(of("bins[256] = {0};"), "array"), "bins");
  EXPECT_EQ(of("tile[32][33] = {0};").id, Id::compile_shared_rows);
  EXPECT_EQ(name_in(of("tile[32][33] = {0};"), "array"), "tile");
}

TEST(CompileSlip, APointerToConstDataIsDeclaredSo) {
  const Message of_nvrtc = slip(
      "k.cu(12): error: a value of type \"const Quad *\" cannot be used to initialize an entity of "
      "type \"Quad *\"\n");
  EXPECT_EQ(of_nvrtc.id, Id::compile_pointer_to_const);
  EXPECT_EQ(name_in(of_nvrtc, "type"), "const Quad *");
  const Message of_clang = slip(
      "k.cu(12): error: cannot initialize a variable of type 'Quad *' with an lvalue of type "
      "'const Quad *'\n");
  EXPECT_EQ(of_clang.id, Id::compile_pointer_to_const);
  EXPECT_EQ(name_in(of_clang, "type"), "const Quad *");
  EXPECT_EQ(slip("k.cu(12): error: a value of type \"double\" cannot be assigned to an entity of "
                 "type \"Quad\"\n")
                .id,
            Id::none);
}

TEST(CompileSlip, OtherBrackets) {
  EXPECT_EQ(slip("k.cu(4): error: expected a \")\"\n").id, Id::compile_parenthesis);
  EXPECT_EQ(slip("k.cu(4): error: expected a \"]\"\n").id, Id::compile_bracket);
  EXPECT_EQ(slip("k.cu(2): error: closing brace of template definition not found\n").id,
            Id::compile_last_brace);
  EXPECT_EQ(
      slip("k.cu(9): error: an automatic \"__constant__\" variable declaration is not allowed "
           "inside a device function body\n")
          .id,
      Id::compile_last_brace);
}

TEST(CompileSlip, BracesThatAreAllThereAreNotMissing) {
  const std::string log =
      "k.cu(2): error: an automatic \"__constant__\" variable declaration is not allowed inside a "
      "device function body\n";
  grade::LabResult result = refused(log);
  result.source = "__global__ void k() {\n  __constant__ int t = 1;\n}\n";
  EXPECT_TRUE(compile_slips(result).empty());
  result.source = "__global__ void k() { {\n__constant__ int t = 1;\n}\n";
  EXPECT_EQ(compile_slips(result).at(0).id, Id::compile_last_brace);
}

TEST(CompileSlip, OneIndexOfAnArrayWithTwoSizes) {
  const std::string log = "k.cu(3): error: expression must be a modifiable lvalue\n";
  const std::string declared =
      "__global__ void k(const float* in, float* out, int w) {\n  __shared__ float t[8][9];\n";
  grade::LabResult result = refused(log);
  result.source = declared + "  t[threadIdx.x * w] = in[0];\n}\n";
  const Message one = compile_slips(result).at(0);
  EXPECT_EQ(one.id, Id::compile_one_index);
  EXPECT_EQ(name_in(one, "name"), "t");
  result.source = declared + "  in[w] = t[0][1];\n}\n";
  EXPECT_EQ(compile_slips(result).at(0).id, Id::compile_store_to_input);
}

TEST(CompileSlip, ABracketThatMakesAnAssignmentOfTheIndex) {
  const std::string line = "    w[k * n + i = z[k * n + i] * f;\n      ^\n";
  const std::string log = "k.cu(20): error: expression must be a modifiable lvalue\n" + line +
                          "k.cu(20): error: expected a \"]\"\n" + line;
  EXPECT_EQ(slip(log).id, Id::compile_bracket);
  EXPECT_EQ(line_in(slip(log)), 20u);
  EXPECT_FALSE(is_slip_of_meaning(refused(log, 20)));
}

TEST(CompileSlip, AnIndexWithoutItsPart) {
  const Message index = slip(
      "k.cu(3): error: no operator \"+\" matches these operands\n            operand types are: "
      "unsigned int + const uint3\n    int i = blockIdx.x * blockDim.x + threadIdx;\n      ^\n");
  EXPECT_EQ(index.id, Id::compile_which_part);
  EXPECT_EQ(name_in(index, "name"), "threadIdx");
  const Message extent = slip(
      "k.cu(3): error: no suitable conversion function from \"const dim3\" to \"int\" "
      "exists\n    int n = my_blockDim + blockDim;\n");
  EXPECT_EQ(extent.id, Id::compile_which_part);
  EXPECT_EQ(name_in(extent, "name"), "blockDim");
}

TEST(CompileSlip, WhatIsOfTheHost) {
  const struct {
    const char* log;
    Id id;
    const char* name;
  } all[] = {
      {"k.cu(5): error: namespace \"std\" has no member \"cout\"\n", Id::compile_host_stream,
       "cout"},
      {"k.cu(5): error: identifier \"cout\" is undefined\n", Id::compile_host_stream, "cout"},
      {"k.cu(5): error: namespace \"std\" has no member \"vector\"\n", Id::compile_host_library,
       "vector"},
      {"k.cu(3): error: identifier \"cudaMalloc\" is undefined\n", Id::compile_host_function,
       "cudaMalloc"},
      {"k.cu(1): catastrophic error: cannot open source file \"helper_math.h\"\n",
       Id::compile_include, "helper_math.h"}};
  for (const auto& [log, id, name] : all) {
    EXPECT_EQ(slip(log).id, id) << log;
    EXPECT_EQ(name_in(slip(log), "name"), name) << log;
  }
}

TEST(CompileSlip, NamesThatAreNearlyRight) {
  EXPECT_EQ(name_in(slip("k.cu(3): error: identifier \"blockldx\" is undefined\n"), "meant"),
            "blockIdx");
  EXPECT_EQ(name_in(slip("k.cu(3): error: identifier \"threadidx\" is undefined\n"), "meant"),
            "threadIdx");
  EXPECT_EQ(name_in(slip("k.cu(3): error: identifier \"__synchthreads\" is undefined\n"), "meant"),
            "__syncthreads");
  EXPECT_EQ(slip("k.cu(3): error: identifier \"row\" is undefined\n").id,
            Id::compile_undefined_name);
}

TEST(CompileSlip, TwoIndicesInOnePairOfBrackets) {
  const Message index = slip(
      "k.cu(6): error: expression must be a modifiable lvalue\n    tile[y + 1, x] = a[i];\n    "
      "^\n");
  EXPECT_EQ(index.id, Id::compile_index_comma);
  EXPECT_EQ(name_in(index, "written"), "tile[y + 1, x]");
  EXPECT_EQ(name_in(index, "meaning"), "tile[x]");
  EXPECT_EQ(name_in(index, "meant"), "tile[y + 1][x]");
  EXPECT_EQ(
      name_in(slip("k.cu(6): error: a value of type \"float *\" cannot be assigned to an entity "
                   "of type \"float\"\n    c[f(i, 2)] = tile[x, y];\n    ^\n"),
              "meant"),
      "tile[x][y]");
  EXPECT_EQ(
      slip("k.cu(6): error: expression must be a modifiable lvalue\n    a[f(i, 2)] = 1;\n").id,
      Id::compile_store_to_const);
}

TEST(CompileSlip, TwoSizesInOnePairOfBrackets) {
  const Message sizes = slip(
      "k.cu(4): error: expected a \"]\"\n"
      "    __shared__ T tile[kTile, kTile];\n                           ^\n");
  EXPECT_EQ(sizes.id, Id::compile_array_sizes);
  EXPECT_EQ(name_in(sizes, "meant"), "tile[kTile][kTile]");
  EXPECT_EQ(name_in(sizes, "written"), "tile[kTile, kTile]");
}

TEST(CompileSlip, WhatMeansNothingThere) {
  const struct {
    const char* log;
    Id id;
  } slips_of_meaning[] = {
      {"k.cu(5): error: expression must have pointer-to-object type but it has type \"float\"\n"
       "    out[c][r] = in[r][c];\n    ^\n",
       Id::compile_index_of_number},
      {"k.cu(9): error: expression must have class type but it has type \"const Quad *\"\n",
       Id::compile_member_of_pointer},
      {"k.cu(4): error: attribute \"__shared__\" does not apply here\n",
       Id::compile_shared_without_type}};
  for (const auto& [log, id] : slips_of_meaning) {
    EXPECT_EQ(slip(log).id, id) << log;
    EXPECT_TRUE(is_slip_of_meaning(refused(log)));
  }
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: expected a \")\"\n")));
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: identifier \"row\" is undefined\n")));
  EXPECT_FALSE(is_slip_of_meaning(refused("k.cu(4): error: nobody knows\n")));
}

TEST(CompileSlip, AParameterThatTheHeadHasLost) {
  grade::LabResult result = refused("k.cu(7): error: identifier \"cols\" is undefined\n");
  result.lost_parameter = "cols";
  const auto all = compile_slips(result);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, Id::compile_lost_parameter);
  EXPECT_EQ(name_in(all[0], "name"), "cols");
}

TEST(CompileSlip, AVariableOfALoopThatEndsAtItsSemicolon) {
  grade::LabResult result = refused("k.cu(7): error: identifier \"i\" is undefined\n");
  result.where.line = 5;  // of the loop
  const auto all = compile_slips(result);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].id, Id::compile_loop_ended);
}

TEST(CompileSlip, AMemberThatIsNotThere) {
  const auto part = slip(
      "k.cu(3): error: class \"uint3\" has no member \"X\"\n"
      "    int i = threadIdx.X;\n                      ^\n");
  EXPECT_EQ(part.id, Id::compile_builtin_member);
  EXPECT_EQ(name_in(part, "name"), "threadIdx");
  EXPECT_EQ(slip("k.cu(3): error: class \"Quad\" has no member \"parts\"\n").id,
            Id::compile_unknown_member);
}

TEST(CompileSlip, AFunctionOfCudaThatIsMisspelt) {
  for (const auto& [name, meant] : {std::pair("__ldgg", "__ldg"), {"atomicadd", "atomicAdd"}}) {
    const auto misspelt =
        slip(std::string("k.cu(3): error: identifier \"") + name + "\" is undefined\n");
    EXPECT_EQ(misspelt.id, Id::compile_misspelt_name);
    EXPECT_EQ(name_in(misspelt, "meant"), meant);
  }
}

TEST(CompileSlip, AWarpFunctionFromBeforeMasks) {
  for (const std::string name : {"__shfl_down", "__ballot"}) {
    const auto old = slip("k.cu(3): error: identifier \"" + name + "\" is undefined\n");
    EXPECT_EQ(old.id, Id::compile_without_mask);
    EXPECT_EQ(name_in(old, "name"), name);
  }
}

TEST(CompileSlip, ABraceThatIsNeverClosed) {
  const std::string log = "k.cu(9): error: expected a \";\"\n";
  const auto of = [&](const std::string& source) { return slip_in(source, log, 9); };
  // by the indentation: of the `else`, before the brace that closes the loop
  const auto inner =
      of("__global__ void k(int n) {\n  for (;;) {\n    if (n) {\n      f();\n    } else {\n      "
         "g();\n"
         "  }\n}\n__global__ void l() {\n}\n");
  ASSERT_EQ(inner.id, Id::compile_open_brace);
  EXPECT_EQ(*inner.find("line"), words::Value{std::int64_t{7}});
  EXPECT_EQ(std::get<words::SourceLine>(*inner.find("at")).line, 5u);
  // of the kernel itself, before the next one
  const auto outer = of("__global__ void k() {\n  f();\n\n__global__ void l() {\n}\n\n\n\n\n");
  ASSERT_EQ(outer.id, Id::compile_open_brace);
  EXPECT_EQ(*outer.find("line"), words::Value{std::int64_t{4}});
  // of both branches of a condition one is compiled
  EXPECT_NE(of("__global__ void k() {\n#if 1\n  for (;;) {\n#else\n  while (1) {\n#endif\n  f()\n  "
               "}\n}\n")
                .id,
            Id::compile_open_brace);
  // as many close as open
  EXPECT_NE(of("__global__ void k() {\nif (1) {\nf()\n}\n}\n\n\n\n\n").id, Id::compile_open_brace);
}

TEST(CompileSlip, AnArrayWithoutASize) {
  EXPECT_EQ(slip("k.cu(2): error: incomplete type \"float []\" is not allowed\n"
                 "    __shared__ float tile[];\n                     ^\n")
                .id,
            Id::compile_array_without_size);
  EXPECT_FALSE(slip("k.cu(2): error: incomplete type \"struct Quad\" is not allowed\n"));
}

Message slip_in(const std::string& source, const std::string& log) {
  grade::LabResult result = refused(log);
  result.source = source;
  const auto all = compile_slips(result);
  EXPECT_LE(all.size(), 1u);
  return all.empty() ? Message{} : all.front();
}

TEST(CompileSlip, AParameterDeclaredAgainAndWhatFollowsFromThat) {
  const Message again = slip_in(
      "__global__ void sum(const float* x,\n                    float* total, int n) {\n"
      "  float total = 0;\n  total[0] = total;\n}\n",
      "k.cu(3): error: \"total\" has already been declared in the current scope\n"
      "    float total = 0;\n          ^\n\n"
      "k.cu(4): error: expression must have pointer-to-object type but it has type \"float\"\n"
      "    total[0] = total;\n    ^\n");
  EXPECT_EQ(again.id, Id::compile_parameter_again);
  EXPECT_EQ(line_in(again, "first"), 2u);
  EXPECT_EQ(line_in(again), 3u);
}

TEST(CompileSlip, AVariableDeclaredTwice) {
  const Message again =
      slip_in("__global__ void f(int n) {\n  int i = 0;\n  i += n;\n  int i = 1;\n}\n",
              "k.cu(4): error: \"i\" has already been declared in the current scope\n");
  EXPECT_EQ(again.id, Id::compile_declared_twice);
  EXPECT_EQ(line_in(again, "first"), 2u);
}

TEST(CompileSlip, AMemberIsNoVariableOfItsNameAndOneConstantNotTheSizeOfTwo) {
  const std::string log = "k.cu(4): error: expression must have a constant value\n";
  const auto of = [&](const std::string& line, const std::string& after) {
    return slip_in(
        "constexpr int kWidth = 32;\n__global__ void f(int n) {\n  const int w = n, h = n;\n" +
            line + "\n" + after + "}\n",
        log);
  };
  EXPECT_EQ(of("  constexpr int w2 = blockDim.x + 2;", "  for (int x = 0; x < n; ++x) {}\n").id,
            Id::compile_constexpr_value);
  EXPECT_EQ(of("  __shared__ float tile[h][w];", "").id, Id::compile_variable_size);
  EXPECT_EQ(of("  __shared__ float tile[w];", "").id, Id::compile_variable_size_constant);
}

TEST(CompileSlip, AVariableForAConstant) {
  const std::string log = "k.cu(3): error: expression must have a constant value\n";
  for (const char* line :
       {"  __shared__ float tile[edge][edge];", "  constexpr int pitch = edge + 1;"}) {
    const Message of_value = slip_in(
        std::string("__global__ void f(int n) {\n  int edge = 16;\n") + line + "\n}\n", log);
    EXPECT_EQ(of_value.id, Id::compile_variable_value);
    EXPECT_EQ(name_in(of_value, "name"), "edge");
    EXPECT_EQ(name_in(of_value, "value"), "16");
    EXPECT_EQ(line_in(of_value, "first"), 2u);
  }
  // of two constants the one that is not there already
  const Message of_size = slip_in(
      "constexpr int kRows = 8;\nconstexpr int kCols = 32; __global__ void f() {\n"
      "  __shared__ float tile[kRows][blockDim.x + 1];\n}\n",
      log);
  EXPECT_EQ(of_size.id, Id::compile_launch_size_names);
  EXPECT_EQ(name_in(of_size, "names"), "`kCols`");
}

TEST(CompileSlip, AnOperatorOfAStructureOfOneArray) {
  const Message whole = slip_in(
      "struct Four {\n  float v[4];\n};\n__global__ void f(Four* a) { a[0] = a[1] + a[2]; }\n",
      "k.cu(4): error: no operator \"+\" matches these operands\n"
      "            operand types are: Four + Four\n    a[0] = a[1] + a[2];\n                ^\n");
  EXPECT_EQ(whole.id, Id::compile_structure_of_array);
  EXPECT_EQ(name_in(whole, "member"), "v");
  EXPECT_EQ(name_in(whole, "size"), "4");
}

/// In the order of the source, whatever the order of the log; a newer compiler's numbers count before its words.
TEST(CompileSlip, TheFirstThreeOfSeveral) {
  const auto all =
      compile_slips(refused("k.cu(9): error: identifier \"late\" is undefined\n"
                            "k.cu(2): error: identifier \"blockldx\" is undefined\n"
                            "k.cu(4): error: expression must have a constant value\n"
                            "k.cu(4): error: identifier \"n\" is undefined\n"
                            "k.cu(5): error: expected a \")\"\n"
                            "k.cu(6): error: expected a \"]\"\n"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].id, Id::compile_misspelt_name);
  EXPECT_EQ(all[1].id, Id::compile_variable_size);
  EXPECT_EQ(all[2].id, Id::compile_parenthesis);
}

TEST(CompileSlip, WhatFollowsFromAnEarlierErrorIsNotReported) {
  const auto all = compile_slips(
      refused("k.cu(2): error: identifier \"flaot\" is undefined\n    flaot sum = 0;\n    ^\n\n"
              "k.cu(2): error: expected a \";\"\n    flaot sum = 0;\n          ^\n\n"
              "k.cu(3): error: identifier \"sum\" is undefined\n    sum += a[i];\n    ^\n\n"
              "k.cu(4): error: identifier \"flaot\" is undefined\n    flaot b;\n    ^\n\n"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(name_in(all[0], "name"), "flaot");
  const auto brace = compile_slips(
      refused("k.cu(3): error: expected a \"}\"\nk.cu(8): error: identifier \"i\" is undefined\n"));
  ASSERT_EQ(brace.size(), 1u);
  EXPECT_EQ(brace[0].id, Id::compile_brace);
}

TEST(CompileSlip, WhatIsNoneOfThemIsLeftToTheCompiler) {
  EXPECT_FALSE(slip("k.cu(3): error: a class has no such member\n"));
  EXPECT_FALSE(slip(""));
  // what stands in the brackets is no number of a line, or none that there is
  EXPECT_FALSE(slip("k(new).cu(): error: identifier \"row\" is undefined\n"));
  EXPECT_FALSE(slip("k.cu(a): error: expected a \";\"\n"));
  EXPECT_FALSE(slip("k.cu(99999999999): error: expected a \";\"\n"));
  grade::LabResult limit = refused("k.cu(3): error: expected a \";\"\n");
  limit.verdict.kind = "compile_limit";
  EXPECT_TRUE(compile_slips(limit).empty());
}

TEST(CompileSlip, StandsBeforeTheCompilersOwnWordsWithoutTheCandidates) {
  const auto lines = tell_lab(refused(
      "k.cu(3): error: no operator \"+\" matches these operands\n            operand types are: "
      "unsigned int + const uint3\n    int i = threadIdx;\n            ^\nk.cu(3): note #3328-D: "
      "built-in operator+ does not match\n    int i = threadIdx;\n            ^\n"));
  ASSERT_GE(lines.size(), 4u);
  EXPECT_TRUE(lines[0].starts_with("`threadIdx` on line 3 has three parts"));
  EXPECT_TRUE(lines[1].starts_with("Fix: Write `threadIdx.x`"));
  EXPECT_EQ(lines[2], "kernel.cu does not compile.");
  EXPECT_TRUE(lines[3].starts_with("  k.cu(3): error: no operator"));
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find("note"), std::string::npos) << line;
    EXPECT_EQ(line.find("Fix the first error"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace labkit::explain
