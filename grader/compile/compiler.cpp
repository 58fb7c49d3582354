// Which compiler: NVRTC, or clang where there is none.
#include <fmt/format.h>

#include <cstdlib>

#include "compile/clang/clang.h"
#include "compile/compile.h"
#include "compile/nvrtc_library.h"

namespace labkit::compile {
namespace {

CompilerInfo with_nvrtc() {
  CompilerInfo compiler{.nvrtc = find_nvrtc(), .clang = {}, .version = {}};
  compiler.version = fmt::format("NVRTC {}.{}", compiler.nvrtc.major, compiler.nvrtc.minor);
  return compiler;
}

CompilerInfo with_clang() {
  CompilerInfo compiler{.is_clang = true, .nvrtc = {}, .clang = find_clang(), .version = {}};
  const ClangInfo& clang = compiler.clang;
  compiler.version = fmt::format("clang {}.{}.{}", clang.major, clang.minor, clang.patch);
  return compiler;
}

}  // namespace

CompilerInfo find_compiler() {
  const char* const setting = std::getenv(kCompilerSetting);
  const std::string wanted = setting == nullptr || *setting == '\0' ? "auto" : setting;
  if (wanted == "nvrtc") return with_nvrtc();
  if (wanted == "clang") return with_clang();
  if (wanted != "auto")
    throw Error(fmt::format("{} is {}, which means nothing", kCompilerSetting, wanted),
                "Set it to nvrtc, clang or auto, or unset it.");
  try {
    return with_nvrtc();
  } catch (const NoNvrtc& no_nvrtc) {
    // Who names one wants that one.
    if (const char* named = std::getenv("LABKIT_NVRTC"); named != nullptr && *named != '\0') throw;
    try {
      return with_clang();
    } catch (const NoClang& no_clang) {
      throw NoCompiler(fmt::format("no device compiler on this machine: {}; {}", no_clang.what(),
                                   no_nvrtc.what()),
                       fmt::format("{}. Or NVIDIA's: {}", no_clang.remedy(), no_nvrtc.remedy()));
    }
  }
}

}  // namespace labkit::compile
