// The kernels that measure_limits.cpp is given, compiled.
#pragma once

#include <cuda.h>
#include <nvrtc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

[[noreturn]] inline void die(const std::string& what) {
  std::fprintf(stderr, "measure_limits: %s\n", what.c_str());
  std::exit(3);
}

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) die("cannot read " + path + " (run in the project's root)");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A source compiled for the H200's own architecture: its machine code and the mangled names.
struct Compiled {
  std::string image;
  std::map<std::string, std::string> names;  // expression -> mangled
};

inline Compiled compile(const std::string& source, const std::string& name,
                        const std::vector<std::string>& expressions,
                        const std::vector<std::string>& defines) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) !=
      NVRTC_SUCCESS)
    die(name);
  for (const auto& e : expressions) nvrtcAddNameExpression(program, e.c_str());
  std::vector<const char*> options{"--gpu-architecture=sm_90", "-lineinfo", "-std=c++17"};
  for (const auto& define : defines) options.push_back(define.c_str());
  if (nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()) !=
      NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    nvrtcGetProgramLog(program, log.data());
    die(name + ": " + log);
  }
  Compiled done;
  for (const auto& e : expressions) {
    const char* mangled = nullptr;
    if (nvrtcGetLoweredName(program, e.c_str(), &mangled) != NVRTC_SUCCESS) die(name + ": no " + e);
    done.names[e] = mangled;
  }
  std::size_t size = 0;
  nvrtcGetCUBINSize(program, &size);
  done.image.resize(size);
  nvrtcGetCUBIN(program, done.image.data());
  nvrtcDestroyProgram(&program);
  return done;
}

struct Candidate {
  std::string kernel, file;
  std::vector<std::string> defines;
  Compiled compiled;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  bool aligned_only = false, wrong = false;
  std::string label() const {
    std::string text = file;
    for (const auto& define : defines) text += " " + define;
    return text;
  }
};

/// Candidates are compiled in processes of their own, as many as there are processors.
inline void compile_all(std::vector<Candidate>& candidates) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("limits" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto at = [&](std::size_t i) { return (folder / std::to_string(i)).string(); };
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<pid_t> children;
  for (std::size_t w = 0; w < workers; ++w) {
    const pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
      for (std::size_t i = w; i < candidates.size(); i += workers) {
        const Candidate& c = candidates[i];
        const Compiled done = compile(read_text(c.file), c.label(), {c.kernel}, c.defines);
        std::ofstream(at(i) + ".name") << done.names.at(c.kernel);
        std::ofstream(at(i) + ".cubin", std::ios::binary) << done.image;
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) die("a candidate did not compile");
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].compiled.image = read_text(at(i) + ".cubin");
    candidates[i].compiled.names[candidates[i].kernel] = read_text(at(i) + ".name");
  }
  std::filesystem::remove_all(folder);
}

inline std::vector<Candidate> parse(const std::string& list) {
  std::vector<Candidate> candidates;
  std::stringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::stringstream words(line);
    Candidate c;
    if (!(words >> c.kernel >> c.file) || c.kernel[0] == '#') continue;
    for (std::string word; words >> word;)
      if (word == "aligned")
        c.aligned_only = true;
      else
        c.defines.push_back(word);
    candidates.push_back(c);
  }
  return candidates;
}
