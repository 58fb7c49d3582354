#include "class/intake/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/sha256.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

void set_key(Student& student, const std::string& key, const std::string& value) {
  if (!value.empty() && student.keys[key].empty()) student.keys[key] = value;
}

std::string local_part(const std::string& email) { return email.substr(0, email.find('@')); }

/// What the LMS calls an owner, and the columns of the roster where the same may stand.
struct LmsId {
  const char* kind;
  std::string value;
  std::vector<std::pair<const char*, std::string>> columns;
};
std::vector<LmsId> lms_ids(const Owner& owner, const RosterEntry& line) {
  const std::vector<std::pair<const char*, std::string>> ids_of_line = {
      {"id", fold_name(line.id)}, {"login", fold_name(line.login)}};
  std::vector<LmsId> ids = {
      {"canvas", fold_name(owner.canvas_id), {{"canvas", fold_name(line.canvas_id)}}},
      {"moodle", fold_name(owner.moodle_id), {{"moodle", fold_name(line.moodle_id)}}},
      {"sid", fold_name(owner.sid), ids_of_line},
      {"email", fold_words(owner.email), {{"email", fold_words(line.email)}}}};
  // A roster made by hand has Canvas's number in whatever column its maker liked.
  if (line.canvas_id.empty()) ids.front().columns = ids_of_line;
  std::erase_if(ids, [](const LmsId& id) { return id.value.empty(); });
  return ids;
}

/// "102", to tell two of a name apart; "" if there is none.
std::string shown_id(const Owner& owner) {
  for (const std::string& id : {owner.canvas_id, owner.sid, owner.email, owner.moodle_id})
    if (!id.empty()) return id;
  return {};
}

/// Two of one number: the same person unless name and e-mail both speak against it.
bool is_another(const std::string& name, const std::string& email, const Owner& owner) {
  if (owner.name.empty() || name.empty() || fold_words(name) == fold_words(owner.name))
    return false;
  if (!email.empty() && !owner.email.empty()) return fold_words(email) != fold_words(owner.email);
  const std::vector<std::string> words = folded_words(name);
  return std::ranges::none_of(folded_words(owner.name), [&](const std::string& word) {
    return std::ranges::binary_search(words, word);
  });
}

}  // namespace

/// Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(':'); });
  return keys;
}

bool is_internal_key(const std::string& key) {
  return key == kLmsCanvas || key == kLmsSid || key == kLmsEmail || key == kByName ||
         key == kKeptApart;
}

Identities::Identities(std::vector<RosterEntry> roster) : roster_(std::move(roster)) {
  for (std::size_t i = 0; i < roster_.size(); ++i) {
    const RosterEntry& line = roster_[i];
    std::vector<std::string> keys = name_keys(line.name);
    keys.insert(keys.end(),
                {"canvas:" + line.canvas_id, "moodle:" + line.moodle_id, "exact:" + line.id,
                 "exact:" + line.login, "exact:" + line.email, "id:" + fold_name(line.id),
                 "id:" + fold_name(line.login), "email:" + fold_words(line.email),
                 "id:" + fold_name(local_part(line.email))});
    for (const std::string& key : keys) {
      Lines& lines = roster_index_[key];
      if (!key.ends_with(':') && (lines.empty() || lines.back() != i)) lines.push_back(i);
    }
  }
}

void Identities::note(const Owner& owner, const Root* root) {
  noted_.insert({root, owner});
  if (owner.moodle_id.empty()) return;
  const std::string name = fold_words(owner.name);
  auto& ids = moodle_ids_of_name_[{root, name}];
  ids.insert(owner.moodle_id);
  if (ids.size() > 1) shared_names_.insert(name);
}

bool Identities::shares_name(const Owner& owner) const {
  return shared_names_.contains(fold_words(owner.name));
}

