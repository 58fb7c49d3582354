#include "class/intake/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// An owner in a download.
using Noted = std::pair<const Root*, Owner>;

/// Kind and value, in a spelling to be compared.
using Ids = std::vector<std::pair<std::string, std::string>>;

void drop_empty(Ids& ids) {
  std::erase_if(ids, [](const auto& id) { return id.second.empty(); });
}

/// What a download calls somebody. A plain folder's name counts to the letter: "j.smith" and "j_smith" may be two.
Ids ids_of(const Owner& owner) {
  Ids ids = {{"canvas", owner.canvas_id},   {"anonymous", owner.anonymous_id},
             {"sid", fold_name(owner.sid)}, {"email", fold_words(owner.email)},
             {"plain", owner.plain},        {"moodle", owner.moodle_id}};
  drop_empty(ids);
  return ids;
}

/// The columns of the roster where an id of this kind may stand.
Ids columns_for(const std::string& kind, const RosterEntry& line) {
  Ids columns;
  if (kind == "moodle") columns = {{kind, fold_name(line.moodle_id)}};
  if (kind == "email") columns = {{kind, fold_words(line.email)}};
  if (kind == "canvas") columns = {{kind, fold_name(line.canvas_id)}};
  // A roster made by hand has Canvas's number in whatever column its maker liked.
  if (kind == "sid" || (kind == "canvas" && line.canvas_id.empty()))
    columns = {{"id", fold_name(line.id)}, {"login", fold_name(line.login)}};
  drop_empty(columns);
  return columns;
}

/// Two people, by what the downloads call them. Moodle's numbers and folders' names are of one assignment.
bool is_other(const Noted& a, const Noted& b) {
  const bool one_root = a.first == b.first;
  const Ids ids = ids_of(a.second), others = ids_of(b.second);
  bool differ = one_root && ids != others;
  for (const auto& [kind, value] : ids)
    for (const auto& [other_kind, other_value] : others) {
      if (kind != other_kind || (!one_root && (kind == "moodle" || kind == "plain"))) continue;
      if (value == other_value) return false;
      differ = true;
    }
  return differ;
}

void set_key(Student& student, const std::string& key, const std::string& value) {
  if (!value.empty() && student.keys[key].empty()) student.keys[key] = value;
}

std::string local_part(const std::string& email) { return email.substr(0, email.find('@')); }

/// "" if all are.
std::string first_of(const std::vector<std::string>& texts) {
  const auto found = std::ranges::find_if_not(texts, &std::string::empty);
  return found == texts.end() ? std::string() : *found;
}

