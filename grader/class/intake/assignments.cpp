#include "class/intake/assignments.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/command_text.h"
#include "base/error.h"
#include "base/path_names.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/intake/lab_names.h"
#include "class/intake/owners.h"
#include "grade/toml_reader.h"

namespace labkit::course {
namespace {

/// "lab3", "lab2 lab3". Throws std::invalid_argument for what is no lab, or for more than `most`.
std::vector<std::string> labs_named(const std::vector<grade::Manifest>& labs,
                                    const std::string& name, std::size_t most) {
  const LabNames known(labs);
  std::vector<std::string> named = known.labs_of(name), ids;
  if (!named.empty() && named.size() <= most && known.without_lab(name).empty()) return named;
  for (const grade::Manifest& lab : labs) ids.push_back(lab.id);
  throw std::invalid_argument(
      fmt::format("there is no lab \"{}\"; the labs are {}", to_valid_utf8(name), joined(ids)));
}

/// Ids in the order of the labs.
std::vector<std::string> lab_ids(const std::vector<std::string>& names,
                                 const std::vector<grade::Manifest>& labs) {
  std::set<std::string> wanted;
  for (const std::string& name : names)
    for (const std::string& lab : labs_named(labs, name, labs.size())) wanted.insert(lab);
  std::vector<std::string> ids;
  for (const grade::Manifest& lab : labs)
    if (wanted.contains(lab.id)) ids.push_back(lab.id);
  return ids;
}

Assignment read_assignment(const toml::table& table, const std::string& file,
                           const std::vector<grade::Manifest>& labs) {
  grade::TomlReader reader(
      table, file, "an assignment",
      "It has labs = [\"lab3\"], and where they are needed name, downloads = [\"Lab "
      "3*\"] and due = 2026-11-02T23:59:00+01:00.");
  Assignment one;
  try {
    one.labs = lab_ids(reader.texts("labs"), labs);
  } catch (const std::invalid_argument& error) {
    reader.fail(error.what(), reader.find("labs"));
  }
  one.name = reader.optional<std::string>("name", "a text", "");
  if (one.name.empty()) one.name = joined(one.labs, "+");
  if (reader.find("downloads")) one.downloads = reader.texts("downloads");
  if (const toml::node* due = reader.find("due")) {
    const auto* time = due->as_date_time();
    if (!time || !time->get().offset)
      reader.fail("`due` must be a time with its zone, without quotes", due);
    one.due = parse_time((std::ostringstream() << time->get()).str());
    one.zone_seconds = std::int64_t{60} * time->get().offset->minutes;
  }
  reader.no_other_keys();
  return one;
}

}  // namespace

const grade::Manifest& lab_named(const std::vector<grade::Manifest>& labs,
                                 const std::string& name) {
  return *std::ranges::find(labs, labs_named(labs, name, 1).front(), &grade::Manifest::id);
}

Assignments::Assignments(std::string_view toml, const std::string& file,
                         const std::vector<grade::Manifest>& labs) {
  as_usage([&] {
    const toml::table root = grade::parse_toml(
        toml, file,
        "Correct it; the format is TOML, and a due time is due = 2026-11-02T23:59:00+01:00.");
    grade::TomlReader reader(root, file, "what was set",
                             "An assignment begins with [[assignment]] on a line of its own.");
    for (const toml::table* table : reader.tables("assignment")) {
      Assignment one = read_assignment(*table, file, labs);
      for (const std::string& lab : one.labs)
        if (const Assignment* other = of_lab(lab))
          reader.fail(
              fmt::format("{} is in two assignments, \"{}\" and \"{}\": name it in one, which "
                          "may have several downloads",
                          lab, other->name, one.name),
              table);
      all_.push_back(std::move(one));
    }
    reader.no_other_keys();
  });
}

const Assignment* Assignments::of_lab(std::string_view lab) const {
  for (const Assignment& one : all_)
    if (std::ranges::find(one.labs, lab) != one.labs.end()) return &one;
  return nullptr;
}

bool Assignment::is_of(std::string_view download) const {
  return std::ranges::any_of(
      downloads, [&](const std::string& pattern) { return fits_pattern(download, pattern); });
}

Assignment assignment_from(const std::string& text, const std::vector<grade::Manifest>& labs) {
  const std::size_t equals = text.rfind('=');
  Assignment one;
  one.downloads = {equals == std::string::npos ? "*" : std::string(trim(text.substr(0, equals)))};
  std::vector<std::string> names;
  for (const std::string_view name :
       split(std::string_view(text).substr(equals == std::string::npos ? 0 : equals + 1), ','))
    names.emplace_back(trim(name));
  try {
    if (one.downloads[0].empty()) throw std::invalid_argument("it names no download");
    one.labs = lab_ids(names, labs);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--assignment \"{}\": {}", text, error.what()),
                     "Write it as --assignment \"Lab 3*=lab3\": the name of the download, and the "
                     "labs that were set.");
  }
  one.name = joined(one.labs, "+");
  return one;
}

const char* assignments_head() {
  return R"(# What each assignment of this class is. `class grade` adds what a download says; edit it as you like.
#   labs       the labs that were set: these are graded and count, and nothing else
#   downloads  names of its downloads, where they do not say the lab; * is any text
#   due        with its zone; without it nothing is late but what the LMS calls so
# An edit applies with the next `class report` or `class grade`; a lab or a download that is added, with the next `class grade`.
)";
}

std::string assignment_toml(const Assignment& one) {
  return fmt::format(
      "\n[[assignment]]\nname = {0}\nlabs = [\"{1}\"]\n# downloads = [\"*{2}*\"]\n# due = "
      "2026-11-02T23:59:00+01:00\n",
      (std::ostringstream() << toml::value<std::string>(one.name)).str(),
      joined(one.labs, "\", \""), joined(one.labs, "*\", \"*"));
}

}  // namespace labkit::course
