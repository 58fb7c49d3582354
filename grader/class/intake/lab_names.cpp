#include "class/intake/lab_names.h"

#include <algorithm>
#include <regex>

#include "base/text.h"
#include "compile/outline.h"

namespace labkit::course {

namespace {

bool is_separator(char c) { return std::string_view(" _-.#+()").find(c) != std::string_view::npos; }

struct Word {
  std::string text;
  std::size_t begin, end;  ///< in the name
};

/// In small letters, numbers without zeros before them: "LAB_03-CornerTurning" is lab, 3, corner, turning.
std::vector<Word> words_of(std::string_view name) {
  const auto kind = [&](std::size_t i) {
    if (is_digit(name[i])) return 1;
    return is_letter(name[i]) ? 2 : static_cast<unsigned char>(name[i]) >= 0x80 ? 3 : 0;
  };
  const auto is_small = [&](std::size_t i) { return to_lower(name[i]) == name[i]; };
  std::vector<Word> words;
  for (std::size_t begin = 0, end = 0; begin < name.size(); begin = end) {
    for (end = begin + 1; end < name.size() && kind(end) == kind(begin); ++end)
      if (kind(end) == 2 && is_small(end - 1) && !is_small(end)) break;
    std::string text = to_lower(name.substr(begin, end - begin));
    if (kind(begin) == 1) text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    if (kind(begin) != 0) words.push_back({std::move(text), begin, end});
  }
  return words;
}

std::string run_of(std::string_view name) {
  std::string run;
  for (const Word& word : words_of(name)) run += word.text;
  return run;
}

/// Words of no student's name.
bool is_noise(std::string_view word) {
  static constexpr std::string_view kNoise[] = {
      "submission", "submissions", "submitted", "handin",   "final", "kernel", "kernels",
      "solution",   "copy",        "new",       "updated",  "cuda",  "cu",     "assignment",
      "homework",   "export",      "attempt",   "download", "lab",   "labs",   "the"};
  if (std::ranges::find(kNoise, word) != std::end(kNoise)) return true;
  if (word.starts_with('v') && word.size() > 1) word.remove_prefix(1);
  return word.size() <= 2 && std::ranges::all_of(word, is_digit);
}

}  // namespace

LabNames::LabNames(const std::vector<grade::Manifest>& labs) {
  for (const grade::Manifest& manifest : labs) {
    Lab lab{.id = manifest.id, .topics = {run_of(manifest.title)}};
    if (const std::size_t topic = manifest.folder.find('_'); topic != std::string::npos)
      lab.topics.insert(run_of(manifest.folder.substr(topic)));
    lab.topics.erase("");
    for (const grade::Kernel& kernel : manifest.kernels) lab.kernels.push_back(kernel.name);
    labs_.push_back(std::move(lab));
  }
}

std::vector<LabNames::Mention> LabNames::mentions(std::string_view name) const {
  constexpr std::size_t kLongest = 100;  // of a topic
  const auto is_number = [](const Word& word) { return is_digit(word.text.front()); };
  const std::vector<Word> words = words_of(name);
  std::vector<Mention> all;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string run;
    for (std::size_t last = first; last < words.size() && run.size() < kLongest; ++last) {
      if (last > first && is_number(words[last]) && is_number(words[last - 1])) break;  // "lab1-2"
      run += words[last].text;
      for (const Lab& lab : labs_)
        if (run == lab.id || lab.topics.contains(run))
          all.push_back({words[first].begin, words[last].end, &lab, run == lab.id});
    }
  }
  return all;
}

std::vector<std::string> LabNames::labs_of(std::string_view name) const {
  // "lab2-3" may be both, and the third copy of one
  static const std::regex range(R"(labs?[ _-]*(\d{1,2})[ _]*(?:-|to)[ _]*(\d{1,2})(?![-a-z\d]))",
                                std::regex::icase);
  std::cmatch ends;
  if (std::regex_search(name.begin(), name.begin() + std::min<std::size_t>(name.size(), 255), ends,
                        range) &&
      std::stoi(ends[1]) < std::stoi(ends[2]))
    return {};
  return all_named(name);
}

std::vector<std::string> LabNames::all_named(std::string_view given) const {
  // "Labs 3 and 4" is "lab 3 lab 4"
  static const std::regex list(
      R"(labs?([ _-]*\d{1,2})[ _]*(?:and|und|et|y|&|\+|,)[ _]*(\d{1,2})(?!\d))", std::regex::icase);
  std::string name(given.substr(0, 255));
  for (std::string before; before != name;) {
    before = name;
    name = std::regex_replace(name, list, "lab$1 lab$2");
  }
  const std::vector<Mention> all = mentions(name);
  std::vector<std::string> named;
  const bool any_by_id = std::ranges::any_of(all, &Mention::by_id);
  for (const Lab& lab : labs_)
    if (std::ranges::any_of(all, [&](const Mention& mention) {
          return mention.by_id == any_by_id && mention.lab == &lab;
        }))
      named.push_back(lab.id);
  return named;
}

std::string LabNames::lab_of(std::string_view name) const {
  const std::vector<std::string> named = all_named(name);
  return named.size() == 1 ? named.front() : std::string();
}

std::string LabNames::without_lab(std::string_view name) const {
  std::string left(name);
  for (const Mention& mention : mentions(name))
    std::ranges::fill(left.begin() + static_cast<std::ptrdiff_t>(mention.begin),
                      left.begin() + static_cast<std::ptrdiff_t>(mention.end), ' ');
  if (left == name) return is_noise(left) ? std::string() : left;
  // What is no noise stays as it was written: from the first such word to the last.
  std::size_t first = std::string::npos, end = 0;
  for (std::size_t begin = 0, at = 0; at <= left.size(); ++at) {
    if (at < left.size() && !is_separator(left[at])) continue;
    if (at > begin && !is_noise(to_lower(std::string_view(left).substr(begin, at - begin)))) {
      first = std::min(first, begin);
      end = at;
    }
    begin = at + 1;
  }
  return end == 0 ? std::string() : left.substr(first, end - first);
}

std::vector<LabNames::Kernels> LabNames::kernels_in(std::string_view source) const {
  const compile::SourceOutline outline(source);
  std::vector<Kernels> all;
  for (const Lab& lab : labs_) {
    Kernels kernels{.lab = lab.id};
    for (const std::string& name : lab.kernels) {
      const compile::KernelSource kernel = outline.kernel(name);
      kernels.count += kernel.found;
      kernels.touched |= kernel.found && !kernel.untouched;
    }
    if (kernels.count > 0) all.push_back(std::move(kernels));
  }
  return all;
}

std::string lab_of_most(const std::vector<LabNames::Kernels>& kernels) {
  const auto best = std::ranges::max_element(kernels, {}, &LabNames::Kernels::count);
  return best != kernels.end() &&
                 std::ranges::count(kernels, best->count, &LabNames::Kernels::count) == 1
             ? best->lab
             : std::string();
}

}  // namespace labkit::course