/// "102", to tell two of a name apart; "" if there is none.
std::string shown_id(const Owner& owner) {
  return first_of({owner.canvas_id, owner.sid, owner.email, owner.moodle_id});
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

namespace {

/// Gathers owners from all downloads into students.
class Identities {
 public:
  Identities(const std::vector<Claimed>& claims, std::vector<RosterEntry> roster)
      : roster_(std::move(roster)) {
    for (const auto& [root, claim] : claims)
      for (const Owner& owner : claim->owners) noted_.insert({root, owner});
    index_roster();
    find_shared_names();
    compare_claims();
    for (const auto& [root, claim] : claims) {
      std::set<std::size_t> students;
      if (claim->owners.size() == 1) students = group_members(claim->group);
      if (students.empty())
        for (const Owner& owner : claim->owners) students.insert(resolve(owner, root));
      of_claim_.emplace_back(students.begin(), students.end());
    }
    finish();
  }
  Identified take() { return {std::move(students_), std::move(remarks_), std::move(of_claim_)}; }

 private:
  using Lines = std::vector<std::size_t>;  ///< of the roster

  /// About the roster.
  void remark(const std::string& path, std::string text, std::string student = {}) {
    remarks_.push_back({Remark::Kind::roster, path, std::move(student), std::move(text)});
  }

  void index_roster() {
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

  void find_shared_names() {
    std::map<std::pair<const Root*, std::string>, std::string> id_of_name;
    for (const auto& [root, owner] : noted_) {
      if (owner.moodle_id.empty()) continue;
      const std::string name = fold_words(owner.name);
      const auto [known, is_first] = id_of_name.try_emplace({root, name}, owner.moodle_id);
      if (known->second != owner.moodle_id) shared_names_.insert(name);
    }
  }

  void compare_claims() {
    for (const Noted& one : noted_) {
      const auto& [root, owner] = one;
      const Lines lines = lines_by_id(owner);
      if (lines.size() != 1) continue;
      // A plain folder's name is what its maker liked: it says nothing against another.
      if (owner.plain.empty()) claims_of_line_[lines.front()].push_back(one);
      for (const auto& [kind, id] : ids_of(owner))
        for (const auto& [column, value] : columns_for(kind, roster_[lines.front()]))
          if (value == id) comparable_.insert({root, kind, column});
    }
    for (const Noted& one : noted_) {
      if (!lines_by_id(one.second).empty()) continue;
      const Lines lines = lines_by_name(one.second);
      if (lines.size() == 1 && !is_apart(one, roster_[lines.front()]))
        claims_of_line_[lines.front()].push_back(one);
    }
  }

  /// Two of the name in one of Moodle's downloads are two of the name in all.
  bool shares_name(const Owner& owner) const {
    return shared_names_.contains(fold_words(owner.name));
  }

  std::vector<std::string> keys_of(const Owner& owner) const {
    std::vector<std::string> keys;
    bool only_moodle = true;
    for (const auto& [kind, id] : ids_of(owner)) {
      keys.push_back(fmt::format("{}:{}", kind, id));
      only_moodle &= kind == "moodle";
    }
    // Moodle's number is of one assignment; over several only the name joins, where it is one's own.
    if (only_moodle && !shares_name(owner)) keys.push_back("name:" + fold_words(owner.name));
    return keys;
  }

  /// Of the first key that any line has.
  Lines lines_with(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys)
      if (const auto found = roster_index_.find(key);
          found != roster_index_.end() && !found->second.empty())
        return found->second;
    return {};
  }

  /// By one of the LMS's ids, or by a plain folder's name.
  Lines lines_by_id(const Owner& owner) const {
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

  Lines lines_by_name(const Owner& owner) const {
    return owner.anonymous_id.empty() ? lines_with(name_keys(owner.name)) : Lines();
  }

  /// By an id that can be compared: Canvas's own column, or a column of which another in the same
  /// download was found to be the same kind.
  bool is_apart(const Noted& one, const RosterEntry& line) const {
    for (const auto& [kind, id] : ids_of(one.second))
      for (const auto& [column, value] : columns_for(kind, line))
        if (value != id && (column == "canvas" || comparable_.contains({one.first, kind, column})))
          return true;
    return false;
  }

  /// Why the name alone must not lead there; "" if it may.
  std::string speaks_against(const Noted& one, std::size_t line) const {
    const std::string& name = roster_[line].name;
    if (is_apart(one, roster_[line]))
      return fmt::format("is called like \"{}\" of the roster, whose id is another", name);
    const auto claims = claims_of_line_.find(line);
    const bool is_claimed = claims != claims_of_line_.end() &&
                            std::ranges::any_of(claims->second, [&](const Noted& other) {
                              return is_other(one, other);
                            });
    if (is_claimed || (!one.second.moodle_id.empty() && shares_name(one.second)))
      return fmt::format("is one of several who are called like \"{}\" of the roster", name);
    return {};
  }

  std::size_t student_of_line(std::size_t at) {
    const auto [known, is_new] = student_of_line_.try_emplace(at, students_.size());
    if (!is_new) return known->second;
    const RosterEntry& line = roster_[at];
    Student& student = students_.emplace_back();
    student.name = line.name;
    student.on_roster = true;
    set_key(student, "canvas_id", line.canvas_id);
    set_key(student, "moodle_id", line.moodle_id);
    set_key(student, "sid", line.id);
    set_key(student, "login", line.login);
    set_key(student, "email", line.email);
    student.id =
        slug(first_of({local_part(line.login), local_part(line.email), line.id, line.name}));
    return known->second;
  }

  /// The name of who has this owner's student number already, if that is somebody else.
  std::optional<std::string> has_anothers_number(const Owner& owner) const {
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
  std::size_t add_student(const Owner& owner, const Root* root) {
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
        if (by_id) by_id_.insert(at);
        set_key(students_[at], kByName, "yes");
        return at;
      }
    }
    Student student;
    student.name = first_of({owner.name, owner.email, owner.sid});
    student.id = !owner.anonymous_id.empty() ? "anonymous-" + slug(owner.anonymous_id)
                 : !owner.canvas_id.empty()
                     ? slug(owner.name) + "-" + owner.canvas_id
                     : slug(first_of({owner.sid, local_part(owner.email), owner.name}));
    if (!owner.moodle_id.empty() && shares_name(owner)) {
      student.name += " " + owner.moodle_id;
      student.id += "-" + owner.moodle_id;
    }
    if (!against.empty()) {
      const std::string id = shown_id(owner);
      set_key(student, kKeptApart, "yes");
      remark(fmt::format("{} {}", owner.name, id),
             fmt::format("\"{}\"{} {}: not on the roster, graded as a student of its own",
                         owner.name, id.empty() ? "" : fmt::format(" ({})", id), against));
    } else if (!roster_.empty()) {
      remark(owner.name,
             fmt::format("\"{}\" is not on the roster; graded all the same", student.name));
    }
    students_.push_back(std::move(student));
    return students_.size() - 1;
  }

  /// The student's place in students_; the same for every owner that is this student.
  std::size_t resolve(Owner owner, const Root* root) {
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
    for (const std::string& key : keys) student_of_key_.emplace(key, at);
    Student& student = students_[at];
    for (const auto& [key, value] : Ids{{"canvas_id", owner.canvas_id},
                                        {"anonymous_id", owner.anonymous_id},
                                        {"moodle_id", owner.moodle_id},
                                        {"sid", owner.sid},
                                        {"email", owner.email},
                                        {"folder", owner.plain},
                                        {kLmsCanvas, owner.canvas_id},
                                        {kLmsSid, owner.sid},
                                        {kLmsEmail, owner.email}})
      set_key(student, key, value);
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

  /// Everybody of a group that the roster knows; empty if it knows none of that name.
  std::set<std::size_t> group_members(const std::string& group) {
    std::set<std::size_t> members;
    const std::string folded = fold_name(group);
    for (std::size_t i = 0; !folded.empty() && i < roster_.size(); ++i)
      if (fold_name(roster_[i].group) == folded) members.insert(student_of_line(i));
    return members;
  }

  /// Adds all who are on the roster, and gives everybody an id.
  void finish() {
    for (std::size_t i = 0; i < roster_.size(); ++i) student_of_line(i);
    for (const std::size_t at : by_id_) students_[at].keys.erase(kByName);
    std::map<std::string, std::vector<std::string>> named;  // by the id that they wish for
    for (const Student& one : students_) named[one.id].push_back(fmt::format("\"{}\"", one.name));
    for (Student& student : students_) {
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

  std::vector<RosterEntry> roster_;
  std::set<Noted> noted_;
  std::map<std::string, Lines> roster_index_;  ///< by key
  std::set<std::string> shared_names_;         ///< of Moodle's, folded
  std::map<std::size_t, std::vector<Noted>> claims_of_line_;
  /// Root, kind of id and column of the roster where one was found to be the other.
  std::set<std::tuple<const Root*, std::string, std::string>> comparable_;
  std::map<std::size_t, std::size_t> student_of_line_;
  std::map<std::string, std::size_t> student_of_key_;
  std::set<std::size_t> by_id_;  ///< students whom an id led to the roster
  std::set<std::pair<std::string, std::string>> same_number_;  ///< told already
  /// Of those on the roster, by root and student: the plain folders that are theirs.
  std::map<std::pair<const Root*, std::size_t>, std::vector<std::string>> folders_of_;
  std::vector<Student> students_;  ///< until finish() with the ids that they wish for
  std::vector<Remark> remarks_;
  std::vector<std::vector<std::size_t>> of_claim_;
};

}  // namespace

Identified identify(const std::vector<Claimed>& claims, std::vector<RosterEntry> roster) {
  return Identities(claims, std::move(roster)).take();
}

}  // namespace labkit::course
