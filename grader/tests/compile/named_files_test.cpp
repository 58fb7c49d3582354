#include <gtest/gtest.h>

#include "compile/line_directives.h"

namespace labkit::compile {
namespace {

std::string known(const std::string& ptx, const std::string& directory = "/") {
  return with_known_files(ptx, "kernel.cu", directory, {{"cuda_fp16.hpp", ""}});
}

TEST(NamedFiles, TheSubmittedOneAndHeadersKeepTheirNames) {
  EXPECT_EQ(known("\t.file\t1 \"/kernel.cu\"\n\t.file\t2 \"/cuda_fp16.hpp\"\n"),
            "\t.file\t1 \"kernel.cu\"\n\t.file\t2 \"cuda_fp16.hpp\"\n");
  EXPECT_EQ(known(".file 1 \"/home/ana/my labs/kernel.cu\"", "/home/ana/my labs"),
            ".file 1 \"kernel.cu\"");
}

TEST(NamedFiles, AnyOtherBecomesTheSubmittedOne) {
  EXPECT_EQ(known("{ .file 7 \"/etc/passwd\" }"), "{ .file 7 \"kernel.cu\" }");
  EXPECT_EQ(known(".file/* a */\n0x7 // b\n\"/etc/passwd\", 1, 2"),
            ".file/* a */\n0x7 // b\n\"kernel.cu\", 1, 2");
  EXPECT_EQ(known("// .file /*\n.file 7 \"/etc/passwd\"\n"),
            "// .file /*\n.file 7 \"kernel.cu\"\n");
}

TEST(NamedFiles, OtherTextStays) {
  for (const char* ptx : {".pragma \"nounroll\";\n", "// .file 1 \"a\"\n", "/* .file 1 \"a\" */",
                          "\"", ".file 1 \"a", "/*", ".file 1; \"a\""})
    EXPECT_EQ(known(ptx), ptx);
}

}  // namespace
}  // namespace labkit::compile
