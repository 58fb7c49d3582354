#include "class/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/path_names.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/intake/archive.h"
#include "class/intake/intaker.h"
#include "class/intake/lab_names.h"

namespace labkit::course {
namespace {

void add_names_and_ids(const std::vector<Student>& students, std::set<std::string>& all) {
  for (const Student& one : students) {
    for (const std::string& name : {one.id, one.name}) all.insert(fold_name(name));
    for (const std::string& id : ids_of(one)) all.insert(fold_name(id));
  }
  all.erase("");
}

class Intaker {
 public:
  Intaker(const LabNames& labs, const IntakeOptions& options) : labs_(labs), options_(options) {}

  Intake run(const std::vector<std::filesystem::path>& inputs, std::vector<Student> roster) {
    add_names_and_ids(roster, people_);
    add_names_and_ids(options_.known, people_);
    find_all(inputs);
    find_students();
    claim_all();
    Intake intake;
    assign_labs(intake.unassigned);
    name_participants();
    intake.roots.assign(roots_.begin(), roots_.end());
    if (!intake.unassigned.empty()) return intake;
    identify(files_, std::move(roster), options_.known, intake);
    std::set<std::size_t> present;
    for (const IntakeFile& file : files_)
      present.insert(file.students.begin(), file.students.end());
    if (!options_.roster_text.empty()) say_of_strangers(intake, present);
    choose_files(files_, labs_, options_, intake);
    ask_about_rare_labs(intake);
    for (std::size_t i = 0; i < intake.students.size(); ++i)
      if (!present.contains(i)) intake.missing.push_back(intake.students[i].id);
    std::ranges::sort(intake.missing);
    std::ranges::sort(intake.students, {}, &Student::id);
    std::ranges::sort(intake.submissions, {},
                      [](const Submission& one) { return std::tie(one.student, one.lab); });
    return intake;
  }

 private:
  void find_all(const std::vector<std::filesystem::path>& inputs) {
    const std::vector<std::string> names = short_names(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) find(inputs[i], names[i], inputs.size() > 1);
    put_roots_in_order();
  }

  /// As they were named, but those in one folder in natural order, and "Lab 3 (1).zip", which a browser downloaded later, behind
  /// "Lab 3.zip". Of two pointers to them the greater is the later one's.
  void put_roots_in_order() {
    static const std::regex copy(R"((.*?) ?\((\d{1,4})\))");
    std::map<std::string, std::size_t> first;  // of a folder, and of a name without the number
    std::vector<std::tuple<std::size_t, std::string, std::size_t>> order;
    for (std::size_t i = 0; i < found_roots_.size(); ++i) {
      const Root& root = found_roots_[i];
      const std::string name = without_archive_ending(root.called);
      std::smatch of;
      std::string family = root.called != root.input ? root.input : name;
      if (std::regex_match(family, of, copy)) family = of[1].str();
      order.emplace_back(first.try_emplace(family, i).first->second, natural_key(name), i);
    }
    std::ranges::sort(order);
    std::map<const Root*, std::size_t> places;
    for (const auto& [place, name, i] : order) {
      places[&found_roots_[i]] = roots_.size();
      roots_.push_back(found_roots_[i]);
    }
    for (IntakeFile& file : files_)
      if (file.root) file.root = &roots_[places.at(file.root)];
  }

  /// `called`: how the teacher knows it.
  void find(const std::filesystem::path& input, const std::string& called, bool is_one_of_several) {
    std::vector<Found> found = collect(input, options_.limits);
    const std::string name = shown_name(input);
    std::vector<std::string> before;  // all paths
    if (is_one_of_several) before = {called};
    std::vector<Root> roots;
    std::error_code none;
    if (!std::filesystem::exists(input / ".git", none))
      roots = find_roots(found, name, labs_, people_);
    if (roots.empty()) {  // a repository
      if (const std::size_t slash = called.rfind('/'); slash != std::string::npos)
        before = {called.substr(0, slash)};
      else
        before.clear();
      roots = {Root{.prefix = before, .label = name, .labs = labs_.labs_of(name)}};
      before.push_back(name);
    } else {
      for (Root& root : roots)
        root.prefix.insert(root.prefix.begin(), before.begin(), before.end());
    }
    const std::size_t first = found_roots_.size();
    for (Root& root : roots) {
      root.input = called;
      root.called = roots.size() > 1 ? called + "/" + root.label : called;
      found_roots_.push_back(std::move(root));
    }
    for (Found& one : found) {
      one.parts.insert(one.parts.begin(), before.begin(), before.end());
      one.outer_parts += before.size();
      IntakeFile& file = files_.emplace_back(IntakeFile{std::move(one)});
      for (std::size_t at = first; at < found_roots_.size(); ++at)
        if (const auto& prefix = found_roots_[at].prefix;
            std::ranges::mismatch(prefix, file.found.parts).in1 == prefix.end()) {
          file.root = &found_roots_[at];
          found_roots_[at].holds_kits |= kit_at(file.found, labs_).has_value();
        }
    }
  }

