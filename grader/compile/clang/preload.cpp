// labkit-clang-jail.so: goes into the jail inside clang's own process, once the loader has everything in memory and before clang
// itself runs (LD_PRELOAD). So the jail is the one that NVRTC gets: no file can be opened, by whatever name a source calls it.
//
// What clang may read lies in one file in memory, which compile/clang/run.cpp writes (see ClangJob there) and which is the
// descriptor process::kFirstKept: the source, and the headers that an #include can find. The functions below, which the loader
// finds before the C library's (`nm -D` of libLLVM and libclang-cpp says which they call), answer from it: a file that is not in
// it does not exist. Descriptors of these files are only numbers, so not one more call to the system is needed.
//
// The source comes by this way, too: where the loader does not take this library there is nothing to compile.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "compile/clang/archive.h"
#include "process/jail.h"

namespace {

using labkit::compile::kArchive;

struct File {
  std::string_view text;
  std::size_t number = 0;  ///< the same for all names of one text
  std::size_t at = 0;      ///< for read()
};

bool is_jailed = false;
std::time_t now = 0;
std::map<std::string, File, std::less<>>* files = nullptr;

constexpr int kFirstNumber = 1 << 20;  ///< no descriptor is as high

/// The path as the archive has names: without the current folder, and without that of headers.
std::string_view name_of(const char* path) {
  std::string_view name = path;
  while (name.starts_with("./")) name.remove_prefix(2);
  while (name.starts_with("/")) name.remove_prefix(1);
  const std::string_view folder = std::string_view(kArchive.folder).substr(1);
  return name.starts_with(folder) ? name.substr(folder.size()) : name;
}

File* find(const char* path) {
  const auto found = files->find(name_of(path));
  return found == files->end() ? nullptr : &found->second;
}

/// Is there a file below it?
bool is_folder(const char* path) {
  std::string folder(name_of(path));
  if (folder.empty() || folder == "." || std::string("/") + folder + "/" == kArchive.folder)
    return true;
  if (!folder.ends_with('/')) folder += '/';
  const auto next = files->lower_bound(folder);
  return next != files->end() && next->first.starts_with(folder);
}

File* find(int descriptor) {
  if (files == nullptr || descriptor < kFirstNumber) return nullptr;
  for (auto& [name, file] : *files)
    if (file.number == static_cast<std::size_t>(descriptor - kFirstNumber)) return &file;
  return nullptr;
}

int is_not_there() {
  errno = ENOENT;
  return -1;
}

int describe(const File& file, struct stat* out) {
  *out = {};
  out->st_dev = 1;
  out->st_ino = 1 + file.number;
  out->st_nlink = 1;
  out->st_mode = S_IFREG | 0444;
  out->st_size = static_cast<off_t>(file.text.size());
  out->st_blksize = 4096;
  out->st_mtim.tv_sec = now;
  return 0;
}

int describe_path(const char* path, struct stat* out) {
  if (!is_jailed) return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, out, 0));
  if (const File* file = find(path)) return describe(*file, out);
  if (!is_folder(path)) return is_not_there();
  *out = {};
  out->st_dev = 1;
  out->st_ino = (1u << 20) + std::hash<std::string_view>{}(name_of(path));
  out->st_mode = S_IFDIR | 0555;
  return 0;
}

int open_path(const char* path, int flags) {
  if (!is_jailed) return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, 0));
  File* file = find(path);
  if (file == nullptr || (flags & O_ACCMODE) != O_RDONLY) return is_not_there();
  file->at = 0;
  return kFirstNumber + static_cast<int>(file->number);
}

ssize_t copy_from(const File& file, void* to, std::size_t size, std::size_t at) {
  const std::string_view rest = file.text.substr(std::min(at, file.text.size()));
  size = std::min(size, rest.size());
  std::memcpy(to, rest.data(), size);
  return static_cast<ssize_t>(size);
}

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "%s%s\n", kArchive.unusable, why);
  std::fflush(stderr);
  ::_exit(kArchive.no_jail);
}

/// Reads the archive's head, and what it says of the files behind it.
void read_archive(labkit::process::Jail& jail, bool& is_strict) {
  struct stat about {};
  if (::syscall(SYS_fstat, kArchive.descriptor, &about) != 0) give_up("no archive");
  const auto size = static_cast<std::size_t>(about.st_size);
  void* const mapped = reinterpret_cast<void*>(
      ::syscall(SYS_mmap, nullptr, size, PROT_READ, MAP_PRIVATE, kArchive.descriptor, 0));
  if (mapped == MAP_FAILED) give_up("the archive cannot be mapped");
  std::string_view rest(static_cast<const char*>(mapped), size);
  const auto next = [&rest](char end) {
    const std::string_view word = rest.substr(0, rest.find(end));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    return word;
  };
  const auto number = [&next](char end) {
    return std::strtoull(std::string(next(end)).c_str(), nullptr, 10);
  };
  jail.more_memory_bytes = number(' ');
  is_strict = number(' ') != 0;
  now = static_cast<std::time_t>(number('\n'));
  // Names that share a text stand before its size, each with its end.
  for (std::size_t count = 0; !rest.empty(); ++count) {
    const std::string names(next('\n'));
    const std::size_t bytes = number('\n');
    File file{.text = rest.substr(0, bytes), .number = count};
    rest.remove_prefix(std::min(rest.size(), bytes));
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find('\t', at), names.size());
      (*files)[names.substr(at, end - at)] = file;
      at = end + 1;
    }
  }
}

