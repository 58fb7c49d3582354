#include "course/known_students.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/sha256.h"

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

}  // namespace

void use_known_ids(Intake& intake, const std::vector<Student>& known) {
  const Keys keys(known);
  std::map<std::string, const Student*> by_id;
  for (const Student& student : known) by_id[student.id] = &student;
  std::map<std::string, std::string> names;  // as taken in -> as known
  std::map<std::string, std::size_t> wanted;
  for (const Student& student : intake.students) {
    const Student* same = keys.known_as(student);
    names[student.id] = same ? same->id : student.id;
    ++wanted[names[student.id]];
  }
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
  if (!names.empty()) rename_all(intake, names);
}

}  // namespace labkit::course
