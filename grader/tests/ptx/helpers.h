// Short ways to a parsed module.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "ptx/module.h"

namespace labkit::ptx::test {

inline constexpr const char* kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline Module parsed(const std::string& text) {
  ParseResult result = parse(text);
  if (!result.module) {
    ADD_FAILURE() << "line " << result.error.ptx_line << ": " << result.error.message;
    return {};
  }
  return std::move(*result.module);
}

/// A module of one kernel `k` with registers of every kind; the first line of `body` is line 10.
inline std::string kernel_text(const std::string& body) {
  return std::string(kHeader) +
         ".extern .shared .align 16 .b8 dynamic[];\n"
         ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<60>; .reg .b64 %rd<60>; .reg .f32 "
         "%f<60>; .reg .f64 %fd<9>;\n"
         ".shared .align 4 .b8 t[4096]; .shared .align 4 .b8 u[4096]; .local .align 4 .b8 l[64];\n"
         "\n" +
         body + "\n}\n";
}

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Module parsed_file(const std::string& name) {
  return parsed(file_text(std::string(LABKIT_TEST_DATA) + "/" + name));
}

}  // namespace labkit::ptx::test
