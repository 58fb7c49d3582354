// The lexer of CUDA source.
#include "compile/tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace labkit::compile {
namespace {

using Kind = Token::Kind;

std::string spelled(std::string_view source,
                    Tokens::Keep keep = Tokens::Keep::code_and_directives) {
  std::string all;
  for (const Token& token : Tokens(source, keep)) all += "|" + std::string(token.spelling);
  return all;
}

TEST(Tokens, OperatorsAreTheLongestButForTwoThatCloseTemplates) {
  EXPECT_EQ(spelled("a<=b<<c->d>>e==f"), "|a|<=|b|<<|c|->|d|>|>|e|==|f");
  EXPECT_EQ(spelled("x>>=1;y+=-1.5e-3f;z=0x1e+2;1'000"),
            "|x|>>=|1|;|y|+=|-|1.5e-3f|;|z|=|0x1e|+|2|;|1'000");
}

TEST(Tokens, CommentsAndDirectivesAreKeptAsAsked) {
  const std::string source = "#define A 1 \\\n 2 // x\nint a; /* b */ // c\n";
  EXPECT_EQ(spelled(source, Tokens::Keep::code), "|int|a|;");
  EXPECT_EQ(spelled(source), "|#define A 1 \\\n 2 // x|int|a|;");
  EXPECT_EQ(spelled(source, Tokens::Keep::all), "|#define A 1 \\\n 2 // x|int|a|;|/* b */|// c");
}

TEST(Tokens, WordsThatAreOperators) {
  const std::string source = "if (a and not b or c) bland();";
  EXPECT_EQ(spelled(source), "|if|(|a|&&|!|b||||c|)|bland|(|)|;");
  const Tokens tokens(source);
  EXPECT_EQ(tokens[3].kind, Kind::mark);
  EXPECT_EQ(tokens.text(2, 6), "a and not b");
}

TEST(Tokens, LinesAndBrackets) {
  const Tokens tokens("f(\n[)]\n{ \"}\" R\"(\n)\" }\n(");
  EXPECT_EQ(tokens.close_of(1), 3u);  // ( and ), whatever stands between
  EXPECT_EQ(tokens.close_of(2), 4u);
  EXPECT_EQ(tokens.close_of(5), 8u);
  EXPECT_EQ(tokens[8].line, 4u);
  EXPECT_EQ(tokens.close_of(9), tokens.size());
  EXPECT_EQ(tokens.close_of(99), tokens.size());
  EXPECT_EQ(tokens.text(5, 7), "{ \"}\"");
}

TEST(Tokens, WordsOfTheLanguageOfCudaAndOnesOwn) {
  EXPECT_EQ(kind_of_word("float4"), WordKind::keyword);
  EXPECT_EQ(kind_of_word("threadIdx"), WordKind::cuda);
  EXPECT_EQ(kind_of_word("__shfl_sync"), WordKind::cuda);
  EXPECT_EQ(kind_of_word("tile"), WordKind::own);
  EXPECT_TRUE(has_word("identifier tile2 tile is", "tile"));
  EXPECT_FALSE(has_word("tile2 my_tile", "tile"));
}

}  // namespace
}  // namespace labkit::compile
