#include "class/intake/students.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>

#include "base/sha256.h"
#include "base/text.h"
#include "class/intake/identity.h"
#include "class/intake/names.h"
#include "report/style.h"

namespace labkit::course {

namespace {

using Keys = std::vector<const char*>;

/// What tells students apart from one download to the next. Not Moodle's number, which is of one
/// assignment.
const Keys kTelling = {"canvas_id", "sid", "email", "login", "anonymous_id", "folder"};
/// What the downloads themselves call them, whatever a roster says.
const Keys kOfTheLms = {kLmsCanvas, kLmsSid, kLmsEmail};

/// Of the keys that both have: whether one is the same, and whether one is another.
struct Compared {
  bool share = false, differ = false;
};
Compared compare(const Student& one, const Student& known, const Keys& keys) {
  Compared result;
  for (const std::string key : keys) {
    const std::string mine = one.key(key);
    std::string theirs = known.key(key);
    // Where a roster alone gave Canvas's number, that is the LMS's.
    if (theirs.empty() && key == kLmsCanvas) theirs = known.key("canvas_id");
    if (!mine.empty() && !theirs.empty()) (mine == theirs ? result.share : result.differ) = true;
  }
  return result;
}

std::vector<std::string> telling_keys(const Student& student) {
  std::vector<std::string> keys;
  for (const char* key : kTelling)
    if (const std::string value = student.key(key); !value.empty())
      keys.push_back(fmt::format("{}={}", key, value));
  return keys;
}

/// Students by whatever may name them.
class Index {
 public:
  void add(const Student& student, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) of_[key].insert(&student);
  }
  std::set<const Student*> find(const std::vector<std::string>& keys) const {
    std::set<const Student*> all;
    for (const std::string& key : keys)
      if (const auto found = of_.find(key); found != of_.end())
        all.insert(found->second.begin(), found->second.end());
    return all;
  }

 private:
  std::map<std::string, std::set<const Student*>> of_;
};

using Names = std::map<std::string, std::string>;  ///< an id, and what it becomes

void rename(std::string& id, const Names& names) {
  if (const auto found = names.find(id); found != names.end()) id = found->second;
}

void rename_work(Intake& intake, const Names& names) {
  for (Submission& one : intake.submissions) {
    rename(one.student, names);
    for (std::string& id : one.group) rename(id, names);
    std::ranges::sort(one.group);
  }
  for (Remark& remark : intake.remarks) rename(remark.student, names);
}

/// Why a name must not have led there; "" if it may.
std::string speaks_against(const Student& one, const std::vector<Student>& known) {
  for (const Student& other : known) {
    const Compared by_lms = compare(one, other, kOfTheLms);
    if (by_lms.share) {
      const bool is_of_another_line = compare(one, other, {"login"}).differ;
      if (is_of_another_line || (other.id != one.id && !other.key(kKeptApart).empty()))
        return fmt::format("is {} by what the LMS calls them", other.id);
    } else if (by_lms.differ && (other.id == one.id || compare(one, other, kTelling).share)) {
      return fmt::format("is another than {} by what the LMS calls them", other.id);
    }
  }
  return {};
}

/// What the downloads say of `line`, without what the roster says; that is taken from `line`.
Student take_apart_from(Student& line, const Intake& intake) {
  Student own;
  own.name = line.name;
  // The name led there: where both have a number, they differ, and it would have been kept apart.
  for (const auto& [key, of_the_lms] : {std::pair("canvas_id", kLmsCanvas),
                                        std::pair("sid", kLmsSid), std::pair("email", kLmsEmail)}) {
    const std::string value = line.key(of_the_lms);
    if (value.empty()) continue;
    if (own.id.empty()) own.id = value;
    own.keys[key] = own.keys[of_the_lms] = value;
    line.keys.erase(of_the_lms);
    if (line.key(key) == value) line.keys.erase(key);
  }
  own.keys[kKeptApart] = "yes";
  const std::string mark = sha256_hex(own.id).substr(0, 6);
  own.id = slug(line.name + " " + own.id);
  if (std::ranges::find(intake.students, own.id, &Student::id) != intake.students.end())
    own.id += "-" + mark;
  return own;
}

void split_by_names(Intake& intake, const std::vector<Student>& known) {
  std::vector<Student> own;
  Names names;
  std::vector<Remark> told;
  for (Student& line : intake.students) {
    if (line.keys.erase(kByName) == 0) continue;
    const std::string against = speaks_against(line, known);
    if (against.empty()) continue;
    const std::string& id = own.emplace_back(take_apart_from(line, intake)).id;
    names[line.id] = id;
    intake.missing.push_back(line.id);
    told.push_back({Remark::Kind::roster, line.name, id,
                    fmt::format("what came for {} is called like \"{}\" of the roster, "
                                "but {}: not taken for that student",
                                id, line.name, against)});
  }
  rename_work(intake, names);
  intake.remarks.insert(intake.remarks.end(), told.begin(), told.end());
  intake.students.insert(intake.students.end(), own.begin(), own.end());
}

}  // namespace

std::vector<SameStudent> use_known_ids(Intake& intake, const std::vector<Student>& known) {
  split_by_names(intake, known);
  Index by_key, by_name, lines_by_name;
  std::map<std::string, const Student*> by_id;
  for (const Student& student : known) {
    by_id[student.id] = &student;
    by_key.add(student, telling_keys(student));
    if (!student.name.empty()) by_name.add(student, name_keys(student.name));
  }
  for (const Student& student : intake.students)
    if (student.on_roster) lines_by_name.add(student, name_keys(student.name));

  Names names;                  // as taken in -> as known
  std::set<std::string> taken;  // known by a key, or of nobody on the roster
  for (const Student& student : intake.students) {
    const auto all = by_key.find(telling_keys(student));
    const bool is_known = all.size() == 1 || std::ranges::any_of(all, [&](const Student* one) {
                            return one->id == student.id;
                          });
    names[student.id] = is_known && all.size() == 1 ? (*all.begin())->id : student.id;
    if (is_known || !student.on_roster) taken.insert(names[student.id]);
  }
  // Whom no roster spoke of, and whose name fits this line and no other, and nobody else's fits it.
  const auto unnamed = [&](const Student& line) -> const Student* {
    auto all = by_name.find(name_keys(line.name));
    std::erase_if(all, [&](const Student* one) { return one->id == names[line.id]; });
    if (all.size() != 1 || lines_by_name.find(name_keys(line.name)).size() > 1) return nullptr;
    const Student& one = **all.begin();
    const bool is_another = taken.contains(one.id) || !one.key("login").empty() ||
                            !one.key(kKeptApart).empty() ||
                            compare(line, one, {"canvas_id", "sid", "email"}).differ;
    return is_another ? nullptr : &one;
  };
  std::vector<SameStudent> joined;
  for (const Student& student : intake.students) {
    const Student* one = student.on_roster ? unnamed(student) : nullptr;
    if (!one) continue;
    std::string& name = names[student.id];
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
    if (found == by_id.end()) continue;
    const Compared same = compare(student, *found->second, kTelling);
    if (same.share || !same.differ) continue;
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
  rename_work(intake, names);
  for (Student& student : intake.students) rename(student.id, names);
  for (std::string& id : intake.missing) rename(id, names);
  sort_intake(intake);
  std::erase_if(joined, [&](const SameStudent& one) {  // who stayed two after all
    return !one.both_known && !names.contains(one.to);
  });
  return joined;
}

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
    return !key.second.empty() && key.first != "folder" &&
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
