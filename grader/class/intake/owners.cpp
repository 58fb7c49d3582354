#include "class/intake/owners.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <stdexcept>

#include "base/command_text.h"
#include "base/text.h"
#include "base/unicode.h"
#include "base/worded_time.h"
#include "class/intake/archive.h"

namespace labkit::course {

namespace {

constexpr std::size_t kLongestPart = 255;  // as take_apart() has it

Claim claim_canvas(const Found& found, std::size_t at) {
  const auto name = parse_canvas_name(found.parts[at]);
  if (!name) return {.why = "its name is not as Canvas names a submission"};
  Student owner;
  owner.set("canvas_id", name->user_id);
  owner.set("anonymous_id", name->anonymous_id);
  owner.name = !name->anonymous_id.empty() ? "Anonymous " + name->anonymous_id
               : name->name.empty()        ? "Canvas user " + name->user_id
                                           : name->name;
  Claim claim{.owners = {owner}, .own = {name->file}, .late = name->late, .group = name->name};
  const std::string& number = name->attachment_id;
  std::from_chars(number.data(), number.data() + number.size(), claim.order);
  if (name->typed) claim.why = "was typed into Canvas: there is no file";
  return claim;
}

/// Blind marking calls everybody by one word ("Participant", in the site's language).
Claim claim_moodle(const Found& found, std::size_t at) {
  const auto name = parse_moodle_name(found.parts[at]);
  if (!name) return {.why = "its name is not as Moodle names a submission"};
  Student owner{.name = name->name};
  owner.set("moodle_id", name->id);
  return {.owners = {owner},
          .own = {name->file},
          .group = name->name,
          .lms_id = name->id,
          .why = name->typed ? "was typed into Moodle: there is no file" : ""};
}

Claim claim_gradescope(const Found& found, std::size_t at,
                       const std::map<std::string, GradescopeSubmission>& metadata) {
  const auto entry = metadata.find(found.parts[at]);
  if (entry == metadata.end() || entry->second.owners.empty())
    return {.why = "submission_metadata.yml names no submitter for it"};
  return {.owners = entry->second.owners,
          .submitted_at = entry->second.submitted_at,
          .lms_id = found.parts[at]};
}

/// Where ".cu" or ".cuh" ends or is followed by no letter ("kernel.cu-1", "lab3.cu (1).txt"); npos: nowhere.
std::size_t cuda_ending(std::string_view name) {
  static const std::regex form(R"([^]\.cuh?(?![a-z]))", std::regex::icase);
  std::cmatch found;
  return std::regex_search(name.begin(), name.end(), found, form)
             ? static_cast<std::size_t>(found.position()) + 1
             : std::string_view::npos;
}

/// "j.smith.cu" gives "j.smith".
std::string_view bare_name(std::string_view name) {
  const std::size_t cuda = cuda_ending(name);
  if (cuda != std::string_view::npos) return name.substr(0, cuda);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

/// Of a file beside the students' folders: what is called README.txt or roster.csv is no student.
bool may_be_a_submission(const Found& found, const LabNames& labs) {
  const std::string& name = found.parts.back();
  if (cuda_ending(name) != std::string_view::npos) return true;
  // A link or what cannot be read may be a student's folder.
  if (found.kind == Found::Kind::refused) return name.find('.') == std::string::npos;
  return found.kind == Found::Kind::source && !lab_of_most(labs.kernels_in(found.text)).empty();
}

constexpr std::string_view kAttempt = "_attempt_";
/// Blackboard's "Lab 1_b_li_attempt_2026-11-02-23-59-12_lab1.cu": all up to the time, that, and the student's own name.
bool is_blackboards(const std::string& part, std::smatch& parts) {
  static const std::regex form(R"((.+_attempt_)(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt))");
  return std::regex_match(part, parts, form);
}

/// Of Blackboard, or Brightspace's "51008-7200 - Ana García - Nov 2, 2026 1159 PM", a folder.
std::optional<Claim> claim_dated(const std::string& part, const Root& root) {
  static const std::regex folder(R"((\d+)-\d+ ?- (.+) - (.+))");
  std::smatch parts;
  if (is_blackboards(part, parts)) {
    const std::string& student = root.students.at(parts[1]);
    return Claim{.owners = {Student{.name = student, .keys = {{"folder", student}}}},
                 .own = {parts[3].str()},
                 .order = std::stoull(replace_all(parts[2].str(), "-", ""))};
  }
  if (std::regex_match(part, parts, folder))
    if (const auto at = parse_worded_time(parts[3]))
      return Claim{.owners = {Student{.name = parts[2], .keys = {{"moodle_id", parts[1]}}}},
                   .order = static_cast<std::uint64_t>(*at)};
  return std::nullopt;
}

/// What stands before the student in the names of repositories: "cs101-week2-" of "cs101-week2-alice"; "" if nothing does.
/// Most of `names` share it, and most of what follows is `people`; or else all do, and it ends as assignments do, with a number
/// or a lab. Of a single name it must be both, but of a whole kit: "cs101-lab3-al-bo" is not bo's.
std::string assignment_in(const std::set<std::string>& names, const std::set<std::string>& people,
                          const LabNames& labs, bool is_kit) {
  static const std::regex named("(?:[a-z][ _-]?[0-9]+|labs?|homework|assignment)-$",
                                std::regex::icase);
  using Counts = std::pair<std::size_t, std::size_t>;  // names, and people among what follows
  std::map<std::string, Counts> counts;  // by beginning: those that most share are sorted by length
  for (const std::string& name : names)
    for (std::size_t end = 0;
         !people.contains(fold_name(name)) && (end = name.find('-', end) + 1) > 0;) {
      const std::string rest = name.substr(end);
      if (labs.without_lab(rest).empty()) break;  // "ana-lab3-final"
      auto& [sharing, followed] = counts[name.substr(0, end)];
      ++sharing;
      followed += people.contains(fold_name(rest));
    }
  std::string best;
  bool is_behind_lab = false;
  for (const auto& [before, count] : counts) {
    if (2 * count.first <= names.size()) continue;
    const bool is_lab = !labs.lab_of(before).empty(), is_several = names.size() > 1,
               ends = !is_behind_lab && (is_lab || std::regex_search(before, named));
    if (2 * count.second > names.size() && (is_several || ends)) return before;
    if ((is_several || is_kit) && ends && count.first == names.size()) best = before;
    is_behind_lab |= is_lab;
  }
  return best;
}

/// "alice" of "cuda-memory-labs-alice-main", a repository made from the kit, as GitHub packs it.
std::string without_kit(const std::string& name) {
  static const std::regex kit(
      R"(cuda[-_]memory[-_]labs(?:[-_]+(?!main$|master$)(.*?))?(?:-main|-master)?)",
      std::regex::icase);
  std::smatch of;
  return std::regex_match(name, of, kit) ? of[1].str() : name;
}

bool is_loose(const Found& found, const Root& root) {
  return found.parts.size() == root.prefix.size() + 1 && found.kind != Found::Kind::folder;
}

/// "alice/...", "alice.zip", "alice_lab3/...", "alice_lab3.cu". The part stays in what is looked at for the lab.
Claim claim_plain(const Found& found, const Root& root, const LabNames& labs) {
  const std::string& part = found.parts[root.prefix.size()];
  if (auto dated = claim_dated(part, root)) return *dated;
  const std::string name = plain_name(found, root, labs);
  if (name.empty())
    return {.why = "not in a student's folder, and neither a .cu file nor an archive"};
  const std::string& student = root.students.at(name);
  if (student.empty())
    return {.why = is_loose(found, root) ? "not in a student's folder, and its name says no student"
                                         : "the name of its folder says no student"};
  return {.owners = {Student{.name = student, .keys = {{"folder", student}}}}, .own = {part}};
}

}  // namespace

std::optional<CanvasName> parse_canvas_name(std::string_view part) {
  // Canvas strips _digits_ from names: the first such run is the user's.
  static const std::regex form(
      R"((?:(LATE_)?anon_([A-Za-z0-9]+)|(.*?)(_LATE|^LATE)?_(\d+))(?:_(?:text|link)\.html|_(\d+)_(.+)))");
  std::cmatch parts;
  if (part.size() > kLongestPart || std::ranges::count(part, '_') < 2 ||
      !std::regex_match(part.begin(), part.end(), parts, form))
    return std::nullopt;
  return CanvasName{.name = parts[3].str(),
                    .user_id = parts[5].str(),
                    .anonymous_id = parts[2].str(),
                    .attachment_id = parts[6].str(),
                    .file = parts[7].str(),
                    .late = parts[1].matched || parts[4].matched,
                    .typed = !parts[7].matched};
}

std::optional<MoodleName> parse_moodle_name(std::string_view part) {
  static const std::regex form(R"((.+?)(?:_(\d+))?_assignsubmission_([^_]+)_?(.*))");
  std::cmatch parts;
  if (part.size() > kLongestPart || part.find("_assignsubmission_") == std::string_view::npos ||
      !std::regex_match(part.begin(), part.end(), parts, form))
    return std::nullopt;
  MoodleName name{.name = parts[1].str(),
                  .id = parts[2].str(),
                  .file = parts[4].str(),
                  .typed = parts[3].str() != "file"};
  std::ranges::replace(name.name, '_', ' ');  // of older versions
  return name;
}

std::map<std::string, GradescopeSubmission> parse_gradescope_metadata(const std::string& yaml) {
  std::map<std::string, GradescopeSubmission> submissions;
  const auto text_of = [](const YAML::Node& node, const char* key) {
    const YAML::Node value = node[key];
    return value.IsDefined() && value.IsScalar() ? clean_name(value.Scalar()) : std::string();
  };
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap()) throw std::runtime_error("it lists no submissions");
    for (const auto& item : root) {
      if (!item.first.IsScalar() || !item.second.IsMap()) continue;
      GradescopeSubmission& submission = submissions[item.first.Scalar()];
      submission.submitted_at = parse_time(text_of(item.second, ":created_at"));
      const YAML::Node submitters = item.second[":submitters"];
      if (!submitters.IsDefined() || !submitters.IsSequence()) continue;
      for (const YAML::Node& submitter : submitters) {
        if (!submitter.IsMap()) continue;
        const std::string sid = text_of(submitter, ":sid"), email = text_of(submitter, ":email");
        Student owner{.name = first_of({text_of(submitter, ":name"), email, sid})};
        for (const char* key : {"sid", kLmsSid}) owner.set(key, sid);
        for (const char* key : {"email", kLmsEmail}) owner.set(key, email);
        if (!owner.name.empty()) submission.owners.push_back(owner);
      }
    }
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(std::string("it is no YAML: ") + error.what());
  }
  return submissions;
}

