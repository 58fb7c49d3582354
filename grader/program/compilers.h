// nvcc and clang as they are called for whole programs. Private to program/.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "program/run.h"

namespace labkit::program {

template <typename T>
void add(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// In the folders of PATH, and in those that follow; "" if it is nowhere.
std::string find_program(const std::string& name, const std::vector<std::string>& more = {});
/// In PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda; "" if it is nowhere.
std::string find_nvcc();
/// Where the runtime lies, with the headers that clang reads.
std::filesystem::path runtime_folder();

/// Folders, macros and options that were asked for.
std::vector<std::string> asked_for(const BuildOptions& options);
/// The language's version, and these.
std::vector<std::string> nvcc_words(const BuildOptions& options);
std::vector<std::string> clang_words(const BuildOptions& options);
/// PTX of the device code alone.
std::vector<std::string> clang_device_words();

/// For clang, which drops a kernel that nothing outside of its file can name, before it knows that the host launches it: unnamed
/// namespaces get a name, and `static` goes from kernels. Lines stay as they are; messages call the file `called`.
std::string with_names(const std::string& source, const std::string& called);

}  // namespace labkit::program
