// No spelling of #line moves a line or names another file.
#include "compile/line_directives.h"

#include <algorithm>
#include <random>
#include <regex>

#include "base/text.h"
#include "messages.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

std::string blanked(std::string source) {
  blank_line_directives(source);
  return source;
}

TEST(LineDirectives, AreBlankedOutWhereTheyStand) {
  std::string source = "int a;\n#line 7 \"x.cu\"\nint b;\n  # 9 \"y\" 3 4\n";
  EXPECT_EQ(blank_line_directives(source), (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(source, "int a;\n              \nint b;\n             \n");
}

TEST(LineDirectives, OtherTextStays) {
  for (const char* source : {
           "#define TEXT(line) #line\n",
           "#define TEXT(line) \\\n  #line\n",
           "#define TEXT(line) /* one */ #line\n",
           "#define PASTE(a) a %:%: 1\n",
           "#pragma unroll 4\n#if 1\n#include <cstdint>\n#endif\n#\n# // 1\n",
           "#linemarker\n",
           "int x = 1; // #line 7\n",
           "const char* s = \"#line 7\";\n",
       }) {
    EXPECT_EQ(blanked(source), source);
  }
}

TEST(LineDirectives, CommentsOfTheirsStayOpenOrClosed) {
  EXPECT_EQ(blanked("#line 7 /* a\n b */ int c;\n"), "        /* a\n b */ int c;\n");
  EXPECT_EQ(blanked("#line 7 \"/*\" // /*\nint c;\n"), std::string(18, ' ') + "\nint c;\n");
  EXPECT_EQ(blanked("/*\n#line 5 */ #line 6\n"), "/*\n        */        \n");
}

TEST(LineDirectives, TheNoteNamesTheLines) {
  EXPECT_EQ(words::render(only({line_directives_note({3}, "lab1.cu")})),
            "#line was ignored (lab1.cu, line 3): messages name the lines of the submitted file.");
  EXPECT_EQ(
      only({line_directives_note({3, 4, 5, 6, 7, 9}, "lab1.cu")}),
      (Message{Id::note_line_directives,
               {{"file", "lab1.cu"}, {"count", words::count(6)}, {"lines", "3, 4, 5, 6, ..."}}}));
}

// A reader that looked through the rest of the file at each of them would not end within the limit of a test.
TEST(LineDirectives, AMegabyteOfAnyOfItsTokensIsRead) {
  for (const char* part : {"/*\n", "#/*\n", "#/* */ /*\n", "*/\n", "# /**/", "\\\n", "#line 1 \"\n",
                           "/**/", "#\\\n", "\"/*\n", "*/ #/* */ /*\n"}) {
    std::string source;
    while (source.size() < 1u << 20) source += part;
    const std::size_t lines = split_lines(source).size();
    blank_line_directives(source);
    EXPECT_EQ(split_lines(source).size(), lines) << part;
  }
}

// What is left is nothing that could be one, whatever a comment or a quote before it does.
TEST(LineDirectives, ASecondReadingFindsNone) {
  constexpr const char* kParts[] = {
      "/*",    "*/", "\"", "'",       "//",   "\n",  "\n", "\n",   "\\\n", "#line 77 \"z\"",
      "# 77 ", "%:", "#",  "line 77", "R\"(", ")\"", " ",  "int;", "*",    "/",
      "\r"};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (int part = 0; part < 16; ++part) source += kParts[random() % std::size(kParts)];
    const std::string once = blanked(source);
    EXPECT_EQ(blanked(once), once) << source;
    EXPECT_EQ(once.size(), source.size());
    EXPECT_EQ(std::count(once.begin(), once.end(), '\n'),
              std::count(source.begin(), source.end(), '\n'));
  }
}

class CompileLines : public WithNvrtc {};

constexpr const char* kSpellings[] = {
    "#line 77 \"/etc/passwd\"\n",
    "  #\tline 77\n",
    "# 77 \"/etc/passwd\" 3\n",
    "#define N 77\n#define F \"/etc/passwd\"\n#line N F\n",
    "%:line 77 \"/etc/passwd\"\n",
    "%:77\"/etc/passwd\"\n",
    "#li\\\nne \\\n 77 \"/etc/passwd\"\n",
    "#li\\\r\nne 77 \"/etc/passwd\"\r\n",
    "#\\\nline 77 \"/etc/passwd\"\n",
    " \\\n %\\\n: \\\n line 77 \"/etc/passwd\"\n",
    "# /* a */ line/**/77 \"/etc/passwd\" // b\n",
    "/* a */ /* b */ #line 77 \"/etc/passwd\"\n",
    "/* a\n b */ #line 77 \"/etc/passwd\"\n",
    "static_assert(true); /* a\n b */ #line 77 \"/etc/passwd\"\n",
    "\v\f#line 77 \"/etc/passwd\"\n",
    "#if 1\n#line 77 \"/etc/passwd\"\n#endif\n",
    "#if 0\n \" /*\n#endif\n#line 77 \"/etc/passwd\"\n// */\"\n",
    "#if 0\n it's /*\n#endif\n#line 77 \"/etc/passwd\"\n// */\n",
    "/*\n#line 5 \"*/\"\n x */ #line 77 \"/etc/passwd\"\n",
    "/*\n#line 5 */\n/* x\n */ #line 77 \"/etc/passwd\"\n",
    "/*\n#line 5 /*/ #line 77 \"/etc/passwd\"\n",
    "// ?\?/\n#line 77 \"/etc/passwd\"\n",
    "#line 77 \"a/*b\"\n",
    "#line 77 \"x.cu\"\xff\x1b[31m.cu\"\n",
    "#define A R\"(\n#line 66\n)\"\n#line 77 \"/etc/passwd\"\n",
    "_Pragma(\"line 77\")\n",
    "int main() {} #line 77 \"/etc/passwd\"\n",
};

/// The files and lines that the PTX names.
void expect_physical(const std::string& ptx, std::size_t line, const std::string& what) {
  EXPECT_EQ(ptx.find("passwd"), std::string::npos) << what;
  const std::regex file("\\.file\\s+\\d+ \"([^\"]*)\"");
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), file), end; at != end; ++at)
    EXPECT_EQ((*at)[1], "kernel.cu") << what;
  const std::regex location("\\.loc\\s+1 (\\d+) ");
  std::size_t count = 0;
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), location), end; at != end; ++at, ++count)
    EXPECT_EQ((*at)[1], std::to_string(line)) << what;
  EXPECT_GT(count, 0u) << what;
}

