#include "class/intake/known_students.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/sha256.h"
#include "class/intake/identity.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// What tells students apart from one download to the next. Not Moodle's number, which is of one
/// assignment.
constexpr const char* kTelling[] = {"canvas_id", "sid", "email", "login", "anonymous_id", "folder"};

std::string key_of(const Student& student, const char* key) {
  const auto found = student.keys.find(key);
  return found == student.keys.end() ? std::string() : found->second;
}

/// Both have one of the keys, and it is the same.
bool share_a_key(const Student& a, const Student& b) {
  return std::any_of(std::begin(kTelling), std::end(kTelling), [&](const char* key) {
    const std::string value = key_of(a, key);
    return !value.empty() && value == key_of(b, key);
  });
}

/// Both have one of the keys, and it is another.
bool differ_in_a_key(const Student& a, const Student& b) {
  return std::any_of(std::begin(kTelling), std::end(kTelling), [&](const char* key) {
    const std::string mine = key_of(a, key), theirs = key_of(b, key);
    return !mine.empty() && !theirs.empty() && mine != theirs;
  });
}

/// Who has which key.
class Keys {
 public:
  explicit Keys(const std::vector<Student>& known) {
    for (const Student& student : known)
      for (const char* key : kTelling)
        if (const std::string value = key_of(student, key); !value.empty())
          of_[std::string(key) + "=" + value].push_back(&student);
  }
  /// The only one who shares a key with `student`, or who has its id too; else none.
  const Student* known_as(const Student& student) const {
    std::set<const Student*> all;
    for (const char* key : kTelling)
      if (const auto found = of_.find(std::string(key) + "=" + key_of(student, key));
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

/// Gradebooks of older kits only have one number of Canvas's.
std::string lms_key(const Student& known, const char* key) {
  const std::string value = key_of(known, key);
  return value.empty() && key == std::string(kLmsCanvas) ? key_of(known, "canvas_id") : value;
}

bool share_by_lms(const Student& one, const Student& known) {
  return std::any_of(std::begin(kOfTheLms), std::end(kOfTheLms), [&](const char* key) {
    return !key_of(one, key).empty() && key_of(one, key) == lms_key(known, key);
  });
}

/// They have ids of one kind, and none is the same.
bool differ_by_lms(const Student& one, const Student& known) {
  return !share_by_lms(one, known) &&
         std::any_of(std::begin(kOfTheLms), std::end(kOfTheLms), [&](const char* key) {
           return !key_of(one, key).empty() && !lms_key(known, key).empty();
         });
}

/// Of another line of a roster.
bool is_of_another_line(const Student& a, const Student& b) {
  const std::string mine = key_of(a, "login"), theirs = key_of(b, "login");
  return !mine.empty() && !theirs.empty() && mine != theirs;
}

/// Why a name must not have led there; "" if it may.
std::string speaks_against(const Student& one, const std::vector<Student>& known) {
  for (const Student& other : known) {
    if (share_by_lms(one, other)) {
      if (is_of_another_line(one, other) ||
          (other.id != one.id && !key_of(other, kKeptApart).empty()))
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
    if (key_of(line, key) == value) line.keys.erase(key);
  };
  // The name led there: where both have a number, they differ, and it would have been kept apart.
  move("canvas_id", key_of(line, kLmsCanvas));
  move("sid", key_of(line, kLmsSid));
  move("email", key_of(line, kLmsEmail));
  for (const char* key : kOfTheLms) move(key, key_of(line, key));
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
    intake.remarks.push_back(
        {Remark::Kind::roster, line.name, to,
         fmt::format("what came for {} is called like \"{}\" of the roster, but {}: not taken for "
                     "that student",
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
    if (!found || taken.contains(found->id) || !key_of(*found, "login").empty() ||
        !key_of(*found, kKeptApart).empty())
      return nullptr;
    for (const char* key : {"canvas_id", "sid", "email"})
      if (!key_of(*found, key).empty() && !key_of(line, key).empty() &&
          key_of(*found, key) != key_of(line, key))
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
    for (const char* key : kTelling) all += key_of(student, key) + "\n";
    name += "-" + sha256_hex(all).substr(0, 6);
    intake.remarks.push_back(
        {Remark::Kind::roster, student.name, name,
         fmt::format("\"{}\" is called like {} of an earlier download, but is another by what "
                     "the downloads say of them; graded as a student of its own",
                     student.name, found->second->id)});
  }
  std::erase_if(names, [](const auto& name) { return name.first == name.second; });
  rename_all(intake, names);
  std::erase_if(joined, [&](const SameStudent& one) {  // who stayed two after all
    return !one.both_known && !names.contains(one.to);
  });
  return joined;
}

}  // namespace labkit::course
