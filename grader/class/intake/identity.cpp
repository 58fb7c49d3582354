// Who is who? Private to intake.
//
// Three lists speak of people: the downloads (owners), the roster (lines), and the gradebook (students known from
// earlier imports). Each entry is a record with ids and a name, and records are joined into people:
//
//   1. An id that two share makes them one. A student number is typed by people: it joins only whose names or e-mails
//      agree. No id joins two lines, or two known students unless it was not known who one of them is (kNamesake).
//   2. A name joins what has no id beyond its own download (Moodle's numbers), and leads to a line of the roster. It
//      must fit one alone, and no ids that can be compared may differ.
//
// Everybody else stays apart, with a remark: never is one student's work taken for another's. Nothing depends on the
// order of the records.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/intake/intaker.h"

namespace labkit::course {
namespace {

/// Of ids, the strongest first.
enum class Kind : std::uint8_t {
  canvas,
  line,  ///< of the roster: what an owner's id means there, in whatever column
  login,
  email,
  moodle,
  anonymous,
  folder,
  sid,   ///< typed by people: where names or e-mails agree
  name,  ///< of who has no id beyond one download
};

struct Record {
  enum class List : std::uint8_t { line, known, owner };
  List list;
  Student student;             ///< as this record alone has it, with the id that it wishes for
  const Root* root = nullptr;  ///< owner's
  std::map<Kind, std::string> ids = {};  ///< in a spelling to be compared
  std::string name = {};                 ///< the same; "" if there is none
};
using List = Record::List;

std::string id_of(const Record& record, Kind kind) {
  const auto found = record.ids.find(kind);
  return found == record.ids.end() ? std::string() : found->second;
}

/// Two of one student number: names and e-mails speak against their being one.
bool is_another(const Record& a, const Record& b) {
  const std::string email = id_of(a, Kind::email), other_email = id_of(b, Kind::email);
  const std::vector<std::string> words = folded_words(a.name), others = folded_words(b.name);
  if (words.empty() || others.empty() || words == others) return false;
  if (!email.empty() && !other_email.empty()) return email != other_email;
  return std::ranges::none_of(
      words, [&](const std::string& word) { return std::ranges::binary_search(others, word); });
}

/// That it wishes for.
std::string id_for(const Student& one) {
  const std::string login = local_part(one.key("login")), email = local_part(one.key("email")),
                    sid = one.key("sid"), canvas = one.key("canvas_id"),
                    anonymous = one.key("anonymous_id");
  if (one.on_roster) return slug(first_of({login, email, sid, one.name}));
  if (!anonymous.empty()) return "anonymous-" + slug(anonymous);
  return canvas.empty() ? slug(first_of({sid, email, one.name})) : slug(one.name) + "-" + canvas;
}

class People {
 public:
  People(std::vector<IntakeFile>& files, std::vector<Student> roster,
         const std::vector<Student>& known, Intake& intake)
      : roster_(std::move(roster)), answer_(intake) {
    for (const IntakeFile& file : files)
      for (const Student& owner : file.claim.owners) owners_.try_emplace({file.root, owner});
    find_canvas_column(known);
    for (const Student& line : roster_) add({List::line, line});
    for (const Student& one : known) add({List::known, one});
    for (auto& [owner, at] : owners_) {
      at = records_.size();
      add({List::owner, owner.second, owner.first});
      find_line(at);
    }
    find_what_can_be_compared();
    let_names_join();
    join_by_ids();
    join_names_to_lines();
    join_known();
    for (IntakeFile& file : files) answer(file);
    for (std::size_t i = 0; i < roster_.size(); ++i) place_of(i);
    for (const auto& [group, line] : called_like_)  // also from before there was a roster
      if (find(group, List::known)) place_of(group);
    name_students();
  }

 private:
  using Places = std::set<std::size_t>;

