#include "class/intake/find_student.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "base/text.h"
#include "class/intake/names.h"
#include "report/style.h"

namespace labkit::course {
namespace {

constexpr std::size_t kMostListed = 8;
constexpr std::size_t kInside = 3;  // bytes that a part of a word must have to be told by

std::string told(const Student& student) {
  std::string text = student.id;
  if (student.name != student.id && !student.name.empty())
    text += fmt::format(" ({})", student.name);
  const auto email = student.keys.find("email");
  if (email != student.keys.end() && !email->second.empty()) text += " " + email->second;
  return text;
}

std::string listed(const std::vector<const Student*>& students) {
  std::string text;
  for (std::size_t i = 0; i < std::min(students.size(), kMostListed); ++i)
    text += "\n  " + told(*students[i]);
  if (students.size() > kMostListed)
    text += fmt::format("\n  and {} more", students.size() - kMostListed);
  return report::printable(text);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  const std::string folded = fold_words(text);
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t end = std::min(folded.find(' ', at), folded.size());
    words.push_back(folded.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool has_key(const Student& student, const std::string& named) {
  return std::any_of(student.keys.begin(), student.keys.end(), [&](const auto& key) {
    return !key.second.empty() && key.first != "folder" &&
           fold_name(key.second) == fold_name(named) && key.second.size() == named.size();
  });
}

bool has_words(const Student& student, const std::vector<std::string>& words) {
  const std::vector<std::string> all = words_of(student.name + " " + student.id);
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(all.begin(), all.end(), word) != all.end();
  });
}

/// How many bytes must be changed, put in or left out (Levenshtein), the last row at a time.
std::size_t apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, corner + (a[i] == b[j] ? 0 : 1)});
      corner = above;
    }
  }
  return row.back();
}

/// Some word of theirs is near some word of the teacher's, or has it inside: Canvas writes names
/// without blanks. Listed only, because Ana is inside of Mariana too.
bool comes_near(const Student& student, const std::vector<std::string>& words) {
  std::vector<std::string> all = words_of(student.name + " " + student.id);
  for (const auto& [key, value] : student.keys) all.push_back(fold_name(value));
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& theirs) {
      return theirs.starts_with(word) ||
             (word.size() >= kInside && theirs.find(word) != std::string::npos) ||
             apart(word, theirs) <= word.size() / 3;
    });
  });
}

}  // namespace

const Student& find_student(const std::vector<Student>& students, std::string_view named_raw) {
  const std::string named = clean_name(to_valid_utf8(named_raw)).substr(0, 200);
  const auto all_that = [&](const std::function<bool(const Student&)>& fits) {
    std::vector<const Student*> some;
    for (const Student& student : students)
      if (fits(student)) some.push_back(&student);
    return some;
  };
  const std::vector<std::string> words = words_of(named);
  const std::string folded = fold_words(named);
  const std::vector<std::function<bool(const Student&)>> ways = {
      [&](const Student& s) { return s.id == named; },
      [&](const Student& s) { return has_key(s, named); },
      [&](const Student& s) {
        return !folded.empty() &&
               (fold_words(s.name) == folded || fold_name(s.name) == fold_name(named));
      },
      [&](const Student& s) { return has_words(s, words); }};
  for (const auto& way : ways) {
    const auto found = all_that(way);
    if (found.size() == 1) return *found.front();
    if (found.size() > 1)
      throw std::invalid_argument(fmt::format("\"{}\" may be any of these; name one by its id:{}",
                                              report::printable(named), listed(found)));
  }
  const auto near = all_that([&](const Student& s) { return comes_near(s, words); });
  throw std::invalid_argument(
      fmt::format("there is no student \"{}\"{}", report::printable(named),
                  near.empty() ? "; grades.csv lists all" : "; near it:" + listed(near)));
}

}  // namespace labkit::course
