#include "program/compilers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "compile/tokens.h"
#include "process/process.h"

namespace labkit::program {

namespace fs = std::filesystem;

std::string find_program(const std::string& name, const std::vector<std::string>& more) {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("PATH"))
    for (std::istringstream all(path); std::getline(all, folders.emplace_back(), ':');) {
    }
  folders.insert(folders.end(), more.begin(), more.end());
  for (const std::string& folder : folders)
    if (const std::string file = folder + "/" + name;
        !folder.empty() && ::access(file.c_str(), X_OK) == 0)
      return file;
  return "";
}

std::string find_nvcc() {
  std::vector<std::string> more;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable)) more.push_back(std::string(home) + "/bin");
  more.emplace_back("/usr/local/cuda/bin");
  return find_program("nvcc", more);
}

std::vector<std::string> asked_for(const BuildOptions& options) {
  std::vector<std::string> words;
  for (const std::string& one : options.include) words.push_back("-I" + one);
  for (const std::string& one : options.define) words.push_back("-D" + one);
  add(words, options.options);
  return words;
}

fs::path runtime_folder() {
  return fs::path(process::program_of_the_kit("cudart/libcudart.so.12")).parent_path();
}

std::vector<std::string> nvcc_words(const BuildOptions& options) {
  std::vector<std::string> words = {"-std=c++17"};
  add(words, asked_for(options));
  return words;
}

std::vector<std::string> clang_words(const BuildOptions& options) {
  std::vector<std::string> words = {"-std=c++17", "-nocudainc", "-nocudalib"};
  add(words, {"-I" + (runtime_folder() / "include").string(), "-include", "labkit_program.h"});
  // of what CUDA's version decides: which functions a launch calls
  add(words, {"-Xclang", "-target-sdk-version=11.2", "-Wno-unknown-cuda-version"});
  add(words, asked_for(options));
  return words;
}

std::vector<std::string> clang_device_words() {
  return {"--cuda-device-only",
          "--cuda-gpu-arch=sm_80",
          "-Xclang",
          "-target-feature",
          "-Xclang",
          "+ptx75",
          "-S"};
}

/// clang drops a kernel that nothing outside of its file can name, before it knows that the host launches it. So unnamed namespaces
/// get a name, and `static` goes from kernels. Lines stay as they are.
std::string with_names(const std::string& source, const std::string& called) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::string text = fmt::format("# 1 \"{}\"\n", replace_all(called, "\"", "\\\""));
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_unnamed = tokens.is(i, "namespace") && tokens.is(i + 1, "{");
    const bool is_static = tokens.is(i, "static") && (tokens.is(i + 1, "__global__") ||
                                                      (i > 0 && tokens.is(i - 1, "__global__")));
    if (!is_unnamed && !is_static) continue;
    text += source.substr(done, tokens[i].begin - done);
    if (is_unnamed) text += "inline namespace labkit_unnamed";
    done = tokens[i].end();
  }
  return text + source.substr(done);
}

}  // namespace labkit::program