/// After the loader's work, before main().
[[gnu::constructor]] void enter() {
  ::unsetenv("LD_PRELOAD");
  files = new std::map<std::string, File, std::less<>>;
  labkit::process::Jail jail;
  bool is_strict = false;
  read_archive(jail, is_strict);
  try {
    const labkit::process::JailState state = labkit::process::enter_jail(jail);
    is_jailed = true;
    std::fprintf(stderr, "%s%d %d %s\n", kArchive.jailed, state.landlock_abi, state.seccomp ? 1 : 0,
                 state.problem.c_str());
    std::fflush(stderr);
    if (is_strict && !state.whole()) ::_exit(kArchive.no_jail);
  } catch (const std::exception& problem) {
    give_up(problem.what());
  }
}

}  // namespace

#define LABKIT_SHOWN extern "C" [[gnu::visibility("default")]]

LABKIT_SHOWN int open(const char* path, int flags, ...) { return open_path(path, flags); }
LABKIT_SHOWN int open64(const char* path, int flags, ...) { return open_path(path, flags); }
LABKIT_SHOWN int stat(const char* path, struct stat* out) noexcept {
  return describe_path(path, out);
}
LABKIT_SHOWN int lstat(const char* path, struct stat* out) noexcept {
  return describe_path(path, out);
}
LABKIT_SHOWN int fstat(int descriptor, struct stat* out) noexcept {
  if (const File* file = find(descriptor)) return describe(*file, out);
  return static_cast<int>(::syscall(SYS_fstat, descriptor, out));
}
// The same structure where the kit runs (64-bit).
LABKIT_SHOWN int stat64(const char* path, struct stat64* out) noexcept {
  return describe_path(path, reinterpret_cast<struct stat*>(out));
}
LABKIT_SHOWN int lstat64(const char* path, struct stat64* out) noexcept {
  return describe_path(path, reinterpret_cast<struct stat*>(out));
}
LABKIT_SHOWN int fstat64(int descriptor, struct stat64* out) noexcept {
  return fstat(descriptor, reinterpret_cast<struct stat*>(out));
}
LABKIT_SHOWN ssize_t read(int descriptor, void* to, std::size_t size) {
  File* file = find(descriptor);
  if (file == nullptr) return ::syscall(SYS_read, descriptor, to, size);
  const ssize_t got = copy_from(*file, to, size, file->at);
  file->at += static_cast<std::size_t>(got);
  return got;
}
LABKIT_SHOWN ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
  const File* file = find(descriptor);
  if (file == nullptr) return ::syscall(SYS_pread64, descriptor, to, size, at);
  return copy_from(*file, to, size, static_cast<std::size_t>(at));
}
LABKIT_SHOWN ssize_t pread64(int descriptor, void* to, std::size_t size, off64_t at) {
  return pread(descriptor, to, size, at);
}
LABKIT_SHOWN int close(int descriptor) {
  return find(descriptor) != nullptr ? 0 : static_cast<int>(::syscall(SYS_close, descriptor));
}
/// A file that cannot be mapped is read.
LABKIT_SHOWN void* mmap(void* at, std::size_t size, int protection, int flags, int descriptor,
                        off_t offset) noexcept {
  if (find(descriptor) != nullptr) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}
LABKIT_SHOWN int access(const char*, int) noexcept { return is_not_there(); }
LABKIT_SHOWN ssize_t readlink(const char*, char*, std::size_t) noexcept { return is_not_there(); }
LABKIT_SHOWN char* realpath(const char*, char*) noexcept {
  is_not_there();
  return nullptr;
}
LABKIT_SHOWN char* getcwd(char* to, std::size_t size) noexcept {
  if (to == nullptr) return ::strdup("/");
  if (size < 2) {
    errno = ERANGE;
    return nullptr;
  }
  return std::strcpy(to, "/");
}
/// Signals end the process as they are: clang's own handlers would look for files and start programs.
LABKIT_SHOWN int sigaction(int signal, const struct sigaction* to, struct sigaction* old) noexcept {
  using Function = int (*)(int, const struct sigaction*, struct sigaction*);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "sigaction"));
  if (!is_jailed) return real(signal, to, old);
  if (old != nullptr) *old = {};
  return 0;
}
/// A limit that a source's nesting can meet: clang then says so and ends.
LABKIT_SHOWN int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*),
                                void*) noexcept {
  return EAGAIN;
}
LABKIT_SHOWN time_t time(time_t* out) noexcept {
  if (out != nullptr) *out = now;
  return now;
}
LABKIT_SHOWN int gettimeofday(timeval* out, void*) noexcept {
  *out = {.tv_sec = now, .tv_usec = 0};
  return 0;
}
LABKIT_SHOWN int clock_gettime(clockid_t which, timespec* out) noexcept {
  // Those that only measure how long something takes go on.
  if (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)
    return static_cast<int>(::syscall(SYS_clock_gettime, which, out));
  *out = {.tv_sec = now, .tv_nsec = 0};
  return 0;
}
