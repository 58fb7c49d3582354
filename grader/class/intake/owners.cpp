#include "class/intake/owners.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <stdexcept>

#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/names.h"

namespace labkit::course {

namespace {

constexpr std::array<std::pair<Format, const char*>, 4> kFormats = {
    {{Format::plain, "plain"},
     {Format::canvas, "canvas"},
     {Format::moodle, "moodle"},
     {Format::gradescope, "gradescope"}}};

bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }

/// The run of characters of `kind` at `at`, moving it past.
template <typename Kind>
std::string take(std::string_view text, std::size_t& at, Kind kind) {
  const std::size_t begin = at;
  while (at < text.size() && kind(text[at])) ++at;
  return std::string(text.substr(begin, at - begin));
}

bool take_text(std::string_view text, std::size_t& at, std::string_view wanted) {
  if (!text.substr(at).starts_with(wanted)) return false;
  at += wanted.size();
  return true;
}

/// "_456_lab3.cu", or "_text.html" of what was typed.
bool take_canvas_file(std::string_view part, std::size_t at, CanvasName& name) {
  if (part.substr(at) == "_text.html" || part.substr(at) == "_link.html") {
    name.typed = true;
    return true;
  }
  if (!take_text(part, at, "_")) return false;
  name.attachment_id = take(part, at, is_digit);
  if (name.attachment_id.empty() || !take_text(part, at, "_") || at >= part.size()) return false;
  name.file = part.substr(at);
  return true;
}

}  // namespace

const char* format_name(Format format) {
  for (const auto& [kind, name] : kFormats)
    if (kind == format) return name;
  return "plain";
}

std::optional<Format> format_from_name(std::string_view name) {
  for (const auto& [kind, text] : kFormats)
    if (name == text) return kind;
  return std::nullopt;
}

std::optional<CanvasName> parse_canvas_name(std::string_view part) {
  CanvasName anonymous;
  std::size_t at = 0;
  anonymous.late = take_text(part, at, "LATE_");
  if (take_text(part, at, "anon_")) {
    anonymous.anonymous_id = take(part, at, is_alphanumeric);
    if (!anonymous.anonymous_id.empty() && take_canvas_file(part, at, anonymous)) return anonymous;
  }
  // Canvas strips _digits_ from names: the first such run is the user's.
  for (std::size_t i = part.find('_'); i != std::string_view::npos; i = part.find('_', i + 1)) {
    CanvasName name;
    std::size_t rest = i + 1;
    name.user_id = take(part, rest, is_digit);
    if (name.user_id.empty() || !take_canvas_file(part, rest, name)) continue;
    std::string_view who = part.substr(0, i);
    if (who.ends_with("_LATE") || who == "LATE") {
      name.late = true;
      who.remove_suffix(who == "LATE" ? 4 : 5);
    }
    name.name = who;
    return name;
  }
  return std::nullopt;
}

