#include "class/intake/students.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "base/sha256.h"
#include "base/text.h"
#include "class/intake/identity.h"
#include "class/intake/names.h"
#include "report/style.h"

namespace labkit::course {

namespace {

/// What tells students apart from one download to the next. Not Moodle's number, which is of one
/// assignment.
constexpr const char* kTelling[] = {"canvas_id", "sid", "email", "login", "anonymous_id", "folder"};

/// Both have one of the keys, and it is the same.
bool share_a_key(const Student& a, const Student& b) {
  return std::any_of(std::begin(kTelling), std::end(kTelling), [&](const char* key) {
    const std::string value = a.key(key);
    return !value.empty() && value == b.key(key);
  });
}

/// Both have one of the keys, and it is another.
bool differ_in_a_key(const Student& a, const Student& b) {
  return std::any_of(std::begin(kTelling), std::end(kTelling), [&](const char* key) {
    const std::string mine = a.key(key), theirs = b.key(key);
    return !mine.empty() && !theirs.empty() && mine != theirs;
  });
}

/// Who has which key.
class Keys {
 public:
  explicit Keys(const std::vector<Student>& known) {
    for (const Student& student : known)
      for (const char* key : kTelling)
        if (const std::string value = student.key(key); !value.empty())
          of_[std::string(key) + "=" + value].push_back(&student);
  }
  /// The only one who shares a key with `student`, or who has its id too; else none.
  const Student* known_as(const Student& student) const {
    std::set<const Student*> all;
    for (const char* key : kTelling)
      if (const auto found = of_.find(std::string(key) + "=" + student.key(key));
          found != of_.end())
        all.insert(found->second.begin(), found->second.end());
    for (const Student* one : all)
      if (one->id == student.id) return one;
    return all.size() == 1 ? *all.begin() : nullptr;
  }

 private:
  std::map<std::string, std::vector<const Student*>> of_;
};

void rename_all(Intake& intake, const std::map<std::string, std::string>& names) {
  const auto rename = [&](std::string& id) {
    const auto found = names.find(id);
    if (found != names.end()) id = found->second;
  };
  for (Student& student : intake.students) rename(student.id);
  for (Submission& one : intake.submissions) {
    rename(one.student);
    for (std::string& member : one.group) rename(member);
    std::sort(one.group.begin(), one.group.end());
  }
  for (Remark& remark : intake.remarks) rename(remark.student);
  for (std::string& id : intake.missing) rename(id);
  std::sort(intake.students.begin(), intake.students.end(),
            [](const Student& a, const Student& b) { return a.id < b.id; });
  std::sort(intake.submissions.begin(), intake.submissions.end(),
            [](const Submission& a, const Submission& b) {
              return std::tie(a.student, a.lab) < std::tie(b.student, b.lab);
            });
  std::sort(intake.missing.begin(), intake.missing.end());
}

/// What the downloads themselves call them, whatever a roster says.
constexpr const char* kOfTheLms[] = {kLmsCanvas, kLmsSid, kLmsEmail};

/// Where a roster alone gave Canvas's number, that is the LMS's.
std::string lms_key(const Student& known, const char* key) {
  const std::string value = known.key(key);
  return value.empty() && key == std::string(kLmsCanvas) ? known.key("canvas_id") : value;
}

bool share_by_lms(const Student& one, const Student& known) {
  return std::any_of(std::begin(kOfTheLms), std::end(kOfTheLms), [&](const char* key) {
    return !one.key(key).empty() && one.key(key) == lms_key(known, key);
  });
}

/// They have ids of one kind, and none is the same.
bool differ_by_lms(const Student& one, const Student& known) {
  return !share_by_lms(one, known) &&
         std::any_of(std::begin(kOfTheLms), std::end(kOfTheLms), [&](const char* key) {
           return !one.key(key).empty() && !lms_key(known, key).empty();
         });
}

/// Of another line of a roster.
bool is_of_another_line(const Student& a, const Student& b) {
  const std::string mine = a.key("login"), theirs = b.key("login");
  return !mine.empty() && !theirs.empty() && mine != theirs;
}

/// Why a name must not have led there; "" if it may.
std::string speaks_against(const Student& one, const std::vector<Student>& known) {
  for (const Student& other : known) {
    if (share_by_lms(one, other)) {
      if (is_of_another_line(one, other) || (other.id != one.id && !other.key(kKeptApart).empty()))
        return fmt::format("is {} by what the LMS calls them", other.id);
    } else if (differ_by_lms(one, other) && (other.id == one.id || share_a_key(one, other))) {
      return fmt::format("is another than {} by what the LMS calls them", other.id);
    }
  }
  return {};
}

/// What the downloads say of `line`, without what the roster says; that is taken from `line`.
Student take_apart_from(Student& line, const Intake& intake) {
  Student own;
  own.name = line.name;
  std::string mark;
  const auto move = [&](const char* key, const std::string& value) {
    if (value.empty()) return;
    own.keys[key] = value;
    if (mark.empty()) mark = value;
    if (line.key(key) == value) line.keys.erase(key);
  };
  // The name led there: where both have a number, they differ, and it would have been kept apart.
  move("canvas_id", line.key(kLmsCanvas));
  move("sid", line.key(kLmsSid));
  move("email", line.key(kLmsEmail));
  for (const char* key : kOfTheLms) move(key, line.key(key));
  own.keys[kKeptApart] = "yes";
  own.id = slug(line.name + " " + mark);
  if (std::any_of(intake.students.begin(), intake.students.end(),
                  [&](const Student& one) { return one.id == own.id; }))
    own.id += "-" + sha256_hex(mark).substr(0, 6);
  return own;
}

void split_by_names(Intake& intake, const std::vector<Student>& known) {
  std::vector<Student> own;
  for (Student& line : intake.students) {
    if (line.keys.erase(kByName) == 0) continue;
    const std::string against = speaks_against(line, known);
    if (against.empty()) continue;
    own.push_back(take_apart_from(line, intake));
    const std::string &from = line.id, &to = own.back().id;
    for (Submission& one : intake.submissions) {
      if (one.student == from) one.student = to;
      std::replace(one.group.begin(), one.group.end(), from, to);
    }
    for (Remark& remark : intake.remarks)
      if (remark.student == from) remark.student = to;
    intake.missing.push_back(from);
    intake.remarks.push_back({Remark::Kind::roster, line.name, to,
                              fmt::format("what came for {} is called like \"{}\" of the roster, "
                                          "but {}: not taken for that student",
                                          to, line.name, against)});
  }
  intake.students.insert(intake.students.end(), own.begin(), own.end());
}

/// Known students of whom no roster spoke, by the line of the roster that their names fit.
class Unnamed {
 public:
  Unnamed(const Intake& intake, const std::vector<Student>& known) : intake_(intake) {
    for (const Student& one : known)
      if (!one.name.empty()) known_.push_back(&one);
  }
  /// Whose name fits `line`, and nobody else's. `id`: what `line` is known by; `taken`: who is another.
  const Student* of(const Student& line, const std::string& id,
                    const std::set<std::string>& taken) const {
    const Student* found = nullptr;
    for (const Student* one : known_) {
      if (one->id == id || !is_same_name(one->name, line.name)) continue;
      if (found) return nullptr;
      found = one;
    }
    if (!found || taken.contains(found->id) || !found->key("login").empty() ||
        !found->key(kKeptApart).empty())
      return nullptr;
    for (const char* key : {"canvas_id", "sid", "email"})
      if (!found->key(key).empty() && !line.key(key).empty() && found->key(key) != line.key(key))
        return nullptr;
    for (const Student& other : intake_.students)
      if (&other != &line && other.on_roster && is_same_name(other.name, line.name)) return nullptr;
    return found;
  }