  void add(Record record) {
    if (record.list != List::known) record.student.id = id_for(record.student);
    const auto key = [&](const char* name) { return record.student.key(name); };
    const std::string sid = first_of({key(kLmsSid), key("sid"), key("login")}),
                      email = first_of({key(kLmsEmail), key("email")});
    const std::size_t at = records_.size();
    record.ids = {{Kind::canvas, key("canvas_id")},
                  {Kind::login, key("login")},
                  {Kind::email, fold_words(email)},
                  {Kind::moodle, key("moodle_id")},
                  {Kind::anonymous, key("anonymous_id")},
                  {Kind::folder, key("folder")},
                  {Kind::sid, fold_name(sid)}};
    std::erase_if(record.ids, [](const auto& id) { return id.second.empty(); });
    record.name = record.student.name;
    if (record.name == sid || record.name == email || !key("anonymous_id").empty())
      record.name.clear();
    if (record.list == List::line) {
      record.ids[Kind::line] = std::to_string(at);
      for (const std::string& one : name_keys(record.student.name)) lines_of_name_[one].insert(at);
    }
    // who is no longer on the roster is still called so; a line's ids are the line's
    if (record.list != List::owner)
      for (const std::string& id : ids_of(record.student))
        for (const std::string& spelling : {"=" + id, "~" + fold_name(id)})
          if (Places& of = lines_of_id_[spelling];
              spelling.size() > 1 &&
              (record.list == List::line || of.empty() || *of.begin() >= roster_.size()))
            of.insert(at);
    group_of_.push_back(at);
    groups_.push_back({at});
    records_.push_back(std::move(record));
  }

  /// A roster made by hand has Canvas's number in whatever column its maker liked: where one and its name agree.
  void find_canvas_column(const std::vector<Student>& known) {
    std::set<std::pair<std::string, std::string>> names;  // Canvas's number, and a key of the name
    const auto add_names = [&](const Student& one) {
      for (const std::string& key : name_keys(one.name)) names.emplace(one.key("canvas_id"), key);
    };
    for (const auto& [owner, at] : owners_) add_names(owner.second);
    for (const Student& one : known) add_names(one);
    for (const char* column : {"sid", "login"}) {
      const bool is_canvas = std::ranges::any_of(roster_, [&](const Student& line) {
        return !line.key(column).empty() &&
               std::ranges::any_of(name_keys(line.name), [&](const std::string& key) {
                 return names.contains({line.key(column), key});
               });
      });
      for (Student& line : roster_)
        if (is_canvas && line.key("canvas_id").empty()) line.set("canvas_id", line.key(column));
    }
  }

  Places lines_called(const std::string& name) const {
    for (const std::string& key : name_keys(name))
      if (const auto found = lines_of_name_.find(key); found != lines_of_name_.end())
        return found->second;
    return {};
  }

  /// The line whose id a folder is called by: to the letter, else about, unless others are called so.
  void find_line(std::size_t at) {
    const std::string folder = records_[at].student.key("folder");
    for (const std::string& key : {"=" + folder, "~" + fold_name(folder)})
      if (const auto found = lines_of_id_.find(key); found != lines_of_id_.end()) {
        Places lines = found->second;
        if (key.starts_with('~')) lines.merge(lines_called(folder));
        if (lines.size() == 1)
          for (const std::size_t one : {at, *lines.begin()})
            records_[one].ids[Kind::line] = std::to_string(*lines.begin());
        return;
      }
  }

  /// The kinds of ids in which an owner of a download and a line are the same.
  void find_what_can_be_compared() {
    std::set<std::pair<Kind, std::string>> of_lines;
    for (const Record& record : records_)
      for (const auto& id : record.ids)
        if (record.list == List::line)
          of_lines.insert(id);
        else if (of_lines.contains(id))
          comparable_.insert({record.root, id.first});
  }

  /// Moodle's number is of one assignment. Over several the name joins, unless two have it in one download or on the
  /// roster, now or before.
  void let_names_join() {
    std::map<std::pair<const Root*, std::string>, unsigned> count;
    for (const Record& record : records_) shared_names_.insert(record.student.key(kNamesake));
    for (const Record& record : records_)
      if (record.list == List::line || (record.root && record.ids.contains(Kind::moodle)))
        if (const std::string name = fold_words(record.name); ++count[{record.root, name}] > 1)
          shared_names_.insert(name);
    for (Record& record : records_) {
      // one that was taken back has no name, but the id that was made of it
      const bool is_nameless = record.list == List::known && record.name.empty();
      const std::string name = fold_words(is_nameless ? record.student.id : record.name);
      if (record.list != List::line && has_only_moodles_number(record) && !name.empty() &&
          !shared_names_.contains(name))
        record.ids[Kind::name] = name;
    }
  }

