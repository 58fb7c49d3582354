// What the teacher gave for the outputs, kept in the gradebook.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/command_text.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/intake/assignments.h"
#include "class/publish/exports.h"
#include "class/publish/publish.h"

namespace labkit::course {
namespace {

/// A class of nobody in which all labs are graded: what an export says of it, it says of its form.
Report nobodys(const std::vector<grade::Manifest>& labs) {
  Report report;
  for (const grade::Manifest& lab : labs) report.grades.emplace_back().lab = lab.id;
  return report;
}

std::vector<const grade::Manifest*> labs_of(const std::filesystem::path& worksheet,
                                            const std::vector<grade::Manifest>& labs,
                                            const std::set<std::string>& set) {
  auto named = labs_named(labs, worksheet.filename().string());
  if (named.empty() && labs.size() == 1) named = {&labs.front()};
  if (named.empty())
    throw UsageError(fmt::format("{} does not say which lab it is for", worksheet.string()),
                     "Call it after its lab, as in lab3.csv; after all if it is for several, as in "
                     "lab3+lab4.csv.");
  for (const grade::Manifest* lab : named)
    if (!set.contains(lab->id))
      throw UsageError(
          fmt::format("{}: {} was not set; the labs of this class are {}", worksheet.string(),
                      lab->id, joined(set)),
          fmt::format("Name it after its lab: --moodle-worksheet {}.csv. Or set the lab, with its "
                      "download: {} class grade INPUT --out DIR --assignment {} --moodle-worksheet "
                      "{}",
                      set.empty() ? "lab3" : *set.rbegin(), command_name(), lab->id,
                      shell_word(worksheet.string())));
  return named;
}

/// Setting -> text, of what was given and holds. Throws Error about a file that does not.
std::map<std::string, std::string> read_options(const std::vector<grade::Manifest>& labs,
                                                const PublishOptions& options,
                                                const std::set<std::string>& set) {
  std::map<std::string, std::string> kept;
  const Report nobody = nobodys(labs);
  if (!options.policy.empty()) {
    const std::string text = read_file(options.policy, kKeptBytes);
    const Policy policy = parse_policy(text, options.policy.string());
    for (const auto& [lab, weight] : policy.weights)
      if (std::ranges::find(labs, lab, &grade::Manifest::id) == labs.end())
        throw Error(fmt::format("{}: [weights] names {}, and there is no such lab",
                                options.policy.string(), lab),
                    "Name labs as in lab3 = 2.");
    kept[kPolicySetting] = kept_text(options.policy, text);
  }
  if (!options.canvas_gradebook.empty()) {
    const std::string text = read_file(options.canvas_gradebook, kKeptBytes);
    const std::string name = options.canvas_gradebook.string();
    if (canvas_csv(nobody, labs, read_sheet(text, name), name).columns == 0)
      throw Error(fmt::format("{} has no column of a lab", name),
                  "An assignment's title must name its lab, as in \"Lab 3 (12345)\".");
    kept[kCanvasSetting] = kept_text(options.canvas_gradebook, text);
  }
  for (const auto& worksheet : options.moodle_worksheets) {
    const std::string text = read_file(worksheet, kKeptBytes);
    const auto of = labs_of(worksheet, labs, set);
    moodle_csv(nobody, of, read_sheet(text, worksheet.string()), worksheet.string());
    for (const grade::Manifest* lab : of)
      if (!kept.try_emplace(kMoodleSetting + lab->id, kept_text(worksheet, text)).second)
        throw Error(fmt::format("there are two worksheets for {}, {} is the second", lab->id,
                                worksheet.string()),
                    "Give one for each lab.");
  }
  return kept;
}

}  // namespace

std::string kept_text(const std::filesystem::path& file, const std::string& text) {
  std::string name = file.filename().string();
  std::ranges::replace_if(
      name, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return name + "\n" + text;
}

KeptFile kept_file(const Gradebook& book, const std::string& setting) {
  const std::string kept = book.setting(setting);
  const std::size_t end = kept.find('\n');
  if (end == std::string::npos) return {};
  return {kept.substr(0, end), kept.substr(end + 1)};
}

void keep_options(Gradebook& book, const std::vector<grade::Manifest>& labs,
                  const PublishOptions& options, std::set<std::string> set) {
  if (!options.moodle_worksheets.empty())
    for (const Entry& entry : book.entries(View::with_pending)) set.insert(entry.lab);
  const auto kept = as_usage([&] { return read_options(labs, options, set); },
                             "Name a file that is there and that you may read.");
  for (const auto& [setting, text] : kept)
    if (book.setting(setting) != text) book.put_setting(setting, text);
}

void take_local_times(Gradebook& book, const std::vector<grade::Manifest>& labs,
                      const PublishOptions& options, bool everywhere) {
  for (const auto& worksheet : options.moodle_worksheets)
    for (const grade::Manifest* lab : labs_named(labs, worksheet.filename().string())) {
      const KeptFile sheet = kept_file(book, kMoodleSetting + lab->id);
      book.put_local_times(lab->id, moodle_times(read_sheet(sheet.text, sheet.name)).submitted_at,
                           everywhere);
    }
}

void keep_assignments(Gradebook& book, const std::vector<grade::Manifest>& labs,
                      const std::filesystem::path& folder, const std::vector<Root>& roots) {
  const std::filesystem::path file = folder / kAssignmentsFile;
  const bool is_there = std::filesystem::exists(file);
  std::string text = is_there ? read_file(file, kKeptBytes) : std::string(assignments_head());
  const std::size_t before = text.size();
  for (const Root& root : roots) {
    const Assignments known(text, file.string(), labs);
    Assignment one;
    for (const std::string& lab : root.labs)
      if (!known.of_lab(lab)) one.labs.push_back(lab);
    one.name = joined(one.labs, "+");
    if (!one.labs.empty()) text += assignment_toml(one);
  }
  const Assignments all(text, file.string(), labs);  // refused before anything is kept
  if (text.size() != before || (!is_there && !roots.empty())) write_file_atomically(file, text);
  nlohmann::json due = nlohmann::json::object();
  for (const Assignment& one : all.all())
    for (const std::string& lab : one.labs)
      due[lab] = {one.due ? nlohmann::json(*one.due) : nlohmann::json(), one.zone_seconds};
  if (book.setting(kAssignedSetting) != due.dump()) book.put_setting(kAssignedSetting, due.dump());
}

Report kept_report(const Gradebook& book, const std::vector<grade::Manifest>& labs, View view) {
  return make_report(book, kept_policy(book), labs, view);
}

Changes changes(const Report& before, const Report& now) {
  const auto text = [](const Grade& grade) {
    if (!grade.points) return "blank, " + grade.verdict;
    return points_text(*grade.points) + (grade.submitted || grade.decided ? "" : ", missing");
  };
  Changes changes;
  for (const Grade& was : before.grades) {
    const Grade* is = now.find(was.student, was.lab);
    if (!is) {
      ++changes.removed;
      continue;
    }
    // What is submitted for the first time changes nothing that anybody has seen, but a zero.
    const bool is_first = !was.submitted && is->submitted;
    if ((is_first && !was.points) || was.state == Grade::State::waiting) continue;
    if (was.submitted ? text(was) == text(*is) : was.points == is->points) continue;
    changes.changed.push_back(
        fmt::format("{} {}: {} -> {}", was.student, was.lab, text(was), text(*is)));
    changes.first += is_first;
  }
  for (const Grade& one : now.grades) {
    const Grade* was = before.find(one.student, one.lab);
    changes.added += one.submitted && !(was && (was->submitted || was->points));
  }
  for (const Student& student : before.students) {
    const Total was = before.total(student.id), is = now.total(student.id);
    changes.totals += was.points && (was.points != is.points || was.max_points != is.max_points);
  }
  return changes;
}

Changes changes_to(const Gradebook& book, const std::vector<grade::Manifest>& labs, View view) {
  return changes(kept_report(book, labs, View::applied), kept_report(book, labs, view));
}

Policy kept_policy(const Gradebook& book) {
  const KeptFile kept = kept_file(book, kPolicySetting);
  Policy policy = kept.name.empty() ? Policy() : parse_policy(kept.text, kept.name);
  const auto due = nlohmann::json::parse(book.setting(kAssignedSetting), nullptr, false);
  if (due.is_object())
    for (const auto& [lab, time] : due.items()) {
      if (time[0].is_null()) continue;
      policy.due[lab] = time[0].get<std::int64_t>();
      policy.zone_seconds[lab] = time[1].get<std::int64_t>();
      if (const KeptFile sheet = kept_file(book, kMoodleSetting + lab); !sheet.name.empty())
        for (const auto& [number, at] :
             moodle_times(read_sheet(sheet.text, sheet.name)).extended_to)
          policy.extended_to[{lab, number}] = at - policy.zone_seconds[lab];
    }
  return policy;
}

}  // namespace labkit::course
