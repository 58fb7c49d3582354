#include "compile/headers.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "compile/source.h"
#include "compile/tokens.h"

namespace labkit::compile {
namespace {

namespace fs = std::filesystem;

/// The toolkit's headers with something for device code, also where there is no toolkit to look in.
constexpr const char* kToolkit[] = {
    "cuComplex.h",     "cooperative_groups.h", "curand.h", "curand_kernel.h",
    "library_types.h", "math_constants.h",     "mma.h",    "nv/target"};
constexpr const char* kToolkitFamilies[] = {"cooperative_groups/", "cub/",       "cuda/",
                                            "cuda_awbarrier",      "cuda_bf16.", "cuda_fp",
                                            "cuda_pipeline",       "curand_",    "thrust/"};

bool is_toolkits(const std::string& name) {
  return std::ranges::count(kToolkit, name) != 0 ||
         std::ranges::any_of(kToolkitFamilies,
                             [&](const char* family) { return name.starts_with(family); });
}

/// A name for <cstdint> that no folder of a toolkit has.
constexpr const char* kOwnIntegers = "labkit_integers.h";

/// A header of the host, as far as device code uses it.
struct OwnHeader {
  std::vector<const char*> names;  ///< <cstdint>, <stdint.h>: one text, both spellings
  const char* text;
};
const std::vector<OwnHeader>& own_headers() {
  static const std::vector<OwnHeader> headers = {
#include "compile/own_headers.def"
  };
  return headers;
}

/// CUDA's, as clang reads them.
const std::vector<OwnHeader>& clang_headers() {
  static const std::vector<OwnHeader> headers = {
#include "compile/clang/headers.def"
  };
  return headers;
}

/// For NVRTC without a toolkit, where ours will do: the asynchronous copies of a lab. "" for every other name.
std::string in_place_of_toolkit(const std::string& name) {
  if (name != "cuda_pipeline.h" && name != "cuda_pipeline_primitives.h") return {};
  for (const OwnHeader& own : clang_headers())
    if (std::ranges::count(own.names, std::string_view("cuda_pipeline.h")) != 0)
      return std::string("#define __LABKIT_FN static __device__ __forceinline__\n") + own.text +
             "\n#undef __LABKIT_FN\n";
  return {};
}

/// Headers that a header includes by a macro's name, where no reading of its text finds them.
constexpr struct {
  std::string_view header, included;
} kByMacro[] = {
    {"thrust/iterator/detail/host_system_tag.h", "thrust/system/cpp/detail/execution_policy.h"},
    {"thrust/iterator/detail/device_system_tag.h", "thrust/system/cuda/detail/execution_policy.h"}};

/// A bound on what one source can make the grader read.
constexpr std::size_t kMaxToolkitBytes = 64u << 20;

bool lies_under(const fs::path& root, const fs::path& path) {
  return std::ranges::mismatch(root, path).in1 == root.end();
}

/// The files of a toolkit. The system is asked once for each folder and file: the thousand headers of libcu++ name each
/// other ten thousand times.
class Toolkit {
 public:
  explicit Toolkit(const std::string& include) {
    if (include.empty()) return;
    std::error_code problem;
    for (const fs::path& root : {fs::path(include), fs::path(include) / "cccl"}) {
      const fs::path real = fs::canonical(root, problem);
      if (!problem) roots_.push_back(real);
    }
  }
  const std::vector<fs::path>& roots() const { return roots_; }

  /// The file that `name` means for `includer` (a toolkit file, or empty for the student's), only if
  /// it lies under a root.
  fs::path locate(const std::string& name, const fs::path& includer) {
    if (!includer.empty())
      if (fs::path real = regular_file(includer.parent_path(), name); is_ours(real)) return real;
    for (const fs::path& root : roots_)
      if (fs::path real = regular_file(root, name); is_ours(real)) return real;
    return {};
  }

  /// Its real path; empty if there is none.
  fs::path regular_file(const fs::path& folder, const std::string& name) {
    const fs::path path = folder / name;
    const auto [found, is_new] = files_.try_emplace(path.string());
    if (!is_new) return found->second;
    const fs::path& real_folder = real(path.parent_path());
    if (real_folder.empty()) return {};
    std::error_code problem;
    fs::path file = real_folder / path.filename();
    if (fs::is_symlink(file, problem)) file = fs::canonical(file, problem);
    if (!problem && fs::is_regular_file(file, problem)) found->second = std::move(file);
    return found->second;
  }

 private:
  bool is_ours(const fs::path& file) const {
    return !file.empty() && std::ranges::any_of(roots_, [&](const fs::path& root) {
      return lies_under(root, file);
    });
  }
  const fs::path& real(const fs::path& folder) {
    const auto [found, is_new] = folders_.try_emplace(folder.string());
    std::error_code problem;
    if (is_new) found->second = fs::canonical(folder, problem);
    return found->second;
  }