  static bool has_only_moodles_number(const Record& record) {
    return record.ids.size() == record.ids.count(Kind::moodle);
  }

  bool can_be_compared(Kind kind, const Record& a, const Record& b) const {
    const bool is_of_one_download = kind == Kind::moodle || kind == Kind::folder;
    if (kind == Kind::name) return false;
    if (a.list != List::line && b.list != List::line)
      return !is_of_one_download || (a.root && a.root == b.root);
    if (kind != Kind::sid && kind != Kind::email && kind != Kind::moodle) return true;
    const Record& other = a.list == List::line ? b : a;
    return comparable_.contains({other.root, kind});
  }

  bool differ(const Record& a, const Record& b) const {
    bool differ = false;
    for (const auto& [kind, id] : a.ids) {
      const std::string other = id_of(b, kind);
      if (id == other) return false;
      differ |= !other.empty() && can_be_compared(kind, a, b);
    }
    return differ;
  }

  template <typename Is>
  bool any_pair(std::size_t one, std::size_t other, const Is& is) const {
    return std::ranges::any_of(groups_[one], [&](std::size_t a) {
      return std::ranges::any_of(groups_[other],
                                 [&](std::size_t b) { return is(records_[a], records_[b]); });
    });
  }
  bool contradict(std::size_t one, std::size_t other) const {
    return any_pair(one, other, [&](const Record& a, const Record& b) { return differ(a, b); });
  }

  /// The group's first record of that list, before those of whom it was not known who they are; null if there is none.
  const Student* find(std::size_t group, List list) const {
    const Student* found = nullptr;
    for (const std::size_t at : groups_[group])
      if (const Record& one = records_[at];
          one.list == list && (!found || (is_namesake(*found) && !is_namesake(one.student))))
        found = &one.student;
    return found;
  }
  static bool is_namesake(const Student& one) { return !one.key(kNamesake).empty(); }
  /// By which it is shown: a line's, else an owner's.
  const Student& first(std::size_t group) const {
    for (const List list : {List::line, List::owner})
      if (const Student* one = find(group, list)) return *one;
    return *find(group, List::known);
  }

  /// A line's group stays at the line's place.
  void join(const Places& groups) {
    std::vector<std::size_t>& all = groups_[*groups.begin()];
    for (const std::size_t group : groups) {
      if (group == *groups.begin()) continue;
      for (const std::size_t record : groups_[group]) group_of_[record] = *groups.begin();
      all.insert(all.end(), groups_[group].begin(), groups_[group].end());
      groups_[group].clear();
    }
  }

  void join_by_ids() {
    std::map<std::pair<Kind, std::string>, Places> bearers;
    for (std::size_t i = 0; i < records_.size(); ++i)
      for (const auto& id : records_[i].ids) bearers[id].insert(i);
    for (const auto& [id, records] : bearers) {
      Places groups;
      for (const std::size_t at : records) groups.insert(group_of_[at]);
      const auto with = [&](List list) {
        return std::ranges::count_if(groups, [&](std::size_t one) { return find(one, list); });
      };
      const auto lines = with(List::line);
      const auto sure = std::ranges::count_if(groups, [&](std::size_t one) {
        const Student* known = find(one, List::known);
        return known && !is_namesake(*known);
      });
      if (lines <= 1 && sure <= 1 && (id.first != Kind::sid || are_one(groups, id.second)))
        join(groups);
    }
  }

  /// Whether nothing but their names and e-mails is against it.
  bool are_one(const Places& groups, const std::string& number) {
    std::set<std::string> names;
    for (const std::size_t one : groups)
      for (const std::size_t other : groups)
        if (one != other && any_pair(one, other, is_another))
          names.insert(fmt::format("\"{}\"", first(one).name));
    if (names.empty()) return true;
    remark(*names.begin(), fmt::format("{} both have the number {}; taken for two",
                                       joined(names, " and "), number));
    for (const std::size_t one : groups)  // that line's work may be the other's
      if (const Student* line = find(*groups.begin(), List::line); line && !find(one, List::line))
        called_like_[one] = line->name;
    return false;
  }

