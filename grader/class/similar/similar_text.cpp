// A class's similar submissions: out of the gradebook, pairs into groups of students, into text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "class/similar/similar.h"
#include "report/style.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

/// "" for what is not there: handouts help, they are not needed.
std::string text_of(const fs::path& file) {
  std::error_code unknown;
  return fs::is_regular_file(file, unknown) ? read_file(file, 16u << 20) : std::string();
}

/// Of the project.
fs::path root_of(const grade::Manifest& lab) { return lab.directory.parent_path().parent_path(); }

/// LabResult::values of a stored result.
std::map<std::string, std::string> values_of(const std::string& result) {
  const nlohmann::json json = nlohmann::json::parse(result, nullptr, false);
  try {
    return json.is_object() ? json.value("values", std::map<std::string, std::string>())
                            : std::map<std::string, std::string>();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

/// Of one lab: what can be read, with its students.
std::vector<SimilarSource> sources_of(const Gradebook& book, const std::vector<Entry>& entries,
                                      const std::string& lab, bool with_values) {
  std::vector<SimilarSource> sources;
  for (const Entry& entry : entries) {
    if (entry.lab != lab || !entry.submitted || !entry.submission.problem.empty()) continue;
    SimilarSource source{.student = entry.student,
                         .source = book.source(entry.submission.source_sha256).value_or(""),
                         .group = entry.submission.group,
                         .values = {}};
    if (with_values && entry.graded && entry.job->source_sha256 == entry.submission.source_sha256)
      if (const auto outcome = book.outcome(entry.job->id))
        source.values = values_of(outcome->json);
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

KnownCode known_code(const grade::Manifest& lab) {
  KnownCode known;
  const fs::path root = root_of(lab);
  // what was handed out; kernel.cu itself may be a teacher's own try
  const fs::path stub = lab.directory / ".stub";
  known.stub = text_of(fs::exists(stub) ? stub : lab.directory / "kernel.cu");
  known.texts.push_back(text_of(lab.directory / "README.md"));
  known.reference.source = text_of(root / "solutions" / lab.folder / lab.reference);
  std::error_code unknown;
  for (fs::recursive_directory_iterator at(root / "handouts", unknown), end; !unknown && at != end;
       at.increment(unknown))
    if (at->path().extension() == ".md" || at->path().extension() == ".cu")
      known.texts.push_back(text_of(at->path()));
  return known;
}

std::vector<SimilarPair> find_similar(const Gradebook& book,
                                      const std::vector<grade::Manifest>& labs) {
  const std::vector<Entry> entries = book.entries();
  std::vector<SimilarPair> all;
  for (const grade::Manifest& lab : labs) {
    const std::vector<SimilarSource> sources = sources_of(book, entries, lab.id, true);
    if (sources.size() < 2) continue;
    KnownCode known = known_code(lab);
    known.reference.values = values_of(book.setting(kReferenceSetting + lab.id));
    const std::vector<SimilarPair> pairs = similar_pairs(lab.id, sources, known);
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  std::ranges::sort(all, more_telling);
  return all;
}

std::vector<SameSource> find_same(const Gradebook& book, const std::vector<grade::Manifest>& labs) {
  constexpr std::size_t kMany = 3;
  std::vector<SameSource> same;
  const std::vector<Entry> entries = book.entries();
  for (const grade::Manifest& lab : labs) {
    const fs::path root = root_of(lab);
    std::map<std::string, std::string> solutions;  // text -> file
    std::error_code none;
    for (fs::directory_iterator at(root / "solutions" / lab.folder / "correct", none), end;
         !none && at != end; at.increment(none))
      solutions[letters_of(text_of(at->path()))] = fs::relative(at->path(), root).generic_string();
    solutions.erase("");
    std::map<std::string, std::set<std::string>> students;
    for (const SimilarSource& one : sources_of(book, entries, lab.id, false))
      students[letters_of(one.source)].insert(one.student);
    for (const auto& [text, who] : students)
      if (solutions.contains(text) || who.size() >= kMany)
        same.push_back({lab.id, {who.begin(), who.end()}, solutions[text]});
  }
  std::ranges::stable_partition(same, [](const SameSource& one) { return !one.solution.empty(); });
  return same;
}

std::string same_text(const SameSource& same) {
  return same.solution.empty()
             ? fmt::format("{}: {} submitted one text: {}", same.lab, same.students.size(),
                           fmt::join(same.students, ", "))
             : fmt::format("{}: {} equal{} {}", same.lab, fmt::join(same.students, ", "),
                           same.students.size() == 1 ? "s" : "", same.solution);
}

std::string percent_text(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string similar_text(const std::vector<SimilarPair>& pairs,
                         const std::vector<Student>& students,
                         const std::vector<SameSource>& same) {
  std::string text;
  for (const SameSource& one : same) text += report::printable(same_text(one)) + "\n";
  if (!same.empty()) text += "\n";
  text +=
      "Submissions that are more alike than chance explains. This is a list to look at,\n"
      "not a verdict: short kernels are alike by nature, and no grade depends on it.\n"
      "What kernels compute is compared, and the words that a student did not choose. So\n"
      "other names, another order, other loops and simple algebra hide little, and what\n"
      "many of the class have counts little. \"62% of ana\": so much of what is unusual in\n"
      "Ana's code is in the other one, too. The most telling pair comes first, and no more\n"
      "than 100 of a lab are listed.\n\n";
  if (pairs.empty()) return text + "None.\n";
  const auto name = [&](const std::string& id) {
    const auto found = std::ranges::find(students, id, &Student::id);
    return found == students.end() ? id : found->shown();
  };
  for (const SimilarPair& pair : pairs) {
    text += report::printable(fmt::format(
        "{}: {} and {}: {} of {} and {} of {}\n", pair.lab, name(pair.first), name(pair.second),
        percent_text(pair.share_first), pair.first, percent_text(pair.share_second), pair.second));
    if (!pair.note.empty()) text += "    " + report::printable(to_valid_utf8(pair.note)) + "\n";
  }
  return text;
}

}  // namespace labkit::course
