#include "class/intake/assignments.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/lab_names.h"
#include "class/intake/names.h"
#include "class/intake/owners.h"

namespace labkit::course {
namespace {

/// Ids in the order of the labs; "" in `unknown`, or the name that is none.
std::vector<std::string> lab_ids(const std::vector<std::string>& names,
                                 const std::vector<grade::Manifest>& labs, std::string& unknown) {
  const LabNames known(labs);
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    const std::string lab = known.lab_of(name);
    if (lab.empty()) unknown = name;
    wanted.insert(lab);
  }
  std::vector<std::string> ids;
  for (const grade::Manifest& lab : labs)
    if (wanted.contains(lab.id)) ids.push_back(lab.id);
  return ids;
}

std::string known_labs(const std::vector<grade::Manifest>& labs) {
  std::string list;
  for (const grade::Manifest& lab : labs) list += (list.empty() ? "" : ", ") + lab.id;
  return list;
}

class Reader {
 public:
  Reader(const std::string& file, const std::vector<grade::Manifest>& labs)
      : file_(file), labs_(labs) {}

  std::vector<Assignment> read(const toml::table& root) const {
    for (const auto& [key, node] : root)
      if (key.str() != "assignment" || !node.is_array_of_tables())
        fail(node, fmt::format("unknown key `{}`", key.str()),
             "An assignment begins with [[assignment]] on a line of its own.");
    std::vector<Assignment> all;
    if (const toml::array* tables = root["assignment"].as_array())
      for (const toml::node& node : *tables) add(all, *node.as_table());
    return all;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& what,
                         const std::string& remedy) const {
    throw UsageError(fmt::format("{}:{}: {}", file_, node.source().begin.line, what), remedy);
  }

  std::vector<std::string> texts(const toml::node& node, std::string_view key) const {
    std::vector<std::string> list;
    const toml::array* array = node.as_array();
    if (array)
      for (const toml::node& one : *array)
        if (const auto text = one.value<std::string>()) list.push_back(*text);
    if (!array || list.size() != array->size())
      fail(node, fmt::format("`{}` must be a list of texts", key),
           fmt::format("Write it as {} = [\"{}\"].", key, key == "labs" ? "lab3" : "Lab 3*"));
    return list;
  }

  std::int64_t time(const toml::node& node) const {
    const auto* stamp = node.as_date_time();
    if (!stamp || !stamp->get().offset)
      fail(node, "`due` must be a time with its zone",
           "Write it as 2026-10-01T23:59:00-07:00, without quotes.");
    std::ostringstream text;
    text << stamp->get();
    const auto seconds = parse_time(text.str());
    if (!seconds) fail(node, "`due` is no time", "Correct it.");
    return *seconds;
  }

  void add(std::vector<Assignment>& all, const toml::table& table) const {
    Assignment one;
    for (const auto& [key, node] : table) {
      if (key.str() == "name" && node.is_string())
        one.name = node.value<std::string>().value();
      else if (key.str() == "labs")
        one.labs = labs_in(node);
      else if (key.str() == "downloads")
        one.downloads = texts(node, "downloads");
      else if (key.str() == "due")
        one.due = time(node);
      else
        fail(node, fmt::format("unknown key `{}`", key.str()),
             "An assignment has `name`, `labs`, `downloads` and `due`.");
    }
    if (one.labs.empty())
      fail(table, "an assignment without labs", "Say which labs it grades: labs = [\"lab3\"].");
    if (one.name.empty()) one.name = joined(one.labs, "+");
    for (const Assignment& other : all)
      for (const std::string& lab : one.labs)
        if (std::find(other.labs.begin(), other.labs.end(), lab) != other.labs.end())
          fail(
              table,
              fmt::format("{} is in two assignments, \"{}\" and \"{}\"", lab, other.name, one.name),
              "Name each lab in one assignment; one assignment may have several downloads.");
    all.push_back(std::move(one));
  }

  std::vector<std::string> labs_in(const toml::node& node) const {
    std::string unknown;
    const auto ids = lab_ids(texts(node, "labs"), labs_, unknown);
    if (!unknown.empty())
      fail(node, fmt::format("there is no lab \"{}\"", unknown),
           fmt::format("The labs are {}.", known_labs(labs_)));
    return ids;
  }

  const std::string& file_;
  const std::vector<grade::Manifest>& labs_;
};

}  // namespace