  /// A name that fits one line of the roster, which nobody else's of whom it is known that they are two does.
  void join_names_to_lines() {
    std::map<std::size_t, Places> claims;  // of lines
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      Places lines;
      for (const std::size_t at : groups_[group]) lines.merge(lines_called(records_[at].name));
      if (find(group, List::line)) continue;
      if (lines.size() == 1) claims[*lines.begin()].insert(group);
      for (const std::size_t at : groups_[group])  // an id among other words: "lab3-bo-1"
        for (const std::string& word : folded_words(records_[at].student.key("folder")))
          if (const auto found = lines_of_id_.find("~" + word);
              word.size() > 1 && lines.empty() && found != lines_of_id_.end() &&
              *found->second.begin() < roster_.size())
            lines = found->second;
      if (!lines.empty()) called_like_[group] = roster_[*lines.begin()].name;
    }
    for (auto& [line, groups] : claims) {
      std::erase_if(groups, [&](std::size_t one) {
        // beside a folder that is called by the line's id, another may be that student's too
        return !number_of_namesake(one).empty() ||
               any_pair(one, line, [&](const Record& a, const Record& b) {
                 return !b.ids.contains(Kind::folder) && differ(a, b);
               });
      });
      const bool is_one = std::ranges::none_of(groups, [&](std::size_t one) {
        return std::ranges::any_of(
            groups, [&](std::size_t other) { return one != other && contradict(one, other); });
      });
      for (const std::size_t one : groups) {
        if (!is_one) break;
        const Student* known = find(one, List::known);
        if (known && !known->on_roster && !find(line, List::known))
          answer_.same.push_back({known->id, first(line).id, false});
        join({line, one});
      }
    }
  }

  void join_known() {
    for (std::size_t group = 0; group < groups_.size(); ++group)
      for (const std::size_t at : groups_[group])
        if (const Record& one = records_[at]; one.list == List::known)
          if (const Student* to = find(group, List::known); to->id != one.student.id)
            answer_.same.push_back({one.student.id, to->id, true});
  }

  void remark(const std::string& path, std::string text, std::string student = {}) {
    answer_.remarks.push_back({Remark::Kind::roster, path, std::move(student), std::move(text)});
  }

  void answer(IntakeFile& file) {
    const Claim& claim = file.claim;
    Places students;
    // everybody of a group that the roster knows
    const std::string group = claim.owners.size() == 1 ? fold_name(claim.group) : "";
    for (std::size_t i = 0; !group.empty() && i < roster_.size(); ++i)
      if (fold_name(roster_[i].key("group")) == group) students.insert(place_of(i));
    if (students.empty())
      for (const Student& owner : claim.owners)
        students.insert(place_of(group_of_[owners_.at({file.root, owner})]));
    file.students.assign(students.begin(), students.end());
  }

  /// Of one of several of the name, of whom no more is known: Moodle's number; "" else.
  std::string number_of_namesake(std::size_t group) const {
    const Student& one = first(group);
    const bool is_unsure =
        shared_names_.contains(fold_words(one.name)) &&
        std::ranges::all_of(groups_[group], [&](std::size_t at) {
          return records_[at].list != List::line && has_only_moodles_number(records_[at]);
        });
    return is_unsure ? one.key("moodle_id") : "";
  }

  /// Among the students.
  std::size_t place_of(std::size_t group) {
    const auto [at, is_new] = place_of_.try_emplace(group, answer_.students.size());
    if (!is_new) return at->second;
    Student& student = answer_.students.emplace_back(first(group));
    std::erase_if(student.keys, [](const auto& key) { return key.second.empty(); });
    if (const std::string number = number_of_namesake(group); !number.empty()) {
      student.name += " " + number;
      student.id += "-" + number;
    }
    for (const std::size_t one : groups_[group])
      if (records_[one].list == List::owner)
        for (const auto& [key, value] : records_[one].student.keys)
          if (!value.empty()) student.keys.try_emplace(key, value);
    return at->second;
  }