 private:
  const Intake& intake_;
  std::vector<const Student*> known_;
};

}  // namespace

std::vector<SameStudent> use_known_ids(Intake& intake, const std::vector<Student>& known) {
  split_by_names(intake, known);
  const Keys keys(known);
  std::map<std::string, const Student*> by_id;
  for (const Student& student : known) by_id[student.id] = &student;
  std::map<std::string, std::string> names;  // as taken in -> as known
  std::set<std::string> taken;               // known by a key, or of nobody on the roster
  for (const Student& student : intake.students) {
    const Student* same = keys.known_as(student);
    names[student.id] = same ? same->id : student.id;
    if (same || !student.on_roster) taken.insert(names[student.id]);
  }
  std::vector<SameStudent> joined;
  const Unnamed unnamed(intake, known);
  for (const Student& student : intake.students) {
    if (!student.on_roster) continue;
    std::string& name = names[student.id];
    const Student* one = unnamed.of(student, name, taken);
    if (!one) continue;
    const bool both = taken.contains(name);
    joined.push_back({one->id, both ? name : student.id, both});
    if (!both) name = one->id;
  }
  std::map<std::string, std::size_t> wanted;
  for (const auto& [id, name] : names) ++wanted[name];
  for (const Student& student : intake.students) {
    std::string& name = names[student.id];
    if (wanted[name] > 1) name = student.id;  // two who would be one stay two
    const auto found = by_id.find(name);
    if (found == by_id.end() || share_a_key(student, *found->second) ||
        !differ_in_a_key(student, *found->second))
      continue;
    std::string all;
    for (const char* key : kTelling) all += student.key(key) + "\n";
    name += "-" + sha256_hex(all).substr(0, 6);
    intake.remarks.push_back(
        {Remark::Kind::roster, student.name, name,
         fmt::format("\"{}\" is called like {} of an earlier download, but is another by what the "
                     "downloads say of them; graded as a student of its own",
                     student.name, found->second->id)});
  }
  std::erase_if(names, [](const auto& name) { return name.first == name.second; });
  rename_all(intake, names);
  std::erase_if(joined, [&](const SameStudent& one) {  // who stayed two after all
    return !one.both_known && !names.contains(one.to);
  });
  return joined;
}

namespace {

constexpr std::size_t kMostListed = 8;
constexpr std::size_t kInside = 3;  // bytes that a part of a word must have to be told by

std::string told(const Student& student) {
  const std::string email = student.key("email");
  return student.shown() + (email.empty() ? "" : " " + email);
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
