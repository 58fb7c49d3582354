#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <stdexcept>

#include "base/text.h"
#include "class/intake/names.h"
#include "class/intake/roster.h"
#include "report/style.h"

namespace labkit::course {

namespace {

/// A line each, with the address.
std::string listed(const std::vector<const Student*>& students) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(students.size(), kMost); ++i) {
    const std::string email = students[i]->key("email");
    text += "\n  " + students[i]->shown() + (email.empty() ? "" : " " + email);
  }
  if (students.size() > kMost) text += fmt::format("\n  and {} more", students.size() - kMost);
  return report::printable(text);
}

bool has_key(const Student& student, const std::string& named) {
  return std::ranges::any_of(student.keys, [&](const auto& key) {
    return key.first != "folder" && key.first != "group" &&
           fold_name(key.second) == fold_name(named) && key.second.size() == named.size();
  });
}

/// Some word of theirs is near some word of the teacher's, or has it inside: Canvas writes names
/// without blanks. Listed only, because Ana is inside of Mariana too.
bool comes_near(const Student& student, const std::vector<std::string>& words) {
  constexpr std::size_t kInside = 3;  // bytes that a part of a word must have to be told by
  std::vector<std::string> all = folded_words(student.name + " " + student.id);
  for (const auto& [key, value] : student.keys) all.push_back(fold_name(value));
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::any_of(all, [&](const std::string& theirs) {
      return theirs.starts_with(word) ||
             (word.size() >= kInside && theirs.find(word) != std::string::npos) ||
             edit_distance(word, theirs) <= word.size() / 3;
    });
  });
}

}  // namespace

const Student& find_student(const std::vector<Student>& students, std::string_view named_raw) {
  const std::string named = clean_name(to_valid_utf8(named_raw)).substr(0, 200);
  const std::vector<std::string> words = folded_words(named);
  const std::string folded = fold_words(named);
  using Way = std::function<bool(const Student&)>;
  const auto all_that = [&](const Way& fits) {
    std::vector<const Student*> some;
    for (const Student& student : students)
      if (fits(student)) some.push_back(&student);
    return some;
  };
  for (const Way& way : std::initializer_list<Way>{
           [&](const Student& s) { return s.id == named; },
           [&](const Student& s) { return has_key(s, named); },
           [&](const Student& s) {
             return !folded.empty() &&
                    (fold_words(s.name) == folded || fold_name(s.name) == fold_name(named));
           },
           [&](const Student& s) {
             return !words.empty() &&
                    std::ranges::includes(folded_words(s.name + " " + s.id), words);
           }}) {
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
