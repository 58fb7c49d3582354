#include "class/intake/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/intaker.h"
#include "class/intake/lab_names.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// What an input's file or folder is called.
std::string name_of(const std::filesystem::path& input) {
  std::string name = input.filename().string();
  if (name.empty() || name == "." || name == "..") {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(input, ignored);
    name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  }
  return clean_name(decode_name(name));
}

/// "a.zip holds", "a.zip and b.zip hold"
std::string held_by(const std::vector<std::filesystem::path>& inputs) {
  return joined(inputs, " and ") + (inputs.size() == 1 ? " holds" : " hold");
}

}  // namespace

void Intaker::remark(Remark::Kind kind, std::size_t i, std::string text) {
  remarks_.push_back({{kind, found_[i].path(), {}, std::move(text)}, i});
}

void Intaker::claim_all() {
  std::vector<std::map<std::string, GradescopeSubmission>> metadata(roots_.size());
  root_of_.assign(found_.size(), roots_.size());
  claims_.resize(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    for (std::size_t r = 0; r < roots_.size(); ++r) {
      const auto& prefix = roots_[r].prefix;
      if (found.parts.size() < prefix.size() ||
          !std::equal(prefix.begin(), prefix.end(), found.parts.begin()))
        continue;
      root_of_[i] = r;
      if (roots_[r].format == Format::gradescope && found.kind == Found::Kind::metadata &&
          found.parts.size() == prefix.size() + 1) {
        try {
          metadata[r] = parse_gradescope_metadata(found.text);
        } catch (const std::runtime_error& error) {
          throw UsageError(fmt::format("{}: {}", found.path(), error.what()),
                           "Download the submissions from Gradescope again.");
        }
      }
    }
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    const std::size_t r = root_of_[i];
    if (r == roots_.size()) {
      if (found.kind != Found::Kind::folder)
        claims_[i].why = found.kind == Found::Kind::refused
                             ? found.why
                             : "it is beside the downloads, not in one of them";
    } else if (found.parts.size() > roots_[r].prefix.size()) {
      begin_file(found);
      claims_[i] = claim(found, roots_[r], metadata[r], labs_);
    } else {
      claims_[i].why = found.why;  // the root itself: a download that is broken
    }
    for (const Owner& owner : claims_[i].owners) identities_.note(owner, r);
  }
}

void Intaker::resolve_owners() {
  students_.resize(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const Claim& claim = claims_[i];
    std::vector<std::size_t>& students = students_[i];
    if (claim.owners.size() == 1) students = identities_.group_members(claim.group);
    if (students.empty())
      for (const Owner& owner : claim.owners)
        students.push_back(identities_.resolve(owner, root_of_[i]));
    std::sort(students.begin(), students.end());
    students.erase(std::unique(students.begin(), students.end()), students.end());
  }
  identities_.finish();
}

/// `prefix`: what the input's own name is to be before all its paths; "" for nothing. `called`: how the
/// teacher knows it.
void Intaker::find(const std::filesystem::path& input, const std::string& prefix,
                   const std::string& called) {
  std::vector<Found> found = collect(input, options_.limits);
  const std::string label = name_of(input);
  std::vector<Root> roots = find_roots(found, label, options_.format, labs_);
  for (const Root& root : roots) {
    // Gradescope's folder is called after its number of the assignment, whatever became of the zip.
    const bool numbered =
        root.format == Format::gradescope && root.label.starts_with("assignment_");
    std::string key =
        fmt::format("{} {}", format_name(root.format), download_key(numbered ? root.label : label));
    if (roots.size() > 1 && !numbered) key += "/" + download_key(root.label);
    keys_.push_back(key);
    inputs_.push_back(roots.size() > 1 ? called + "/" + root.label : called);
  }
  if (!prefix.empty()) {
    for (Found& one : found) {
      one.parts.insert(one.parts.begin(), prefix);
      one.outer_parts += 1;
    }
    for (Root& root : roots) root.prefix.insert(root.prefix.begin(), prefix);
  }
  std::move(found.begin(), found.end(), std::back_inserter(found_));
  std::move(roots.begin(), roots.end(), std::back_inserter(roots_));
}

void Intaker::begin_file(const Found& found) const {
  if (!options_.begin_file) return;
  options_.begin_file(found.kind == Found::Kind::refused ? std::string() : found.path());
}

void Intaker::refuse_too_slow() {
  for (Found& found : found_) {
    if (!options_.too_slow.contains(found.path())) continue;
    found.kind = Found::Kind::refused;
    found.why = "looking at it takes longer than any kernel does";
    std::string().swap(found.text);
  }
}

