#include "course/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "base/sha256.h"
#include "course/names.h"

namespace labkit::course {
namespace {

void set_key(Student& student, const std::string& key, const std::string& value) {
  if (!value.empty() && student.keys[key].empty()) student.keys[key] = value;
}

std::string local_part(const std::string& email) { return email.substr(0, email.find('@')); }

/// Every way in which a name may be squashed: Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  return keys;
}

/// Names in common, word by word.
bool share_a_word(const std::string& a, const std::string& b) {
  const auto words_of = [](const std::string& name) {
    std::istringstream words(fold_words(name));
    return std::set<std::string>(std::istream_iterator<std::string>(words), {});
  };
  const std::set<std::string> words = words_of(b);
  for (const std::string& word : words_of(a))
    if (words.contains(word)) return true;
  return false;
}

/// Two of one number: the same person unless name and e-mail both speak against it.
bool is_another(const std::string& name, const std::string& email, const Owner& owner) {
  if (owner.name.empty() || name.empty() || fold_words(name) == fold_words(owner.name))
    return false;
  if (!email.empty() && !owner.email.empty()) return fold_words(email) != fold_words(owner.email);
  return !share_a_word(name, owner.name);
}

}  // namespace

Identities::Identities(std::vector<RosterEntry> roster) : roster_(std::move(roster)) {
  const auto index = [&](const std::string& key, std::size_t entry) {
    if (key.ends_with(':')) return;
    auto& entries = roster_index_[key];
    if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
  };
  for (std::size_t i = 0; i < roster_.size(); ++i) {
    const RosterEntry& entry = roster_[i];
    index("canvas:" + entry.canvas_id, i);
    index("moodle:" + entry.moodle_id, i);
    for (const std::string& exact : {entry.id, entry.login, entry.email})
      index("exact:" + exact, i);
    index("id:" + fold_name(entry.id), i);
    index("id:" + fold_name(entry.login), i);
    index("email:" + fold_words(entry.email), i);
    index("id:" + fold_name(local_part(entry.email)), i);
    for (const std::string& key : name_keys(entry.name)) index(key, i);
  }
}

void Identities::note(const Owner& owner, std::size_t root) {
  if (!owner.moodle_id.empty())
    moodle_ids_of_name_[fmt::format("{}:{}", root, fold_words(owner.name))][owner.moodle_id] = true;
}

bool Identities::shares_name(const Owner& owner, std::size_t root) const {
  (void)root;
  // In any download: two of the name in one are two of the name in all.
  const std::string name = ":" + fold_words(owner.name);
  return std::any_of(moodle_ids_of_name_.begin(), moodle_ids_of_name_.end(), [&](const auto& item) {
    return item.first.ends_with(name) && item.first.find(':') == item.first.size() - name.size() &&
           item.second.size() > 1;
  });
}

std::vector<std::string> Identities::keys_of(const Owner& owner, std::size_t root) const {
  std::vector<std::string> keys;
  if (!owner.canvas_id.empty()) keys.push_back("canvas:" + owner.canvas_id);
  if (!owner.anonymous_id.empty()) keys.push_back("anonymous:" + owner.anonymous_id);
  if (!owner.sid.empty()) keys.push_back("sid:" + fold_name(owner.sid));
  if (!owner.email.empty()) keys.push_back("email:" + fold_words(owner.email));
  if (!owner.moodle_id.empty()) keys.push_back("moodle:" + owner.moodle_id);
  // To the letter: "j.smith" and "j_smith" may be two.
  if (!owner.plain.empty()) keys.push_back("plain:" + owner.plain);
  // Moodle's number is of one assignment; over several only the name joins, where it is one's own.
  const bool moodle = owner.canvas_id.empty() && owner.anonymous_id.empty() &&
                      owner.plain.empty() && owner.sid.empty() && owner.email.empty();
  if (moodle && !shares_name(owner, root)) keys.push_back("name:" + fold_words(owner.name));
  return keys;
}

std::optional<std::size_t> Identities::roster_entry(const Owner& owner) {
  std::vector<std::string> keys;
  if (!owner.canvas_id.empty()) keys.push_back("canvas:" + owner.canvas_id);
  if (!owner.moodle_id.empty()) keys.push_back("moodle:" + owner.moodle_id);
  if (!owner.sid.empty()) keys.push_back("id:" + fold_name(owner.sid));
  if (!owner.email.empty()) keys.push_back("email:" + fold_words(owner.email));
  if (!owner.plain.empty()) {
    keys.push_back("exact:" + owner.plain);
    keys.push_back("id:" + fold_name(owner.plain));
    keys.push_back("email:" + fold_words(owner.plain));
  }
  if (owner.anonymous_id.empty())
    for (const std::string& key : name_keys(owner.name)) keys.push_back(key);
  for (const std::string& key : keys) {
    const auto found = roster_index_.find(key);
    if (found == roster_index_.end() || key.ends_with(':')) continue;
    if (found->second.size() == 1) return found->second.front();
    remarks_.push_back({Remark::Kind::roster,
                        owner.name,
                        {},
                        fmt::format("\"{}\" fits {} lines of the roster, so none was chosen",
                                    owner.name, found->second.size())});
    return std::nullopt;
  }
  return std::nullopt;
}