std::vector<std::string> Identities::keys_of(const Owner& owner) const {
  std::vector<std::string> keys;
  const auto add = [&](const char* kind, const std::string& value) {
    if (!value.empty()) keys.push_back(kind + value);
  };
  add("canvas:", owner.canvas_id);
  add("anonymous:", owner.anonymous_id);
  add("sid:", fold_name(owner.sid));
  add("email:", fold_words(owner.email));
  add("plain:", owner.plain);  // to the letter: "j.smith" and "j_smith" may be two
  // Moodle's number is of one assignment; over several only the name joins, where it is one's own.
  const bool only_moodle = keys.empty();
  add("moodle:", owner.moodle_id);
  if (only_moodle && !shares_name(owner)) keys.push_back("name:" + fold_words(owner.name));
  return keys;
}

Identities::Lines Identities::lines_with(const std::vector<std::string>& keys) const {
  for (const std::string& key : keys)
    if (const auto found = roster_index_.find(key);
        found != roster_index_.end() && !found->second.empty())
      return found->second;
  return {};
}

Identities::Lines Identities::lines_by_id(const Owner& owner) const {
  Lines lines = lines_with({"canvas:" + owner.canvas_id, "moodle:" + owner.moodle_id,
                            "id:" + fold_name(owner.sid), "email:" + fold_words(owner.email),
                            "exact:" + owner.plain, "id:" + fold_name(owner.plain),
                            "email:" + fold_words(owner.plain)});
  // A repository is called after its assignment, then its student: "lab3-alice", "cs101-lab3-alice".
  for (std::size_t at = owner.plain.find('-'); at != std::string::npos && lines.empty();
       at = owner.plain.find('-', at + 1)) {
    const std::string rest = owner.plain.substr(at + 1);
    lines = lines_with({"exact:" + rest, "id:" + fold_name(rest)});
  }
  if (!lines.empty()) return lines;
  // In a column that is not said to be Canvas's, the number counts where the name agrees.
  const auto is_called_so = [&](std::size_t line) {
    return std::ranges::any_of(name_keys(owner.name), [&](const std::string& key) {
      return std::ranges::count(lines_with({key}), line) > 0;
    });
  };
  for (const std::size_t line : lines_with({"id:" + fold_name(owner.canvas_id)}))
    if (roster_[line].canvas_id.empty() && is_called_so(line)) return {line};
  return {};
}

Identities::Lines Identities::lines_by_name(const Owner& owner) const {
  return owner.anonymous_id.empty() ? lines_with(name_keys(owner.name)) : Lines();
}

/// Two people, by what the LMS calls them. Moodle's numbers are of one assignment.
bool Identities::is_other(const Noted& noted_a, const Noted& noted_b) {
  const Owner &a = noted_a.second, &b = noted_b.second;
  const bool one_root = noted_a.first == noted_b.first;
  std::vector<std::pair<std::string, std::string>> ids = {
      {a.canvas_id, b.canvas_id},
      {fold_name(a.sid), fold_name(b.sid)},
      {fold_words(a.email), fold_words(b.email)}};
  if (one_root) ids.insert(ids.end(), {{a.moodle_id, b.moodle_id}, {a.plain, b.plain}});
  std::erase_if(ids, [](const auto& id) { return id.first.empty() || id.second.empty(); });
  if (std::ranges::any_of(ids, [](const auto& id) { return id.first == id.second; })) return false;
  return !ids.empty() || (one_root && shown_id(a) != shown_id(b));
}

void Identities::compare_claims() {
  for (const Noted& one : noted_) {
    const auto& [root, owner] = one;
    const Lines lines = lines_by_id(owner);
    if (lines.size() != 1) continue;
    // A plain folder's name is what its maker liked: it says nothing against another.
    if (owner.plain.empty()) claims_of_line_[lines.front()].push_back(one);
    for (const LmsId& id : lms_ids(owner, roster_[lines.front()]))
      for (const auto& [column, value] : id.columns)
        if (value == id.value) comparable_.insert({root, id.kind, column});
  }
  for (const Noted& one : noted_) {
    if (!lines_by_id(one.second).empty()) continue;
    const Lines lines = lines_by_name(one.second);
    if (lines.size() == 1 && !is_apart(one, roster_[lines.front()]))
      claims_of_line_[lines.front()].push_back(one);
  }
}

