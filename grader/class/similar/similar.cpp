// A copier renames, reorders and rewrites, and much of what is computed stays: in the unoptimised build step for step, in
// the optimised one whatever the steps were.
//
// Right solutions of a small lab are alike by nature, so that no similarity says anything by itself. Two stand out if they
// are nearer to each other than either is to anybody else, the kit's own solutions included.
#include "class/similar/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "grade/result.h"

namespace labkit::course {

namespace {

/// Of the distance to whoever is nearest of the rest: more than this is no nearness. Three are alike by chance more easily.
constexpr double kNear = 0.9, kThreeNear = 0.5;

/// Hashes of a kernel and what it computes, rising, each with its line.
using Computed = std::vector<std::pair<std::uint64_t, unsigned>>;

/// One source, read.
struct Reading {
  const SimilarSource* source = nullptr;
  std::string letters;
  std::array<Computed, 2> builds = {};  ///< unoptimised, optimised
};

Reading read(const SimilarSource& source) {
  Reading reading{&source, letters_of(source.source)};
  for (const auto& [kernel, values] : source.values) {
    std::istringstream list(values);
    for (std::string value; list >> value;) {
      const std::size_t colon = std::min(value.find(':'), value.size() - 1);
      const std::uint64_t hash = std::hash<std::string>{}(kernel + " " + value.substr(0, colon));
      reading.builds[kernel.ends_with(grade::kOptimised)].emplace_back(
          hash, std::strtoul(value.c_str() + colon + 1, nullptr, 10));
    }
  }
  for (Computed& build : reading.builds) std::ranges::sort(build);
  return reading;
}

/// Calls both(left, right) for what both compute.
template <typename Both>
void compare(const Computed& a, const Computed& b, const Both& both) {
  auto left = a.begin(), right = b.begin();
  while (left != a.end() && right != b.end()) {  // without branches: most of the time is spent here
    const std::uint64_t one = left->first, other = right->first;
    if (one == other) both(*left, *right);
    left += one <= other;
    right += other <= one;
  }
}

/// Of all that either computes, what both do, 0 to 1.
double agreement(const Computed& a, const Computed& b) {
  double both = 0;
  compare(a, b, [&](auto, auto) { ++both; });
  return both / std::max(1.0, static_cast<double>(a.size() + b.size()) - both);
}

/// 0 to 1.
double distance(const Reading& a, const Reading& b) {
  return 1 - (agreement(a.builds[0], b.builds[0]) + agreement(a.builds[1], b.builds[1])) / 2;
}

bool one_group(const SimilarSource& a, const SimilarSource& b) {
  const auto in = [](const std::vector<std::string>& group, const std::string& student) {
    return std::ranges::find(group, student) != group.end();
  };
  return a.student == b.student || in(a.group, b.student) || in(b.group, a.student);
}

SimilarPair pair_of(const std::string& lab, const Reading& a, const Reading& b, double weight) {
  const std::size_t build =
      agreement(a.builds[0], b.builds[0]) >= agreement(a.builds[1], b.builds[1]) ? 0 : 1;
  double both = 0;
  std::set<std::pair<unsigned, unsigned>> lines;
  compare(a.builds[build], b.builds[build], [&](const auto& left, const auto& right) {
    ++both;
    if (left.second > 0 && right.second > 0) lines.insert({left.second, right.second});
  });
  const auto share = [&](const Reading& of) {
    const std::size_t all = of.builds[build].size();
    return all == 0 ? 1.0 : both / static_cast<double>(all);
  };
  std::vector<std::string> notes;
  if (a.letters == b.letters) notes.emplace_back("The same text, letter for letter.");
  for (const Reading* each : {&a, &b})
    if (each->source->group.size() > 1)
      notes.push_back(fmt::format("{} submitted with a group: {}.", each->source->student,
                                  fmt::join(each->source->group, ", ")));
  return {.lab = lab,
          .first = a.source->student,
          .second = b.source->student,
          .share_first = share(a),
          .share_second = share(b),
          .weight = weight,
          .note = joined(notes, " "),
          .lines = {lines.begin(), lines.end()}};
}

/// Two of the first `students` that stand out, alone or with a third -> how much, 0 to 1.
std::map<std::pair<std::size_t, std::size_t>, double> standing_out(
    const std::vector<Reading>& readings, std::size_t students) {
  using Nearest = std::array<std::pair<double, std::size_t>, 3>;  // of the others, nearest first
  constexpr std::pair<double, std::size_t> kNobody = {1, SIZE_MAX};
  std::vector<Nearest> nearest(students, {kNobody, kNobody, kNobody});
  const auto put = [&](std::size_t at, std::pair<double, std::size_t> one) {
    for (auto& other : nearest[at])
      if (one.first < other.first) std::swap(one, other);
  };
  for (std::size_t i = 0; i < students; ++i)
    for (std::size_t j = i + 1; j < readings.size(); ++j) {
      if (one_group(*readings[i].source, *readings[j].source)) continue;
      const double how_far = distance(readings[i], readings[j]);
      put(i, {how_far, j});
      if (j < students) put(j, {how_far, i});
    }
  std::map<std::pair<std::size_t, std::size_t>, double> found;
  for (std::size_t i = 0; i < students; ++i)
    for (const double near : {kNear, kThreeNear}) {
      std::set<std::size_t> group = {i, nearest[i][0].second};
      if (near == kThreeNear) group.insert(nearest[i][1].second);
      if (*group.rbegin() >= students) continue;
      double inside = 0, outside = 1;
      for (const std::size_t one : group) {
        for (const std::size_t other : group)
          if (other > one) inside = std::max(inside, distance(readings[one], readings[other]));
        for (const auto& [how_far, other] : nearest[one])
          if (!group.contains(other)) outside = std::min(outside, how_far);
      }
      if (inside >= near * outside) continue;
      for (const std::size_t one : group)
        for (const std::size_t other : group)
          if (other > one)
            found[{one, other}] = std::max(found[{one, other}], 1 - inside / outside);
    }
  return found;
}

}  // namespace

std::string letters_of(std::string_view text) {
  std::string letters;
  std::ranges::copy_if(text, std::back_inserter(letters),
                       [](char c) { return static_cast<unsigned char>(c) > ' '; });
  return letters;
}

bool more_telling(const SimilarPair& a, const SimilarPair& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::tie(a.lab, a.first, a.second) < std::tie(b.lab, b.first, b.second);
}

std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const KnownCode& known) {
  std::vector<Reading> readings;
  std::set<std::vector<std::string>> groups;
  for (const SimilarSource& source : sources) {
    // A group submits one text; its first student stands for it.
    std::vector<std::string> group = source.group;
    std::ranges::sort(group);
    if (group.size() < 2 || groups.insert(group).second) readings.push_back(read(source));
  }
  std::ranges::sort(readings, {}, [](const Reading& one) { return one.source->student; });
  const std::size_t students = readings.size();
  for (const SimilarSource& solution : known.solutions) readings.push_back(read(solution));
  auto found = standing_out(readings, students);
  // The list of same texts (find_same()) has what more than two have, and what all were shown.
  std::map<std::string, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < students; ++i) same[readings[i].letters].push_back(i);
  for (std::size_t i = students; i < readings.size(); ++i) same.erase(readings[i].letters);
  same.erase(letters_of(known.stub));
  for (const auto& [letters, who] : same)
    if (who.size() == 2) found[{who[0], who[1]}] = 2;
  std::vector<SimilarPair> pairs;
  for (const auto& [pair, how_much] : found) {
    const Reading &a = readings[pair.first], &b = readings[pair.second];
    if ((a.letters != b.letters || how_much == 2) && !one_group(*a.source, *b.source))
      pairs.push_back(pair_of(lab, a, b, how_much));
  }
  std::ranges::sort(pairs, more_telling);
  pairs.resize(std::min(pairs.size(), kMostSimilarPairs));
  return pairs;
}

