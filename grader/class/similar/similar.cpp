// A copier renames, reorders and rewrites, and what is computed stays: in the unoptimised build step for step, in the
// optimised one whatever the steps were. Two submissions agree if in one of the builds nine tenths of what they compute
// is the same.
//
// Right solutions of a small lab agree by nature: an agreement tells of a copy only where few share it.
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
#include "grade/result.h"

namespace labkit::course {

namespace {

constexpr double kAgree = 0.9;
/// What more than so many others compute as well anybody may have found, and so what the reference computes.
constexpr std::size_t kMostOthers = 1;

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

/// Calls both(left, right) for what both compute. False if one alone computes more than `most` things.
template <typename Both>
bool compare(const Computed& a, const Computed& b, std::size_t most, const Both& both) {
  auto left = a.begin(), right = b.begin();
  for (std::size_t alone = 0; alone <= most;) {
    if (left == a.end() || right == b.end())
      return alone + static_cast<std::size_t>((a.end() - left) + (b.end() - right)) <= most;
    if (left->first == right->first) {
      both(*left++, *right++);
    } else {
      ++alone;
      ++(left->first < right->first ? left : right);
    }
  }
  return false;
}

/// Of all that either computes, what both do, 0 to 1; 0 for less than kAgree.
double agreement(const Computed& a, const Computed& b) {
  const auto all = static_cast<double>(a.size() + b.size());
  double both = 0;
  const auto most = static_cast<std::size_t>(all * (1 - kAgree) / (1 + kAgree));
  const bool agree = compare(a, b, most, [&](auto, auto) { ++both; });
  return agree && all > 0 ? both / (all - both) : 0;
}

bool one_group(const SimilarSource& a, const SimilarSource& b) {
  const auto in = [](const std::vector<std::string>& group, const std::string& student) {
    return std::ranges::find(group, student) != group.end();
  };
  return a.student == b.student || in(a.group, b.student) || in(b.group, a.student);
}

SimilarPair pair_of(const std::string& lab, const Reading& a, const Reading& b, std::size_t build,
                    double weight) {
  double both = 0;
  std::set<std::pair<unsigned, unsigned>> lines;
  compare(a.builds[build], b.builds[build], SIZE_MAX, [&](const auto& left, const auto& right) {
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
  // The list of same texts (find_same()) has what more than two have, and what all were shown.
  std::map<std::string_view, unsigned> same;
  for (const Reading& one : readings) ++same[one.letters];
  const std::size_t students = readings.size();
  readings.push_back(read(known.reference));
  same[readings.back().letters] = 0;
  const std::string stub = letters_of(known.stub);
  same[stub] = 0;

  using Pair = std::pair<std::size_t, std::size_t>;
  std::map<Pair, std::pair<double, std::size_t>> found;  // agreement, and in which build
  for (const std::size_t build : {0u, 1u}) {
    std::vector<std::set<std::size_t>> alike(readings.size());  // with itself
    std::map<Pair, double> agreements;
    for (std::size_t i = 0; i < readings.size(); ++i)
      for (std::size_t j = i + 1; j < readings.size(); ++j)
        if (const double how = agreement(readings[i].builds[build], readings[j].builds[build]);
            how > 0) {
          agreements[{i, j}] = how;
          for (const std::size_t one : {i, j}) alike[one].insert({i, j});
        }
    for (const auto& [pair, how] : agreements) {
      std::set<std::size_t> all = alike[pair.first];
      if (all.size() > 2 + kMostOthers) continue;
      all.insert(alike[pair.second].begin(), alike[pair.second].end());
      auto& best = found[pair];
      if (all.size() <= 2 + kMostOthers && !all.contains(students) && how > best.first)
        best = {how, build};
    }
  }
  std::vector<SimilarPair> pairs;
  for (std::size_t i = 0; i < students; ++i)
    for (std::size_t j = i + 1; j < students; ++j) {
      const Reading &a = readings[i], &b = readings[j];
      const bool is_same = a.letters == b.letters;
      const auto at = found.find({i, j});
      const auto [how, build] = at == found.end() ? std::pair(0.0, std::size_t{0}) : at->second;
      if ((is_same ? same[a.letters] == 2 : how > 0) && !one_group(*a.source, *b.source))
        pairs.push_back(pair_of(lab, a, b, build, is_same ? 2 : how));
    }
  std::ranges::sort(pairs, more_telling);
  pairs.resize(std::min(pairs.size(), kMostSimilarPairs));
  return pairs;
}

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