/// By an id that can be compared: Canvas's own column, or a column of which another in the same
/// download was found to be the same kind.
bool Identities::is_apart(const Noted& one, const RosterEntry& line) const {
  for (const LmsId& id : lms_ids(one.second, line))
    for (const auto& [column, value] : id.columns)
      if (!value.empty() && value != id.value &&
          (column == std::string("canvas") || comparable_.contains({one.first, id.kind, column})))
        return true;
  return false;
}

std::string Identities::speaks_against(const Noted& one, std::size_t line) const {
  const std::string& name = roster_[line].name;
  if (is_apart(one, roster_[line]))
    return fmt::format("is called like \"{}\" of the roster, whose id is another", name);
  const auto claims = claims_of_line_.find(line);
  const bool is_claimed =
      claims != claims_of_line_.end() &&
      std::ranges::any_of(claims->second, [&](const Noted& other) { return is_other(one, other); });
  if (is_claimed || (!one.second.moodle_id.empty() && shares_name(one.second)))
    return fmt::format("is one of several who are called like \"{}\" of the roster", name);
  return {};
}

std::size_t Identities::add_student(Student student, std::string id_wish) {
  students_.push_back(std::move(student));
  id_wish_.push_back(std::move(id_wish));
  return students_.size() - 1;
}

std::size_t Identities::student_of_line(std::size_t at) {
  if (const auto known = student_of_line_.find(at); known != student_of_line_.end())
    return known->second;
  const RosterEntry& line = roster_[at];
  Student student;
  student.name = line.name;
  student.on_roster = true;
  set_key(student, "canvas_id", line.canvas_id);
  set_key(student, "moodle_id", line.moodle_id);
  set_key(student, "sid", line.id);
  set_key(student, "login", line.login);
  set_key(student, "email", line.email);
  return student_of_line_[at] =
             add_student(std::move(student), slug(!line.login.empty()   ? local_part(line.login)
                                                  : !line.email.empty() ? local_part(line.email)
                                                  : !line.id.empty()    ? line.id
                                                                        : line.name));
}

std::optional<std::string> Identities::has_anothers_number(const Owner& owner) const {
  if (owner.sid.empty()) return std::nullopt;
  const std::string folded = fold_name(owner.sid);
  std::string name, email;
  if (const auto known = student_of_key_.find("sid:" + folded); known != student_of_key_.end()) {
    name = students_[known->second].name;
    email = students_[known->second].key("email");
  } else if (const Lines lines = lines_with({"id:" + folded}); lines.size() == 1) {
    name = roster_[lines.front()].name;
    email = roster_[lines.front()].email;
  }
  return is_another(name, email, owner) ? std::optional(name) : std::nullopt;
}

/// The roster's student, or one of its own.
std::size_t Identities::add_student(const Owner& owner, const Root* root) {
  std::string against;
  Lines lines = lines_by_id(owner);
  const bool by_id = !lines.empty();
  if (!by_id) lines = lines_by_name(owner);
  if (lines.size() > 1)
    remark(owner.name, fmt::format("\"{}\" fits {} lines of the roster, so none was chosen",
                                   owner.name, lines.size()));
  if (lines.size() == 1) {
    if (!by_id) against = speaks_against({root, owner}, lines.front());
    if (against.empty()) {
      const std::size_t at = student_of_line(lines.front());
      (by_id ? by_id_ : by_name_).insert(at);
      return at;
    }
  }
  const bool is_moodles = !owner.moodle_id.empty() && shares_name(owner);
  Student student;
  student.name = !owner.name.empty() ? owner.name : !owner.email.empty() ? owner.email : owner.sid;
  if (is_moodles) student.name += " " + owner.moodle_id;
  const std::string id = shown_id(owner);
  if (!against.empty()) {
    set_key(student, kKeptApart, "yes");
    remark(fmt::format("{} {}", owner.name, id),
           fmt::format("\"{}\"{} {}: not on the roster, graded as a student of its own", owner.name,
                       id.empty() ? "" : fmt::format(" ({})", id), against));
  } else if (!roster_.empty()) {
    remark(owner.name,
           fmt::format("\"{}\" is not on the roster; graded all the same", student.name));
  }
  return add_student(std::move(student),
                     !owner.anonymous_id.empty() ? "anonymous-" + slug(owner.anonymous_id)
                     : !owner.canvas_id.empty()  ? slug(owner.name) + "-" + owner.canvas_id
                     : !owner.sid.empty()        ? slug(owner.sid)
                     : !owner.email.empty()      ? slug(local_part(owner.email))
                     : is_moodles                ? slug(owner.name) + "-" + owner.moodle_id
                                                 : slug(owner.name));
}

