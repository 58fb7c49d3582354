// Students' ids as names of files, for any disk that the folder may be copied to.
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "class/intake/names.h"
#include "class/publish/publish.h"

namespace labkit::course {
namespace {

constexpr std::size_t kMaxBytes = 100;  // of 255, with room for endings

/// What a disk that ignores case and normal forms sees (those of macOS and Windows do).
std::string as_disks_see(const std::string& id) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFKCCasefoldInstance(code);
  if (U_FAILURE(code)) throw Error("ICU's data for folding case is not there", "Reinstall libicu.");
  const icu::UnicodeString folded = form->normalize(icu::UnicodeString::fromUTF8(id), code);
  std::string text;
  return U_SUCCESS(code) ? folded.toUTF8String(text) : id;
}

/// Windows keeps these for devices, whatever follows a dot.
bool is_reserved(const std::string& seen) {
  static const std::set<std::string> devices = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  const std::string stem = seen.substr(0, seen.find('.'));
  if (devices.contains(stem)) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem[3] >= '0' && stem[3] <= '9';
}

/// Letters, marks and digits of any script, '-', '_' and '.' inside; the rest becomes '-'.
std::string plain(const std::string& id) {
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(clean_name(id));
  icu::UnicodeString kept;
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool mark = (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
    kept.append(u_isalnum(c) || mark || c == '-' || c == '_' || c == '.' ? c : UChar32{'-'});
  }
  std::string name;
  kept.toUTF8String(name);
  return cut_utf8(std::move(name), kMaxBytes);
}

}  // namespace

std::map<std::string, std::string> file_names(const std::vector<std::string>& ids) {
  std::map<std::string, std::set<std::string>> alike;
  for (const std::string& id : ids) alike[as_disks_see(plain(id))].insert(id);
  std::map<std::string, std::string> names;
  for (const std::string& id : ids) {
    const std::string name = plain(id), seen = as_disks_see(name);
    const bool dots = name.empty() || name.front() == '.' || name.back() == '.';
    if (name == id && alike[seen].size() == 1 && !dots && !is_reserved(seen)) {
      names[id] = name;
      continue;
    }
    const std::size_t first = name.find_first_not_of('.');
    names[id] = (first == std::string::npos ? "x" : name.substr(first)) + "-" +
                sha256_hex(id).substr(0, 12);
  }
  return names;
}

std::string file_name_of(const std::string& id, const std::vector<std::string>& ids) {
  std::vector<std::string> all = ids;
  all.push_back(id);
  return file_names(all).at(id);
}

}  // namespace labkit::course