TEST_F(CompileLines, EveryOneIsThePhysicalLineOfTheSubmittedFile) {
  for (const std::string spelling : kSpellings) {
    const auto line = static_cast<std::size_t>(std::count(spelling.begin(), spelling.end(), '\n'));
    const std::string kernel = "__global__ void k(int* p) { p[0] = 1 / p[1] + __LINE__; }";
    Request wanted = request(spelling + kernel + "\n");
    const Result result = compile(wanted);
    ASSERT_EQ(result.status, Status::ok) << spelling << result.log;
    expect_physical(result.ptx, line + 1, spelling);
    EXPECT_EQ(result.notes.size(), spelling.find("_Pragma") == 0 ? 0u
                                   : spelling.find("main") == 4u ? 2u
                                                                 : 1u);
    wanted.device_debug = true;
    expect_physical(compile(wanted).ptx, line + 1, spelling);

    wanted.source = spelling + "__global__ void k(int* p) { p[0] = missing; }\n";
    const Result rejected = compile(wanted);
    EXPECT_EQ(only(rejected.message),
              (Message{Id::compile_error_at,
                       {{"at", SourceLine{"kernel.cu", static_cast<std::uint32_t>(line + 1)}},
                        {"text", "identifier \"missing\" is undefined"}}}))
        << spelling;
    EXPECT_EQ(rejected.log.find("passwd"), std::string::npos) << rejected.log;
  }
}

TEST_F(CompileLines, WarningsToo) {
  const Result result = compile(
      request("#line 77 \"/etc/passwd\"\n__global__ void k(int* p) { int unused; p[0] = 1; }\n"));
  EXPECT_NE(result.log.find("kernel.cu(2): warning"), std::string::npos) << result.log;
  EXPECT_EQ(result.log.find("passwd"), std::string::npos) << result.log;
}

TEST_F(CompileLines, AFileThatAsmNamesIsNotNamed) {
  const Result result =
      compile(request("__global__ void k(int* p) {\n"
                      "  asm volatile(\".file 7 \\\"/etc/passwd\\\"\\n .loc 7 9 0\\n mov.u32 %0, "
                      "1;\" : \"=r\"(p[0]));\n"
                      "}\n"));
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(result.ptx.find("passwd"), std::string::npos);
  EXPECT_NE(result.ptx.find(".file 7 \"kernel.cu\""), std::string::npos) << result.ptx;
}

}  // namespace
}  // namespace labkit::compile