namespace {

/// Words and numbers with one character between them: "LAB_3 (1).zip" and "lab3-1 zip" are the same.
std::string spelling_of(std::string_view text) {
  std::string all;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto kind = [&](std::size_t i) {
      if (is_digit(text[i])) return 1;
      return is_letter(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80 ? 2 : 0;
    };
    std::size_t end = begin + 1;
    while (end < text.size() && kind(end) == kind(begin)) ++end;
    if (kind(begin) != 0)
      all += (all.empty() ? "" : " ") + fold_name(text.substr(begin, end - begin));
    begin = end;
  }
  return all;
}

}  // namespace

bool fits_pattern(std::string_view name, std::string_view pattern) {
  // one spelling of each part between the stars, which must come one after the other
  const std::string folded = spelling_of(name);
  std::size_t at = 0, begin = 0;
  for (bool is_first = true;; is_first = false) {
    const std::size_t star = pattern.find('*', begin);
    const std::string part = spelling_of(pattern.substr(begin, star - begin));
    const bool is_last = star == std::string_view::npos;
    if (is_first && is_last) return folded == part;
    if (is_last && folded.size() - at < part.size()) return false;
    std::size_t found = is_last ? folded.size() - part.size() : folded.find(part, at);
    // "lab1*" is not "lab12"
    const auto cuts_number = [&] {
      const std::size_t end = found + part.size();
      return !part.empty() && is_digit(part.back()) && end < folded.size() && is_digit(folded[end]);
    };
    while (found != std::string::npos && !is_first && !is_last && cuts_number())
      found = folded.find(part, found + 1);
    if (found == std::string::npos || found < at || (is_first && found != 0) ||
        folded.compare(found, part.size(), part) != 0 || cuts_number())
      return false;
    at = found + part.size();
    if (is_last) return true;
    begin = star + 1;
  }
}

Assignments::Assignments(std::string_view toml, const std::string& file,
                         const std::vector<grade::Manifest>& labs) {
  try {
    all_ = Reader(file, labs).read(toml::parse(toml, file));
  } catch (const toml::parse_error& error) {
    throw UsageError(
        fmt::format("{}:{}: {}", file, error.source().begin.line, std::string(error.description())),
        "Correct it; the format is TOML.");
  }
}

const Assignment* Assignments::of_lab(std::string_view lab) const {
  for (const Assignment& one : all_)
    if (std::find(one.labs.begin(), one.labs.end(), lab) != one.labs.end()) return &one;
  return nullptr;
}

const Assignment* Assignments::of_download(std::string_view name) const {
  for (const Assignment& one : all_)
    for (const std::string& pattern : one.downloads)
      if (fits_pattern(name, pattern)) return &one;
  return nullptr;
}

Assignment assignment_from(const std::string& text, const std::vector<grade::Manifest>& labs) {
  const std::size_t equals = text.rfind('=');
  Assignment one;
  one.downloads = {equals == std::string::npos ? "*" : std::string(trim(text.substr(0, equals)))};
  std::vector<std::string> names;
  const std::string list = equals == std::string::npos ? text : text.substr(equals + 1);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.emplace_back(trim(std::string_view(list).substr(begin, end - begin)));
    begin = end + 1;
  }
  std::string unknown;
  one.labs = lab_ids(names, labs, unknown);
  if (!unknown.empty() || one.labs.empty() || one.downloads[0].empty())
    throw UsageError(
        unknown.empty() ? fmt::format("--assignment \"{}\" names no lab", text)
                        : fmt::format("--assignment \"{}\": there is no lab \"{}\"", text, unknown),
        fmt::format("Write it as --assignment \"Lab 3*=lab3\": the name of the download, and the "
                    "labs that were set. The labs are {}.",
                    known_labs(labs)));
  one.name = joined(one.labs, "+");
  return one;
}

const char* assignments_head() {
  return R"(# What each assignment of this class is. `class grade` adds what a download says; edit it as you like.
#   labs       the labs that were set: these are graded, and nothing else
#   downloads  names of its downloads, where they do not say the lab; * is any text
#   due        with its zone; without it nothing is late but what the LMS calls so
)";
}

std::string assignment_toml(const Assignment& one) {
  std::string labs;
  for (const std::string& lab : one.labs) labs += (labs.empty() ? "\"" : ", \"") + lab + "\"";
  return fmt::format(
      "\n[[assignment]]\nname = {}\nlabs = [{}]\n# downloads = [\"Lab 3*\"]\n# due = "
      "2026-11-02T23:59:00+01:00\n",
      (std::ostringstream() << toml::value<std::string>(one.name)).str(), labs);
}

}  // namespace labkit::course