std::size_t Identities::resolve(Owner owner, const Root* root) {
  if (const auto other = has_anothers_number(owner)) {
    if (same_number_.insert({owner.sid, owner.name}).second)
      remark(owner.name, fmt::format("\"{}\" and \"{}\" both have the number {}; taken for two",
                                     owner.name, *other, owner.sid));
    owner.sid.clear();
  }
  const std::vector<std::string> keys = keys_of(owner);
  const auto known = std::ranges::find_if(
      keys, [&](const std::string& key) { return student_of_key_.contains(key); });
  const std::size_t at =
      known != keys.end() ? student_of_key_.at(*known) : add_student(owner, root);
  Student& student = students_[at];
  set_key(student, "canvas_id", owner.canvas_id);
  set_key(student, "anonymous_id", owner.anonymous_id);
  set_key(student, "moodle_id", owner.moodle_id);
  set_key(student, "sid", owner.sid);
  set_key(student, "email", owner.email);
  set_key(student, "folder", owner.plain);
  set_key(student, kLmsCanvas, owner.canvas_id);
  set_key(student, kLmsSid, owner.sid);
  set_key(student, kLmsEmail, owner.email);
  for (const std::string& key : keys) student_of_key_.emplace(key, at);
  if (!student.on_roster || owner.plain.empty()) return at;
  // Told for each after the first.
  std::vector<std::string>& names = folders_of_[{root, at}];
  if (std::ranges::find(names, owner.plain) != names.end()) return at;
  if (!names.empty())
    remark(owner.plain, fmt::format("\"{}\" and \"{}\" are both taken for {} of the roster",
                                    names.front(), owner.plain, student.name));
  names.push_back(owner.plain);
  return at;
}

std::set<std::size_t> Identities::group_members(const std::string& group) {
  std::set<std::size_t> members;
  const std::string folded = fold_name(group);
  for (std::size_t i = 0; !folded.empty() && i < roster_.size(); ++i)
    if (fold_name(roster_[i].group) == folded) members.insert(student_of_line(i));
  return members;
}

void Identities::finish() {
  for (std::size_t i = 0; i < roster_.size(); ++i) student_of_line(i);
  for (const std::size_t at : by_name_)
    if (!by_id_.contains(at)) set_key(students_[at], kByName, "yes");
  std::map<std::string, std::vector<std::string>> named;  // by the id that they wish for
  for (std::size_t i = 0; i < students_.size(); ++i)
    named[id_wish_[i]].push_back(fmt::format("\"{}\"", students_[i].name));
  for (std::size_t i = 0; i < students_.size(); ++i) {
    Student& student = students_[i];
    student.id = id_wish_[i];
    std::vector<std::string> others = named[student.id];
    if (others.size() == 1) continue;
    // Two wish for one id: both get a mark of their own, that does not depend on who else is there.
    std::string all = student.name;
    for (const auto& [key, value] : student.keys)
      if (!is_internal_key(key)) all += fmt::format("\n{}={}", key, value);
    student.id += "-" + sha256_hex(all).substr(0, 6);
    const std::string folder = student.key("folder");
    if (student.on_roster || folder.empty()) continue;
    others.erase(std::ranges::find(others, fmt::format("\"{}\"", student.name)));
    remark(folder,
           fmt::format("\"{}\" is spelt nearly like {}; graded as a student of its own", folder,
                       joined(others, " and ")),
           student.id);
  }
}

}  // namespace labkit::course