/// Called the same and named together, two are copies of one download if somebody's file is the same in both, or their
/// number is one of an assignment (Gradescope's, Moodle's participant). If not, they are two sections, say, and what a student has in both is a case for the teacher.
void Intaker::keep_downloads_apart() {
  std::map<std::string, std::vector<std::size_t>> called;  // key -> roots
  for (std::size_t r = 0; r < roots_.size(); ++r) called[keys_[r]].push_back(r);
  if (called.size() == roots_.size()) return;
  std::vector<std::size_t> same_as(roots_.size());
  std::iota(same_as.begin(), same_as.end(), 0);
  for (const auto& [of, all] : candidates_) {
    std::map<std::pair<std::string, std::string_view>, std::size_t> root_of;  // key, mark
    for (const Candidate& one : all) {
      const std::size_t r = root_of_[one.found];
      const std::string& participant = claims_[one.claim].lms_id;
      const bool by_number = roots_[r].format == Format::moodle && !participant.empty();
      if (!one.gradable && !by_number) continue;
      const std::string_view mark = by_number ? participant : one.text;
      const std::size_t first = root_of.try_emplace({keys_[r], mark}, r).first->second;
      const std::size_t from = same_as[r], to = same_as[first];
      std::replace(same_as.begin(), same_as.end(), std::max(from, to), std::min(from, to));
    }
  }
  for (const auto& [key, all] : called) {
    if (key.starts_with("gradescope assignment-")) continue;
    std::set<std::size_t> groups;
    for (const std::size_t r : all) groups.insert(same_as[r]);
    if (groups.size() < 2) continue;
    for (const std::size_t r : all) keys_[r] += " of " + slug(inputs_[same_as[r]]);
  }
}

Intake Intaker::run(const std::vector<std::filesystem::path>& inputs) {
  std::set<std::filesystem::path> seen;
  std::map<std::string, std::size_t> named;
  std::set<std::string> prefixes;
  for (const std::filesystem::path& input : inputs) ++named[name_of(input)];
  for (const std::filesystem::path& input : inputs) {
    std::error_code unknown;
    if (!seen.insert(std::filesystem::weakly_canonical(input, unknown)).second) continue;
    const std::string name = name_of(input);
    std::string whole = clean_name(decode_name(input.string()));
    if (!prefixes.insert(whole).second) prefixes.insert(whole = spelt_out(input.string()));
    find(input, inputs.size() > 1 ? whole : "", named[name] > 1 ? whole : name);
  }
  refuse_too_slow();
  claim_all();
  resolve_owners();
  tell_future_times();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    begin_file(found_[i]);
    sort_out(i);
    std::string().swap(found_[i].text);  // what counts is a candidate now
  }
  if (options_.begin_file) options_.begin_file({});
  keep_downloads_apart();
  choose();

  const std::vector<Student>& students = identities_.students();
  for (const auto& [student, left] : left_alone_)
    remark(Remark::Kind::left_alone, left.first,
           left.count == 1
               ? std::string("it is not a source file and was ignored")
               : fmt::format("this and {} more of {} are not source files and were ignored",
                             left.count - 1, students[student].id));
  std::stable_sort(remarks_.begin(), remarks_.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  for (auto& [one, i] : remarks_) {
    if (one.student.empty() && !students_[i].empty())
      one.student = students[students_[i].front()].id;
    intake_.remarks.push_back(std::move(one));
  }
  for (const Remark& one : identities_.remarks()) intake_.remarks.push_back(one);

  std::vector<bool> has(students.size(), false);
  for (const auto& owners : students_)
    for (const std::size_t student : owners) has[student] = true;
  for (std::size_t i = 0; i < students.size(); ++i)
    if (!has[i]) intake_.missing.push_back(students[i].id);
  intake_.students = students;
  intake_.roots = roots_;
  std::sort(intake_.missing.begin(), intake_.missing.end());
  std::sort(intake_.students.begin(), intake_.students.end(),
            [](const Student& a, const Student& b) { return a.id < b.id; });
  std::sort(intake_.submissions.begin(), intake_.submissions.end(),
            [](const Submission& a, const Submission& b) {
              return std::tie(a.student, a.lab) < std::tie(b.student, b.lab);
            });
  return std::move(intake_);
}

const char* remark_name(Remark::Kind kind) {
  // In the order of Remark::Kind.
  static constexpr const char* kNames[] = {
      "no student",          "no lab",        "refused",  "not chosen", "left alone", "roster",
      "several submissions", "several files", "not read", "time"};
  return kNames[static_cast<std::size_t>(kind)];
}

Intake import_inputs(const std::vector<std::filesystem::path>& inputs,
                     const std::vector<grade::Manifest>& labs, const IntakeOptions& options) {
  std::vector<RosterEntry> roster;
  if (!options.roster.empty())
    roster = as_usage([&] { return read_roster(options.roster); });
  else if (!options.roster_text.empty())
    roster = as_usage([&] { return parse_roster(options.roster_text, options.roster_name); });
  IntakeOptions known = options;
  if (!known.kit_files) known.kit_files = kit_file_hashes(labs);
  Intake intake = Intaker(labs, known, std::move(roster)).run(inputs);
  if (intake.submissions.empty() && intake.remarks.empty())
    throw UsageError(fmt::format("{} no submissions", held_by(inputs)),
                     "Name the folder or the archive that the students' files are in.");
  return intake;
}

}  // namespace labkit::course