  std::vector<fs::path> roots_;
  std::map<std::string, fs::path> files_, folders_;
};

struct Header {
  std::string text;
  std::vector<std::string> includes;
};

/// In a toolkit's header, the names of files that lie in its own folder become whole paths. The compiler knows headers by
/// their names alone: libcu++ of CUDA 11 and 12 has an `atomic` and a `ratio` of its own, which it calls so from their
/// folder, and would get the empty ones that a student's file means.
Header with_whole_names(std::string text, const fs::path& path, Toolkit& toolkit) {
  std::vector<std::string> includes = includes_of(text);
  const auto root = std::find_if(toolkit.roots().rbegin(), toolkit.roots().rend(),
                                 [&](const fs::path& one) { return lies_under(one, path); });
  if (root == toolkit.roots().rend() || path.parent_path() == *root)
    return {std::move(text), std::move(includes)};
  std::string changed;
  std::size_t from = 0;
  for (std::string& name : includes) {
    const fs::path beside = toolkit.regular_file(path.parent_path(), name);
    if (beside.empty() || toolkit.locate(name, path) != beside) continue;
    // In the text the name stands behind its bracket, in the order in which they were found.
    const std::size_t at =
        std::min(text.find('<' + name + '>', from), text.find('"' + name + '"', from));
    if (at == std::string::npos) continue;
    std::string whole = beside.lexically_relative(*root).generic_string();
    changed += text.substr(from, at + 1 - from) + whole;
    from = at + 1 + name.size();
    name = std::move(whole);
  }
  return {changed + text.substr(from), std::move(includes)};
}

}  // namespace

HeaderSet headers_for(const std::vector<std::string>& included,
                      const std::string& toolkit_include) {
  HeaderSet set;
  for (const OwnHeader& own : own_headers())
    for (const char* name : own.names) set.texts[name] = own.text;

  Toolkit toolkit(toolkit_include);
  const std::vector<fs::path>& roots = toolkit.roots();
  // /usr/include is the distribution's CUDA directory and everybody else's: only CUDA's own
  // names are taken from it.
  const bool shared_directory = !roots.empty() && roots.front() == "/usr/include";

  std::deque<std::pair<std::string, fs::path>> wanted;
  for (const std::string& name : included) {
    if (set.texts.contains(name)) continue;
    if (roots.empty())
      if (std::string own = in_place_of_toolkit(name); !own.empty()) {
        set.texts[name] = std::move(own);
        continue;
      }
    const bool known = is_toolkits(name);
    if (roots.empty() && known) set.missing_toolkit.push_back(name);
    if (!shared_directory || known) wanted.emplace_back(name, fs::path());
  }
  std::size_t bytes = 0;
  while (!wanted.empty() && bytes < kMaxToolkitBytes) {
    const auto [name, includer] = wanted.front();
    wanted.pop_front();
    if (set.texts.contains(name)) continue;
    const fs::path path = toolkit.locate(name, includer);
    if (path.empty()) continue;
    Header header = with_whole_names(read_file(path, kMaxToolkitBytes), path, toolkit);
    std::string text = with_own_definitions(header.text);
    bytes += text.size();
    for (std::string& next : header.includes) wanted.emplace_back(std::move(next), path);
    for (const auto& [includes, macro] : kByMacro)
      if (name == includes) wanted.emplace_back(macro, path);
    set.texts[name] = std::move(text);
  }
  return set;
}

HeaderSet headers_for_clang() {
  HeaderSet set;
  for (const std::vector<OwnHeader>& all : {own_headers(), clang_headers()})
    for (const OwnHeader& own : all)
      for (const char* name : own.names) set.texts[name] = own.text;
  return set;
}

namespace {

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

/// The word that `text` begins with, behind blanks; `text` becomes what follows it.
std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const auto end = std::ranges::find_if_not(text, is_word_character);
  const std::string_view word(text.begin(), end);
  text.remove_prefix(word.size());
  return word;
}

/// "" if the line defines no macro.
std::string_view defined_macro(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  return take_word(line) == "define" ? take_word(line) : std::string_view{};
}

bool is_own_macro(std::string_view macro) {
  static const std::set<std::string_view> macros = [] {
    std::set<std::string_view> all;
    for (const OwnHeader& own : own_headers())
      for (const std::string_view line : split_lines(own.text)) all.insert(defined_macro(line));
    all.erase("");
    return all;
  }();
  return macros.contains(macro);
}

/// As in int_fast16_t, uint64_t, uintptr_t.
bool is_integer_type(std::string_view word) {
  if (word.starts_with('u')) word.remove_prefix(1);
  if (!word.starts_with("int") || !word.ends_with("_t")) return false;
  word = word.substr(3, word.size() - 5);
  for (const std::string_view kind : {"_least", "_fast"})
    if (word.starts_with(kind)) word.remove_prefix(kind.size());
  constexpr std::string_view kWidths[] = {"8", "16", "32", "64", "ptr", "max"};
  return std::ranges::count(kWidths, word) != 0;
}

/// `typedef unsigned long long uint64_t;`, `using uint64_t = unsigned long long;`
bool defines_integer_type(std::string_view line) {
  std::string_view rest = line;
  const std::string_view keyword = take_word(rest);
  if (keyword == "using")
    return is_integer_type(take_word(rest)) && without_blanks(rest).starts_with('=');
  // int_fast16_t and others, in CUDA 11 and 12
  if (keyword == "_LIBCUDACXX_ADDITIONAL_INTS") return true;
  const std::size_t end = line.find(';');
  if (keyword != "typedef" || end == std::string_view::npos) return false;
  const std::string_view declared = line.substr(0, end);
  const std::size_t name = declared.find_last_of(" \t*&>:") + 1;
  return is_integer_type(declared.substr(name)) && declared.find('<') == std::string_view::npos;
}

}  // namespace

std::string with_own_definitions(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    const std::string_view macro = defined_macro(line);
    const std::size_t last = line.find_last_not_of("\r\n");
    if (is_own_macro(macro) && line[last] != '\\')
      result += "#ifndef " + std::string(macro) + "\n" + std::string(line.substr(0, last + 1)) +
                "\n#endif\n";
    else if (defines_integer_type(line))
      result += std::string("#include <") + kOwnIntegers + ">\n";
    else
      result += line;
  }
  return result;
}

}  // namespace labkit::compile