std::optional<MoodleName> parse_moodle_name(std::string_view part) {
  constexpr std::string_view kMark = "_assignsubmission_";
  const std::size_t mark = part.find(kMark);
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  MoodleName name;
  std::string_view who = part.substr(0, mark);
  const std::size_t last = who.find_last_not_of("0123456789");
  if (last != std::string_view::npos && last + 1 < who.size() && who[last] == '_') {
    name.id = who.substr(last + 1);
    who = who.substr(0, last);
  }
  name.name = who;
  std::replace(name.name.begin(), name.name.end(), '_', ' ');  // of older versions
  std::string_view rest = part.substr(mark + kMark.size());
  const std::string_view plugin = rest.substr(0, rest.find('_'));
  if (plugin.empty()) return std::nullopt;
  name.typed = plugin != "file";
  rest.remove_prefix(plugin.size());
  if (rest.starts_with('_')) rest.remove_prefix(1);
  name.file = rest;
  return name;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  std::size_t at = 0;
  const auto number = [&](std::size_t digits) -> int {
    int value = 0;
    const char* begin = text.data() + std::min(at, text.size());
    const char* end = text.data() + std::min(at + digits, text.size());
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != begin + digits) return -1;
    at += digits;
    return value;
  };
  const auto skip = [&](std::string_view any) {
    if (at < text.size() && any.find(text[at]) != std::string_view::npos) ++at;
  };
  const int year = number(4);
  skip("-");
  const int month = number(2);
  skip("-");
  const int day = number(2);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 0 || month < 0 || day < 0 || !date.ok()) return std::nullopt;
  int hour = 0, minute = 0, second = 0, zone_minutes = 0;
  if (at < text.size()) {
    skip("Tt ");
    hour = number(2);
    skip(":");
    minute = number(2);
    if (at < text.size() && text[at] == ':') {
      ++at;
      second = number(2);
    }
    if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60)
      return std::nullopt;
    if (at < text.size() && text[at] == '.')
      for (++at; at < text.size() && is_digit(text[at]);) ++at;
    while (at < text.size() && text[at] == ' ') ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
      const int sign = text[at++] == '-' ? -1 : 1;
      const int hours = number(2);
      skip(":");
      const int minutes = at < text.size() ? number(2) : 0;
      if (hours < 0 || minutes < 0) return std::nullopt;
      zone_minutes = sign * (hours * 60 + minutes);
    } else if (at < text.size() && text[at] != 'Z' && text[at] != 'z' && text.substr(at) != "UTC") {
      return std::nullopt;
    }
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute - zone_minutes) * 60 + second;
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
        Owner owner;
        owner.name = text_of(submitter, ":name");
        owner.sid = text_of(submitter, ":sid");
        owner.email = text_of(submitter, ":email");
        if (!owner.name.empty() || !owner.sid.empty() || !owner.email.empty())
          submission.owners.push_back(owner);
      }
    }
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(std::string("it is no YAML: ") + error.what());
  }
  return submissions;
}