std::size_t Identities::student_of_entry(std::size_t entry) {
  const auto known = student_of_entry_.find(entry);
  if (known != student_of_entry_.end()) return known->second;
  const RosterEntry& line = roster_[entry];
  Student student;
  student.name = line.name;
  student.on_roster = true;
  set_key(student, "canvas_id", line.canvas_id);
  set_key(student, "moodle_id", line.moodle_id);
  set_key(student, "sid", line.id);
  set_key(student, "login", line.login);
  set_key(student, "email", line.email);
  id_wish_.push_back(slug(!line.login.empty()   ? local_part(line.login)
                          : !line.email.empty() ? local_part(line.email)
                          : !line.id.empty()    ? line.id
                                                : line.name));
  students_.push_back(std::move(student));
  return student_of_entry_[entry] = students_.size() - 1;
}

std::optional<std::string> Identities::has_anothers_number(const Owner& owner) const {
  if (owner.sid.empty()) return std::nullopt;
  const std::string folded = fold_name(owner.sid);
  std::string name, email;
  if (const auto known = student_of_key_.find("sid:" + folded); known != student_of_key_.end()) {
    const Student& student = students_[known->second];
    name = student.name;
    if (const auto key = student.keys.find("email"); key != student.keys.end()) email = key->second;
  } else if (const auto line = roster_index_.find("id:" + folded);
             line != roster_index_.end() && line->second.size() == 1) {
    name = roster_[line->second.front()].name;
    email = roster_[line->second.front()].email;
  }
  return is_another(name, email, owner) ? std::optional(name) : std::nullopt;
}

std::size_t Identities::resolve(const Owner& given, std::size_t root) {
  Owner owner = given;
  if (const auto other = has_anothers_number(owner)) {
    if (same_number_.insert(owner.sid + "\n" + owner.name).second)
      remarks_.push_back({Remark::Kind::roster,
                          owner.name,
                          {},
                          fmt::format("\"{}\" and \"{}\" both have the number {}; taken for two",
                                      owner.name, *other, owner.sid)});
    owner.sid.clear();
  }
  const std::vector<std::string> keys = keys_of(owner, root);
  std::size_t at = students_.size();
  for (const std::string& key : keys) {
    const auto known = student_of_key_.find(key);
    if (known != student_of_key_.end()) {
      at = known->second;
      break;
    }
  }
  if (at == students_.size()) {
    const auto entry = roster_entry(owner);
    if (entry) {
      at = student_of_entry(*entry);
    } else {
      Student student;
      student.name =
          owner.name.empty() ? (owner.email.empty() ? owner.sid : owner.email) : owner.name;
      std::string wish;
      if (!owner.anonymous_id.empty())
        wish = "anonymous-" + slug(owner.anonymous_id);
      else if (!owner.canvas_id.empty())
        wish = slug(owner.name) + "-" + owner.canvas_id;
      else if (!owner.sid.empty())
        wish = slug(owner.sid);
      else if (!owner.email.empty())
        wish = slug(local_part(owner.email));
      else if (!owner.moodle_id.empty() && shares_name(owner, root))
        wish = slug(owner.name) + "-" + owner.moodle_id;
      else
        wish = slug(owner.name);
      if (!owner.moodle_id.empty() && shares_name(owner, root))
        student.name += " " + owner.moodle_id;
      students_.push_back(std::move(student));
      id_wish_.push_back(std::move(wish));
      if (!roster_.empty())
        remarks_.push_back({Remark::Kind::roster,
                            owner.name,
                            {},
                            fmt::format("\"{}\" is not on the roster; graded all the same",
                                        students_.back().name)});
    }
  }
  Student& student = students_[at];
  set_key(student, "canvas_id", owner.canvas_id);
  set_key(student, "anonymous_id", owner.anonymous_id);
  set_key(student, "moodle_id", owner.moodle_id);
  set_key(student, "sid", owner.sid);
  set_key(student, "email", owner.email);
  set_key(student, "folder", owner.plain);
  for (const std::string& key : keys) student_of_key_.emplace(key, at);
  return at;
}

std::vector<std::size_t> Identities::group_members(const std::string& group) {
  std::vector<std::size_t> members;
  const std::string folded = fold_name(group);
  for (std::size_t i = 0; !folded.empty() && i < roster_.size(); ++i)
    if (fold_name(roster_[i].group) == folded) members.push_back(student_of_entry(i));
  return members;
}

void Identities::finish() {
  for (std::size_t i = 0; i < roster_.size(); ++i) student_of_entry(i);
  std::map<std::string, std::size_t> wanted;
  for (const std::string& wish : id_wish_) ++wanted[wish];
  for (std::size_t i = 0; i < students_.size(); ++i) {
    Student& student = students_[i];
    student.id = id_wish_[i];
    if (wanted[student.id] == 1) continue;
    // Two wish for one id: both get a mark of their own, that does not depend on who else is there.
    std::string all = student.name;
    for (const auto& [key, value] : student.keys)
      all.append("\n").append(key).append("=").append(value);
    student.id += "-" + sha256_hex(all).substr(0, 6);
    if (!student.on_roster && student.keys.count("folder"))
      remarks_.push_back({Remark::Kind::roster, student.keys["folder"], student.id,
                          fmt::format("\"{}\" is spelt nearly like another; graded as a student of "
                                      "its own",
                                      student.keys["folder"])});
  }
}

}  // namespace labkit::course
