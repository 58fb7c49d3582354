// What compile/clang/run.cpp and the library that clang is started with (preload.cpp) say to each other.
//
// The archive: "MEMORY STRICT CLOCK\n" (bytes, 0 or 1, seconds since 1970), and for each text
// "name\tname\nSIZE\n" and its bytes.
#pragma once

namespace labkit::compile {

inline constexpr struct {
  const char* folder = "/labkit/";  ///< where headers lie, as clang sees it
  int descriptor = 4;               ///< process::kFirstKept
  /// What stands first on stderr: this, the Landlock ABI, whether seccomp holds, and what is missing.
  const char* jailed = "labkit-jail: ";
  const char* unusable = "labkit-no-jail: ";
  int no_jail = 97;  ///< exit code: nothing was compiled
} kArchive;

}  // namespace labkit::compile