namespace {

Claim claim_canvas(const Found& found, std::size_t at) {
  const auto name = parse_canvas_name(found.parts[at]);
  if (!name) return {.why = "its name is not as Canvas names a submission"};
  Claim claim;
  Owner owner;
  owner.canvas_id = name->user_id;
  owner.anonymous_id = name->anonymous_id;
  owner.name = name->anonymous_id.empty() ? name->name : "Anonymous " + name->anonymous_id;
  if (owner.name.empty()) owner.name = "Canvas user " + name->user_id;
  claim.owners = {owner};
  claim.consumed = at + 1;
  claim.first = name->file;
  claim.late = name->late;
  claim.group = name->name;
  std::from_chars(name->attachment_id.data(),
                  name->attachment_id.data() + name->attachment_id.size(), claim.order);
  if (name->typed) claim.why = "was typed into Canvas: there is no file";
  return claim;
}

Claim claim_moodle(const Found& found, std::size_t at) {
  const auto name = parse_moodle_name(found.parts[at]);
  if (!name) return {.why = "its name is not as Moodle names a submission"};
  Claim claim;
  Owner owner;
  owner.moodle_id = name->id;
  owner.name = name->name;
  // Blind marking calls everybody by one word ("Participant", in the site's language).
  claim.owners = {owner};
  claim.consumed = at + 1;
  claim.first = name->file;
  claim.lms_id = name->id;
  claim.group = name->name;
  if (name->typed) claim.why = "was typed into Moodle: there is no file";
  return claim;
}

Claim claim_gradescope(const Found& found, std::size_t at,
                       const std::map<std::string, GradescopeSubmission>& metadata) {
  const auto entry = metadata.find(found.parts[at]);
  if (entry == metadata.end() || entry->second.owners.empty())
    return {.why = "submission_metadata.yml names no submitter for it"};
  Claim claim;
  claim.owners = entry->second.owners;
  claim.submitted_at = entry->second.submitted_at;
  claim.consumed = at + 1;
  claim.lms_id = found.parts[at];
  return claim;
}

/// Where ".cu" or ".cuh" ends or is followed by no letter ("kernel.cu-1", "lab3.cu (1).txt"); npos: nowhere.
std::size_t cuda_ending(std::string_view name) {
  const std::string low = to_lower(name);
  for (std::size_t at = low.find(".cu", 1); at != std::string::npos; at = low.find(".cu", at + 1)) {
    std::size_t after = at + 3;
    if (after < low.size() && low[after] == 'h') ++after;
    if (after == low.size() || !is_letter(low[after])) return at;
  }
  return std::string_view::npos;
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
  if (cuda_ending(name) != std::string_view::npos || !foreign_archive(name).empty()) return true;
  // A link or what cannot be read may be a student's folder.
  if (found.kind == Found::Kind::refused) return name.find('.') == std::string::npos;
  return found.kind == Found::Kind::source && !labs.kernels_in(found.text).lab.empty();
}

/// "alice/...", "alice.zip", "alice_lab3/...", "alice_lab3.cu". The part stays in what is looked at
/// for the lab.
Claim claim_plain(const Found& found, const Root& root, const LabNames& labs) {
  Claim claim;
  const std::size_t at = root.prefix.size();
  const std::string& part = found.parts[at];
  std::string_view name = part;
  const bool loose = at + 1 == found.parts.size() && found.kind != Found::Kind::folder;
  claim.consumed = at;
  if (root.downloads.contains(part)) {
    claim.why =
        "it looks like an LMS's download of several students, beside folders of students: name it "
        "as an INPUT of its own";
    return claim;
  }
  if (loose && !names_archive(part)) {
    if (!may_be_a_submission(found, labs)) {
      claim.why = "it lies in no student's folder, and is no .cu and no archive";
      return claim;
    }
    name = bare_name(name);
  }
  // a repository made from the kit: "cuda-memory-labs-alice"
  constexpr std::string_view kKit = "cuda-memory-labs-";
  if (to_lower(name).starts_with(kKit) && name.size() > kKit.size()) {
    name.remove_prefix(kKit.size());
    for (const std::string_view branch : {"-main", "-master"})  // as GitHub packs it
      if (name.ends_with(branch) && name.size() > branch.size()) name.remove_suffix(branch.size());
  }
  Owner owner;
  owner.plain = clean_name(labs.without_lab(without_archive_ending(name)));
  owner.name = owner.plain;
  if (owner.plain.empty())
    claim.why = loose ? "it lies in no student's folder, and its name says no student"
                      : "the name of its folder says no student";
  else
    claim.owners = {owner};
  return claim;
}

}  // namespace

Claim claim(const Found& found, const Root& root,
            const std::map<std::string, GradescopeSubmission>& metadata, const LabNames& labs) {
  const std::size_t at = root.prefix.size();
  if (at >= found.parts.size()) return {};
  switch (root.format) {
    case Format::canvas:
      return claim_canvas(found, at);
    case Format::moodle:
      return claim_moodle(found, at);
    case Format::gradescope:
      return claim_gradescope(found, at, metadata);
    case Format::plain:
      break;
  }
  return claim_plain(found, root, labs);
}

namespace {

std::string without_lms(std::string name) {
  if (const auto canvas = parse_canvas_name(name); canvas && !canvas->file.empty())
    return canvas->file;
  if (const auto moodle = parse_moodle_name(name); moodle && !moodle->file.empty())
    return moodle->file;
  return name;
}

}  // namespace

std::string students_file_name(const std::string& path) {
  return without_lms(path.substr(path.find_last_of('/') + 1));
}

std::string submitted_name(const std::string& path, const std::string& download) {
  const std::string input = download.substr(download.find_last_of('/') + 1);
  for (std::size_t begin = 0;;) {
    const std::size_t end = path.find('/', begin);
    if (end == std::string::npos || download.empty()) return students_file_name(path);
    const std::string part = path.substr(begin, end - begin);
    if (names_archive(part) && part != input && !download.ends_with(path.substr(0, end)))
      return without_lms(part) + path.substr(end);
    begin = end + 1;
  }
}

}  // namespace labkit::course
