// A class's similar submissions, out of the gradebook.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "class/similar/similar.h"

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
    if (with_values && entry.graded)
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
  known.reference.source = text_of(root / "solutions" / lab.folder / lab.reference);
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

std::string percent_text(double share) { return fmt::format("{:.0f}%", 100 * share); }

}  // namespace labkit::course