  /// Repositories that are named one by one are a root each, and lie in one folder all the same.
  void find_students() {
    std::map<std::vector<std::string>, std::set<std::string>> names;
    for (const IntakeFile& file : files_)
      if (file.root && file.root->format == Format::plain && file.found.parts.size() > file.place())
        names[file.root->prefix].insert(plain_name(file.found, *file.root, labs_));
    for (Root& root : roots_)
      root.students = students_in(names[root.prefix], people_, labs_, root.holds_kits);
  }

  void claim_all() {
    std::map<const Root*, std::map<std::string, GradescopeSubmission>> metadata;
    for (const IntakeFile& file : files_) {
      const Found& found = file.found;
      if (found.kind != Found::Kind::metadata || !file.root ||
          file.root->format != Format::gradescope || found.parts.size() != file.place() + 1)
        continue;
      try {
        metadata[file.root] = parse_gradescope_metadata(found.text);
      } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}: {}", found.path(), error.what()),
                         "Download the submissions from Gradescope again.");
      }
    }
    for (IntakeFile& file : files_) {
      if (file.root && file.found.parts.size() > file.place()) {
        file.claim = claim(file.found, *file.root, metadata[file.root], labs_);
      } else if (file.root || file.is_refused()) {
        file.claim.why = file.found.why;  // the root itself: a download that is broken
      } else if (file.found.kind == Found::Kind::source) {
        file.claim.why = "it is beside the downloads, not in one of them";
      }
    }
  }

  /// Which labs each download is for: what the teacher says of it, else what its name says. A plain folder may leave that
  /// to its files, unless whole kits are in it, which hold all labs whichever was set.
  void assign_labs(std::vector<std::string>& unassigned) {
    std::map<const Root*, std::set<std::vector<std::string>>> repositories;  // labs that they name
    for (const IntakeFile& file : files_)
      if (file.root && file.root->holds_kits && !file.claim.owners.empty())
        repositories[file.root].insert(labs_.labs_of(without_archive_ending(file.top())));
    for (Root& root : roots_) {
      root.holds_several = std::ranges::count_if(repositories[&root], [](const auto& labs) {
                             return !labs.empty();
                           }) > 1;
      const auto asked = std::ranges::find_if(options_.assignments, [&](const Assignment& one) {
        const bool is_for_all = one.downloads == std::vector<std::string>{"*"};
        return is_for_all ? root.labs.empty() : one.is_of(root.label) || one.is_of(root.called);
      });
      if (asked != options_.assignments.end())
        root.labs = asked->labs;
      else if (root.labs.empty())
        root.labs = labs_.labs_of(without_archive_ending(root.called));
      if (root.labs.empty() && root.format == Format::plain && repositories[&root].size() == 1)
        root.labs = *repositories[&root].begin();
      if (root.labs.empty() && (root.format != Format::plain || root.holds_kits))
        unassigned.push_back(root.called);
    }
  }

  /// Whoever of a download is not on the roster and was never on it may be anybody of whom nothing came and whom no number of
  /// Canvas's tells apart.
  void say_of_strangers(Intake& intake, const std::set<std::size_t>& present) const {
    std::map<const Root*, std::set<std::string>> strangers;
    std::size_t missing = 0, numbered = 0;
    for (std::size_t i = 0; i < intake.students.size(); ++i) {
      missing += !present.contains(i);
      numbered += !present.contains(i) && !intake.students[i].key("canvas_id").empty();
    }
    for (const IntakeFile& file : files_)
      for (const std::size_t at : file.students)
        if (const Student& one = intake.students[at];
            !file.is_refused() && !one.on_roster && one.key(kNamesake).empty() &&
            one.key("login").empty() && one.key("email").empty() &&
            missing > (one.key("canvas_id").empty() ? 0 : numbered))
          strangers[file.root].insert(one.id);
    for (const auto& [root, some] : strangers) {
      const std::string who = first_few(some, 4) + (some.size() == 1 ? " is" : " are"),
                        text = who +
                               " not on the roster: rename the folder to a login, add the "
                               "student to the roster, or give the right --roster";
      intake.remarks.push_back({Remark::Kind::unread, root->called, {}, text, root->called});
    }
  }

  /// A plain folder's files name its labs. But one that less than half of the students name, and no assignment, may come from
  /// a stray file.
  void ask_about_rare_labs(Intake& intake) const {
    std::map<std::string, std::map<std::string, std::set<std::string>>> of;  // students
    for (const Submission& one : intake.submissions)
      for (const std::string& lab : {one.lab, std::string()})
        of[one.download][lab].insert(one.student);
    for (const Assignment& one : options_.assignments)
      for (const std::string& lab : one.labs)
        for (auto& [download, labs] : of) labs.erase(lab);
    for (const Root& root : roots_)
      if (root.labs.empty() && std::ranges::any_of(of[root.called], [&](const auto& lab) {
            return 2 * lab.second.size() < of[root.called][""].size();
          }))
        intake.unassigned.push_back(root.called);
  }

  /// Moodle's files say a name and a number; its worksheet says whose that number is.
  void name_participants() {
    for (IntakeFile& file : files_) {
      if (!file.root || file.root->format != Format::moodle) continue;
      for (const std::string& lab : file.root->labs) {
        if (const auto times = options_.local_times.find(lab); times != options_.local_times.end())
          if (const auto at = times->second.find(file.claim.lms_id); at != times->second.end())
            file.claim.local_at = at->second;
        const auto sheet = options_.worksheets.find(lab);
        if (sheet == options_.worksheets.end()) continue;
        for (Student& owner : file.claim.owners)
          if (const auto line = sheet->second.find(owner.key("moodle_id"));
              line != sheet->second.end()) {
            for (const char* key : {"sid", kLmsSid}) owner.set(key, line->second.key("sid"));
            for (const char* key : {"email", kLmsEmail}) owner.set(key, line->second.key("email"));
          }
      }
    }
  }

  const LabNames& labs_;
  const IntakeOptions& options_;
  std::set<std::string> people_;  ///< fold_name() of names and ids that are known
  std::vector<IntakeFile> files_;
  std::deque<Root> found_roots_;  ///< to which files point until they are put in order
  std::vector<Root> roots_;
};

}  // namespace

