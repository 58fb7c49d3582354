#include "class/intake/identity.h"

#include <fmt/format.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <set>
#include <sstream>

#include "base/sha256.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

void set_key(Student& student, const std::string& key, const std::string& value) {
  if (!value.empty() && student.keys[key].empty()) student.keys[key] = value;
}

/// What spelt_out() made of a name, as the name reads: "␣lead" gives "lead".
std::string as_read(std::string_view spelt) {
  std::string text;
  while (!spelt.empty()) {
    std::uint32_t code = 0;
    const char* end = spelt.data() + spelt.size();
    if (spelt.starts_with("<U+")) {
      const auto [stop, error] = std::from_chars(spelt.data() + 3, end, code, 16);
      if (error == std::errc() && stop != end && *stop == '>' && code <= 0x10ffff) {
        icu::UnicodeString(static_cast<UChar32>(code)).toUTF8String(text);
        spelt.remove_prefix(static_cast<std::size_t>(stop + 1 - spelt.data()));
        continue;
      }
    }
    if (spelt.starts_with("␣")) {
      text += ' ';
      spelt.remove_prefix(std::string_view("␣").size());
      continue;
    }
    text += spelt.front();
    spelt.remove_prefix(1);
  }
  return clean_name(text);
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

/// What the LMS calls an owner, and the columns of the roster where the same may stand.
struct LmsId {
  const char* kind;
  std::string value;
  std::vector<std::pair<const char*, std::string>> columns;
};
std::vector<LmsId> lms_ids(const Owner& owner, const RosterEntry& entry) {
  const auto folded = [](const std::string& text) { return fold_name(text); };
  std::vector<LmsId> ids = {
      {"canvas", folded(owner.canvas_id), {{"canvas", folded(entry.canvas_id)}}},
      {"moodle", folded(owner.moodle_id), {{"moodle", folded(entry.moodle_id)}}},
      {"sid", folded(owner.sid), {{"id", folded(entry.id)}, {"login", folded(entry.login)}}},
      {"email", fold_words(owner.email), {{"email", fold_words(entry.email)}}}};
  // A roster made by hand has Canvas's number in whatever column its maker liked.
  if (entry.canvas_id.empty())
    ids.front().columns = {{"id", folded(entry.id)}, {"login", folded(entry.login)}};
  std::erase_if(ids, [](const LmsId& id) { return id.value.empty(); });
  return ids;
}

/// "102", to tell two of a name apart; "" if there is none.
std::string shown_id(const Owner& owner) {
  for (const std::string& id : {owner.canvas_id, owner.sid, owner.email, owner.moodle_id})
    if (!id.empty()) return id;
  return {};
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

bool is_same_name(const std::string& a, const std::string& b) {
  const std::vector<std::string> keys = name_keys(b);
  for (const std::string& key : name_keys(a))
    if (!key.ends_with(':') && std::find(keys.begin(), keys.end(), key) != keys.end()) return true;
  return false;
}

bool is_internal_key(const std::string& key) {
  return key == kLmsCanvas || key == kLmsSid || key == kLmsEmail || key == kByName ||
         key == kKeptApart;
}

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
  noted_.try_emplace(
      fmt::format("{}\n{}", root,
                  fmt::join(std::vector{owner.name, owner.canvas_id, owner.moodle_id, owner.sid,
                                        owner.email, owner.anonymous_id, owner.plain},
                            "\n")),
      Noted{owner, root});
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

std::optional<std::size_t> Identities::only_entry(const Owner& owner,
                                                  const std::vector<std::string>& keys, bool tell) {
  for (const std::string& key : keys) {
    const auto found = roster_index_.find(key);
    if (found == roster_index_.end() || key.ends_with(':')) continue;
    if (found->second.size() == 1) return found->second.front();
    if (tell)
      remark(owner.name, fmt::format("\"{}\" fits {} lines of the roster, so none was chosen",
                                     owner.name, found->second.size()));
    return roster_.size();  // several: none of them
  }
  return std::nullopt;
}

std::optional<std::size_t> Identities::entry_by_id(const Owner& owner, bool tell) {
  std::vector<std::string> keys;
  if (!owner.canvas_id.empty()) keys.push_back("canvas:" + owner.canvas_id);
  if (!owner.moodle_id.empty()) keys.push_back("moodle:" + owner.moodle_id);
  if (!owner.sid.empty()) keys.push_back("id:" + fold_name(owner.sid));
  if (!owner.email.empty()) keys.push_back("email:" + fold_words(owner.email));
  if (!owner.plain.empty()) {
    keys.push_back("exact:" + owner.plain);
    keys.push_back("id:" + fold_name(as_read(owner.plain)));
    keys.push_back("email:" + fold_words(as_read(owner.plain)));
  }
  if (const auto found = only_entry(owner, keys, tell)) return found;
  // A repository is called after its assignment, then its student: "lab3-alice", "cs101-lab3-alice".
  for (std::size_t at = owner.plain.find('-'); at != std::string::npos;
       at = owner.plain.find('-', at + 1)) {
    const std::string rest = owner.plain.substr(at + 1);
    if (const auto found = only_entry(owner, {"exact:" + rest, "id:" + fold_name(rest)}, tell))
      return found;
  }
  // In a column that is not said to be Canvas's, the number counts where the name agrees.
  if (const auto same = roster_index_.find("id:" + fold_name(owner.canvas_id));
      !owner.canvas_id.empty() && same != roster_index_.end())
    for (const std::size_t entry : same->second)
      if (roster_[entry].canvas_id.empty() && is_same_name(owner.name, roster_[entry].name))
        return entry;
  return std::nullopt;
}

std::optional<std::size_t> Identities::entry_by_name(const Owner& owner, bool tell) {
  if (!owner.anonymous_id.empty()) return std::nullopt;
  return only_entry(owner, name_keys(as_read(owner.name)), tell);
}

/// Two people, by what the LMS calls them. Moodle's numbers are of one assignment.
bool Identities::is_other(const Noted& a, const Noted& b) {
  bool differ = false;
  const auto compare = [&](const std::string& mine, const std::string& theirs) {
    if (mine.empty() || theirs.empty()) return false;
    differ |= mine != theirs;
    return mine == theirs;
  };
  const bool one_root = a.root == b.root;
  if (compare(a.owner.canvas_id, b.owner.canvas_id) ||
      compare(fold_name(a.owner.sid), fold_name(b.owner.sid)) ||
      compare(fold_words(a.owner.email), fold_words(b.owner.email)) ||
      (one_root &&
       (compare(a.owner.moodle_id, b.owner.moodle_id) || compare(a.owner.plain, b.owner.plain))))
    return false;
  return differ || (one_root && shown_id(a.owner) != shown_id(b.owner));
}

void Identities::compare_claims() {
  if (compared_) return;
  compared_ = true;
  for (const auto& [key, one] : noted_) {
    const auto entry = entry_by_id(one.owner, false);
    if (!entry || *entry == roster_.size()) continue;
    // A plain folder's name is what its maker liked: it says nothing against another.
    if (one.owner.plain.empty()) claims_of_entry_[*entry].push_back(one);
    for (const LmsId& id : lms_ids(one.owner, roster_[*entry]))
      for (const auto& [column, value] : id.columns)
        if (value == id.value) comparable_.insert({one.root, id.kind, column});
  }
  for (const auto& [key, one] : noted_) {
    if (entry_by_id(one.owner, false)) continue;
    const auto entry = entry_by_name(one.owner, false);
    if (entry && *entry != roster_.size() && !is_apart(one.owner, one.root, roster_[*entry]))
      claims_of_entry_[*entry].push_back(one);
  }
}

/// By an id that can be compared: Canvas's own column, or a column of which another in the same
/// download was found to be the same kind.
bool Identities::is_apart(const Owner& owner, std::size_t root, const RosterEntry& entry) const {
  for (const LmsId& id : lms_ids(owner, entry))
    for (const auto& [column, value] : id.columns)
      if (!value.empty() && value != id.value &&
          (std::string(column) == "canvas" || comparable_.contains({root, id.kind, column})))
        return true;
  return false;
}

std::string Identities::speaks_against(const Owner& owner, std::size_t root,
                                       std::size_t entry) const {
  const RosterEntry& line = roster_[entry];
  if (is_apart(owner, root, line))
    return fmt::format("is called like \"{}\" of the roster, whose id is another", line.name);
  const auto claims = claims_of_entry_.find(entry);
  const bool claimed =
      claims != claims_of_entry_.end() &&
      std::any_of(claims->second.begin(), claims->second.end(), [&](const Noted& one) {
        return is_other({owner, root}, one);
      });
  if (claimed || (!owner.moodle_id.empty() && shares_name(owner, root)))
    return fmt::format("is one of several who are called like \"{}\" of the roster", line.name);
  return {};
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
      remark(owner.name, fmt::format("\"{}\" and \"{}\" both have the number {}; taken for two",
                                     owner.name, *other, owner.sid));
    owner.sid.clear();
  }
  compare_claims();
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
    std::string against;
    auto entry = entry_by_id(owner, true);
    const bool by_id = entry.has_value();
    if (!by_id) entry = entry_by_name(owner, true);
    if (!by_id && entry && *entry != roster_.size()) against = speaks_against(owner, root, *entry);
    if (entry && *entry != roster_.size() && against.empty()) {
      at = student_of_entry(*entry);
      (by_id ? by_id_ : by_name_).insert(at);
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
        wish = slug(as_read(owner.name));
      if (!owner.moodle_id.empty() && shares_name(owner, root))
        student.name += " " + owner.moodle_id;
      if (!against.empty()) set_key(student, kKeptApart, "yes");
      students_.push_back(std::move(student));
      id_wish_.push_back(std::move(wish));
      if (!against.empty())
        remark(fmt::format("{} {}", owner.name, shown_id(owner)),
               fmt::format(
                   "\"{}\"{} {}: not on the roster, graded as a student of its own", owner.name,
                   shown_id(owner).empty() ? "" : fmt::format(" ({})", shown_id(owner)), against));
      else if (!roster_.empty())
        remark(owner.name, fmt::format("\"{}\" is not on the roster; graded all the same",
                                       students_.back().name));
    }
  }
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
  if (student.on_roster && !owner.plain.empty()) {
    // Told for each after the first.
    std::vector<std::string>& names = folders_of_[{root, at}];
    if (std::find(names.begin(), names.end(), owner.plain) == names.end()) {
      if (!names.empty())
        remark(owner.plain, fmt::format("\"{}\" and \"{}\" are both taken for {} of the roster",
                                        names.front(), owner.plain, student.name));
      names.push_back(owner.plain);
    }
  }
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
  for (const std::size_t at : by_name_)
    if (!by_id_.contains(at)) set_key(students_[at], kByName, "yes");
  std::map<std::string, std::size_t> wanted;
  for (const std::string& wish : id_wish_) ++wanted[wish];
  for (std::size_t i = 0; i < students_.size(); ++i) {
    Student& student = students_[i];
    student.id = id_wish_[i];
    if (wanted[student.id] == 1) continue;
    // Two wish for one id: both get a mark of their own, that does not depend on who else is there.
    std::string all = student.name;
    for (const auto& [key, value] : student.keys)
      if (!is_internal_key(key)) all.append("\n").append(key).append("=").append(value);
    student.id += "-" + sha256_hex(all).substr(0, 6);
    if (student.on_roster || !student.keys.count("folder")) continue;
    std::string others;
    for (std::size_t k = 0; k < students_.size(); ++k)
      if (k != i && id_wish_[k] == id_wish_[i])
        others += fmt::format("{}\"{}\"", others.empty() ? "" : " and ", students_[k].name);
    remarks_.push_back(
        {Remark::Kind::roster, student.keys["folder"], student.id,
         fmt::format("\"{}\" is spelt nearly like {}; graded as a student of its own",
                     student.keys["folder"], others)});
  }
}

}  // namespace labkit::course