namespace {

namespace fs = std::filesystem;
using Values = std::map<std::string, std::string>;  // SimilarSource::values

/// "" for what is not there: handouts help, they are not needed.
std::string text_of(const fs::path& file) {
  std::error_code unknown;
  return fs::is_regular_file(file, unknown) ? read_file(file, 16u << 20) : std::string();
}

/// `key` of a stored result: LabResult::values, or those of solutions.
template <typename T>
T field_of(const std::string& result, const char* key) {
  const nlohmann::json json = nlohmann::json::parse(result, nullptr, false);
  try {
    return json.is_object() ? json.value(key, T()) : T();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

/// By chance two stand out in one lab, hardly in two.
void mark_pairs_of_several_labs(std::vector<SimilarPair>& pairs) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> labs;
  for (const SimilarPair& pair : pairs) labs[{pair.first, pair.second}].insert(pair.lab);
  for (SimilarPair& pair : pairs) {
    std::set<std::string> others = labs[{pair.first, pair.second}];
    others.erase(pair.lab);
    if (others.empty()) continue;
    pair.weight += static_cast<double>(others.size());
    const std::string also = fmt::format("Listed in {}, too.", fmt::join(others, ", "));
    pair.note = pair.note.empty() ? also : also + " " + pair.note;
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
        source.values = field_of<Values>(outcome->json, "values");
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

KnownCode known_code(const grade::Manifest& lab) {
  KnownCode known;
  // what was handed out; kernel.cu itself may be a teacher's own try
  const fs::path stub = lab.directory / ".stub";
  known.stub = text_of(fs::exists(stub) ? stub : lab.directory / "kernel.cu");
  for (const fs::path& file : cli::solution_files(lab, "correct"))
    known.solutions.push_back(
        {fmt::format("solutions/{}/correct/{}", lab.folder, file.filename().string()),
         text_of(file),
         {},
         {}});
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
    auto values = field_of<std::map<std::string, Values>>(book.setting(kReferenceSetting + lab.id),
                                                          "solution_values");
    for (SimilarSource& one : known.solutions)
      one.values = values[fs::path(one.student).filename()];
    std::ranges::copy(similar_pairs(lab.id, sources, known), std::back_inserter(all));
  }
  mark_pairs_of_several_labs(all);
  std::ranges::sort(all, more_telling);
  return all;
}

std::vector<SameSource> find_same(const Gradebook& book, const std::vector<grade::Manifest>& labs) {
  std::vector<SameSource> same;
  const std::vector<Entry> entries = book.entries();
  for (const grade::Manifest& lab : labs) {
    std::map<std::string, std::string> solutions;  // text -> file
    for (const SimilarSource& one : known_code(lab).solutions)
      solutions[letters_of(one.source)] = one.student;
    solutions.erase("");
    std::map<std::string, std::set<std::string>> students;
    for (const SimilarSource& one : sources_of(book, entries, lab.id, false))
      students[letters_of(one.source)].insert(one.student);
    for (const auto& [text, who] : students)
      if (solutions.contains(text) || who.size() > 2)
        same.push_back({lab.id, {who.begin(), who.end()}, solutions[text]});
  }
  std::ranges::stable_partition(same, [](const SameSource& one) { return !one.solution.empty(); });
  return same;
}

std::string percent_text(double share) { return fmt::format("{:.0f}%", 100 * share); }

}  // namespace labkit::course