std::optional<std::size_t> kit_at(const Found& found, const LabNames& labs) {
  for (std::size_t i = 0; i + 2 < found.parts.size(); ++i)
    if (found.parts[i] == "labs" && !labs.lab_of(found.parts[i + 1]).empty()) return i;
  return std::nullopt;
}

bool replaces(const Submission& one, const Submission& counts) {
  if (!one.problem.empty() || !counts.problem.empty()) return one.problem.empty();
  if (one.submitted_at && counts.submitted_at) return *one.submitted_at >= *counts.submitted_at;
  if (one.local_at && counts.local_at) return *one.local_at >= *counts.local_at;
  if (one.lms_order && counts.lms_order) return one.lms_order >= counts.lms_order;
  return true;
}

std::string text_of(const Remark& remark) {
  return remark.lab.empty() ? remark.text : remark.lab + ": " + remark.text;
}

Intake import_inputs(const std::vector<std::filesystem::path>& inputs,
                     const std::vector<grade::Manifest>& labs, const IntakeOptions& options) {
  std::vector<Student> roster;
  if (!options.roster_name.empty() || !options.roster_text.empty())
    roster = as_usage([&] { return parse_roster(options.roster_text, options.roster_name); });
  Intake intake = Intaker(LabNames(labs), options).run(inputs, std::move(roster));
  if (intake.submissions.empty() && intake.remarks.empty() && intake.unassigned.empty())
    throw UsageError(fmt::format("{} {} no submissions", joined(inputs, " and "),
                                 inputs.size() == 1 ? "holds" : "hold"),
                     "Name the folder or the archive that the students' files are in.");
  return intake;
}

}  // namespace labkit::course