  /// The known keep their ids. Of others, two who wish for one both get a mark of their own, which does not depend on who
  /// else is there.
  void name_students() {
    std::map<std::string, std::multiset<std::string>> wish;  // for an id: names
    std::multiset<std::string> taken;  // ids of lines and of the known, before who is neither
    for (const Record& one : records_) {
      if (one.list == List::known) wish[one.student.id].insert(one.student.shown());
      if (one.list != List::owner) taken.insert(one.student.id);
    }
    for (const auto& [group, at] : place_of_)
      if (Student& student = answer_.students[at]; !find(group, List::known))
        wish[student.id].insert(fmt::format("\"{}\"", student.name));
    for (const auto& [group, at] : place_of_) {
      Student& student = answer_.students[at];
      if (const Student* known = find(group, List::known)) {
        student.id = known->id;
        // Canvas's names are squashed, and a folder's is none
        if (!student.on_roster && !known->name.empty() &&
            (student.name == student.key("folder") ||
             folded_words(known->name).size() > folded_words(student.name).size()))
          student.name = known->name;
        if (is_namesake(*known)) student.keys[kNamesake];  // unless it is one still
      } else if (std::multiset<std::string> others = wish.at(student.id);
                 others.size() > 1 && !(student.on_roster && taken.count(student.id) == 1)) {
        std::string all = student.name;
        for (const auto& [key, value] : student.keys) all += fmt::format("\n{}={}", key, value);
        student.id += "-" + sha256_hex(all).substr(0, 6);
        others.erase(others.find(fmt::format("\"{}\"", student.name)));
        if (!student.on_roster && !called_like_.contains(group))
          remark(student.name,
                 fmt::format("\"{}\" is spelt nearly like {}; graded as a student of its own",
                             student.name, joined(others, " and ")),
                 student.id);
      }
      for (const std::size_t one : groups_[group])
        for (std::size_t i = 0; records_[one].root && i < records_[one].root->labs.size(); ++i)
          student.set(moodle_key(records_[one].root->labs[i]), id_of(records_[one], Kind::moodle));
      say_of_roster(group, student);
    }
    say_of_namesakes();
  }

  void say_of_roster(std::size_t group, Student& student) {
    std::set<std::string> downloads;
    for (const std::size_t at : groups_[group])
      if (records_[at].root) downloads.insert(records_[at].root->called);
    const bool is_one_of_many = !number_of_namesake(group).empty();
    if (student.on_roster || (roster_.empty() && !is_one_of_many)) return;
    const auto line = called_like_.find(group);
    if (is_one_of_many || line != called_like_.end())
      student.set(kNamesake,
                  fold_words(line == called_like_.end() ? first(group).name : line->second));
    if (is_one_of_many) {
      namesakes_[{joined(downloads), student.key(kNamesake)}].push_back(student.id);
      return;
    }
    remark(joined(downloads),
           student.id +
               (line != called_like_.end()
                    ? fmt::format(" may be \"{}\" of the roster, but names or ids differ: graded "
                                  "as not on the roster until a login or an id says whose it is",
                                  line->second)
                    : " is not on the roster; graded all the same"));
  }

  /// In blind marking all are called alike.
  void say_of_namesakes() {
    for (const auto& [of, ids] : namesakes_)
      remark(of.first, first_few(ids, 4) +
                           (ids.size() == 1 ? " shares a name with another" : " share a name") +
                           ": --moodle-worksheet says who is who");
  }

  std::vector<Student> roster_;
  std::map<std::string, Places> lines_of_id_, lines_of_name_;
  std::map<std::pair<const Root*, Student>, std::size_t> owners_;  ///< to their records
  std::vector<Record> records_;                   ///< the roster's lines first, in its order
  std::vector<std::size_t> group_of_;             ///< by record
  std::vector<std::vector<std::size_t>> groups_;  ///< of records
  std::set<std::pair<const Root*, Kind>> comparable_;
  std::set<std::string> shared_names_;              ///< folded
  std::map<std::size_t, std::string> called_like_;  ///< group -> a line that its name leads to
  std::map<std::size_t, std::size_t> place_of_;     ///< group -> student
  std::map<std::pair<std::string, std::string>, std::vector<std::string>>
      namesakes_;  ///< by download and name: ids
  Intake& answer_;
};

}  // namespace

void identify(std::vector<IntakeFile>& files, std::vector<Student> roster,
              const std::vector<Student>& known, Intake& intake) {
  People(files, std::move(roster), known, intake);
}

}  // namespace labkit::course