std::string student_named(std::string_view file_name, const LabNames& labs) {
  const std::string left = labs.without_lab(without_kit(without_archive_ending(file_name)));
  const std::size_t lab = left.find("  ");  // where it was
  if (lab == std::string::npos) return clean_name(left);
  const std::string before(trim(left.substr(0, lab))), after(trim(left.substr(lab)));
  const std::string student = after.substr(std::min(after.find_first_not_of("-_"), after.size()));
  const bool is_parted = before.ends_with('-') || before.ends_with('_');
  return clean_name(before + (is_parted ? student : after));
}

std::string plain_name(const Found& found, const Root& root, const LabNames& labs) {
  const std::string& part = found.parts[root.prefix.size()];
  if (std::smatch parts; is_blackboards(part, parts)) return parts[1];
  const bool is_file = is_loose(found, root) && !names_archive(part);
  if (is_file && !may_be_a_submission(found, labs)) return {};
  const std::string name = is_file ? std::string(bare_name(part)) : without_archive_ending(part);
  return first_of({without_kit(name), name});
}

std::map<std::string, std::string> students_in(const std::set<std::string>& names,
                                               const std::set<std::string>& people,
                                               const LabNames& labs, bool is_kit) {
  static const std::regex number(R"(([^ ]) ?\(\d+\)$)");
  const auto without_number = [](const std::string& name) {
    return std::regex_replace(name, number, "$1");
  };
  const auto head = [](const std::string& name) {
    return name.ends_with(kAttempt) ? name.substr(0, name.size() - kAttempt.size()) : std::string();
  };
  std::set<std::string> bare, heads;
  for (const std::string& name : names)
    if (head(name).empty())
      bare.insert(without_number(name));
    else
      heads.insert(replace_all(head(name), "_", "-"));
  bare.erase("");
  const std::string shared = assignment_in(bare, people, labs, is_kit),
                    titled = assignment_in(heads, people, labs, true);
  std::map<std::string, std::string> students;
  for (const std::string& name : names) {
    if (const std::string whole = head(name); !whole.empty()) {
      students[name] = whole.substr(titled.empty() ? whole.rfind('_') + 1 : titled.size());
      continue;
    }
    const std::string first = without_number(name);
    const bool is_shared = !shared.empty() && first.starts_with(shared);
    std::string& student = students[name] = first.substr(
        is_shared ? shared.size() : assignment_in({first}, people, labs, is_kit).size());
    if (people.contains(fold_name(student))) continue;
    if (!names.contains(first)) student += name.substr(first.size());
    student = student_named(student, labs);
  }
  return students;
}

Claim claim(const Found& found, const Root& root,
            const std::map<std::string, GradescopeSubmission>& metadata, const LabNames& labs) {
  const std::size_t at = root.prefix.size();
  if (at >= found.parts.size()) return {};
  Claim claim = root.format == Format::canvas       ? claim_canvas(found, at)
                : root.format == Format::moodle     ? claim_moodle(found, at)
                : root.format == Format::gradescope ? claim_gradescope(found, at, metadata)
                                                    : claim_plain(found, root, labs);
  std::erase(claim.own, "");
  claim.own.insert(claim.own.end(), found.parts.begin() + static_cast<std::ptrdiff_t>(at + 1),
                   found.parts.end());
  return claim;
}

std::string submitted_name(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto canvas = parse_canvas_name(name);
  const auto moodle = parse_moodle_name(name);
  if (canvas && !canvas->file.empty()) return canvas->file;
  return moodle && !moodle->file.empty() ? moodle->file : name;
}

}  // namespace labkit::course
