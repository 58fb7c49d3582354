// A class's similar submissions: out of the gradebook, pairs into groups of students, into text.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "class/publish/csv.h"
#include "class/similar/similar.h"
#include "class/similar/similar_tokens.h"
#include "report/style.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

/// Handouts help, they are not needed: one that cannot be read is left out.
void add_file(std::vector<std::string>& texts, const fs::path& file, bool is_markdown) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return;
  const std::string text = read_file(file, 16u << 20);
  texts.push_back(is_markdown ? fenced_code(text) : text);
}

std::map<std::string, std::string> names_of(const std::vector<Student>& students) {
  std::map<std::string, std::string> names;
  for (const Student& student : students) names[student.id] = student.name;
  return names;
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

}  // namespace

std::vector<std::string> known_code(const grade::Manifest& lab, const fs::path& root) {
  std::vector<std::string> texts;
  // what was handed out; kernel.cu itself may be a teacher's own try
  const fs::path stub = lab.directory / ".stub";
  add_file(texts, fs::exists(stub) ? stub : lab.directory / "kernel.cu", false);
  add_file(texts, lab.directory / "README.md", true);
  if (root.empty()) return texts;
  add_file(texts, root / "solutions" / lab.folder / lab.reference, false);
  std::error_code unknown;
  std::vector<fs::path> handouts;
  for (fs::recursive_directory_iterator at(root / "handouts", unknown), end; !unknown && at != end;
       at.increment(unknown))
    handouts.push_back(at->path());
  std::sort(handouts.begin(), handouts.end());
  for (const fs::path& file : handouts)
    if (file.extension() == ".md" || file.extension() == ".cu")
      add_file(texts, file, file.extension() == ".md");
  return texts;
}

std::vector<SimilarPair> find_similar(const Gradebook& book,
                                      const std::vector<grade::Manifest>& labs,
                                      const fs::path& root) {
  const std::vector<Entry> entries = book.entries();
  std::vector<SimilarPair> all;
  for (const grade::Manifest& lab : labs) {
    std::vector<SimilarSource> sources;
    for (const Entry& entry : entries)
      if (entry.lab == lab.id && entry.submitted && entry.submission.problem.empty())
        sources.push_back({entry.student, book.source(entry.submission.source_sha256).value_or(""),
                           entry.submission.group});
    if (sources.size() < 2) continue;
    const std::vector<SimilarPair> pairs = similar_pairs(lab.id, sources, known_code(lab, root));
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  return all;
}

std::vector<SameSource> find_same(const Gradebook& book, const std::vector<grade::Manifest>& labs,
                                  const fs::path& root) {
  constexpr std::size_t kMany = 3;
  std::vector<SameSource> of_solutions, of_many;
  const std::vector<Entry> entries = book.entries();
  for (const grade::Manifest& lab : labs) {
    std::map<std::uint64_t, std::string> solutions;  // text -> file
    std::error_code none;
    for (fs::directory_iterator at(root / "solutions" / lab.folder / "correct", none), end;
         !none && at != end; at.increment(none)) {
      std::vector<std::string> text;
      add_file(text, at->path(), false);
      if (!text.empty())
        solutions[tokens_of(text[0]).letters] = fs::relative(at->path(), root).generic_string();
    }
    std::map<std::uint64_t, std::set<std::string>> students;
    for (const Entry& entry : entries)
      if (entry.lab == lab.id && entry.submitted && entry.submission.problem.empty())
        if (const auto source = book.source(entry.submission.source_sha256))
          students[tokens_of(*source).letters].insert(entry.student);
    for (const auto& [text, who] : students) {
      const auto solution = solutions.find(text);
      if (solution == solutions.end() && who.size() < kMany) continue;
      (solution == solutions.end() ? of_many : of_solutions)
          .push_back({lab.id,
                      {who.begin(), who.end()},
                      solution == solutions.end() ? "" : solution->second});
    }
  }
  of_solutions.insert(of_solutions.end(), of_many.begin(), of_many.end());
  return of_solutions;
}

std::string same_text(const SameSource& same) {
  return same.solution.empty()
             ? fmt::format("{}: {} submitted one text: {}", same.lab, same.students.size(),
                           fmt::join(same.students, ", "))
             : fmt::format("{}: {} equal{} {}", same.lab, fmt::join(same.students, ", "),
                           same.students.size() == 1 ? "s" : "", same.solution);
}

namespace {

double weight(const SimilarPair& pair) {
  return std::max(pair.share_first, pair.share_second) * pair.matching_tokens;
}

/// Who is connected with whom: each stands for a group, or points to one who is nearer to that.
class Connected {
 public:
  explicit Connected(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }
  void join(std::size_t one, std::size_t other) { parent_[find(one)] = find(other); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

bool more_telling(const SimilarPair& a, const SimilarPair& b) {
  if (weight(a) != weight(b)) return weight(a) > weight(b);
  return std::tie(a.lab, a.first, a.second) < std::tie(b.lab, b.first, b.second);
}

std::vector<SimilarGroup> similar_groups(const std::vector<SimilarPair>& pairs) {
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;  // lab and student
  for (const SimilarPair& pair : pairs)
    for (const std::string& student : {pair.first, pair.second})
      numbers.try_emplace({pair.lab, student}, numbers.size());
  Connected connected(numbers.size());
  const auto number = [&](const SimilarPair& pair, const std::string& student) {
    return numbers.at({pair.lab, student});
  };
  for (const SimilarPair& pair : pairs)
    connected.join(number(pair, pair.first), number(pair, pair.second));

  std::map<std::size_t, SimilarGroup> by_number;
  for (const SimilarPair& pair : pairs)
    by_number[connected.find(number(pair, pair.first))].pairs.push_back(pair);
  std::vector<SimilarGroup> groups;
  for (auto& [unused, group] : by_number) {
    std::sort(group.pairs.begin(), group.pairs.end(), more_telling);
    group.lab = group.pairs.front().lab;
    std::set<std::string> students;
    group.share_low = 1;
    for (const SimilarPair& pair : group.pairs) {
      students.insert({pair.first, pair.second});
      const double share = std::max(pair.share_first, pair.share_second);
      group.share_low = std::min(group.share_low, share);
      group.share_high = std::max(group.share_high, share);
    }
    group.students.assign(students.begin(), students.end());
    groups.push_back(std::move(group));
  }
  std::sort(groups.begin(), groups.end(), [](const SimilarGroup& a, const SimilarGroup& b) {
    return more_telling(a.pairs.front(), b.pairs.front());
  });
  return groups;
}

std::string share_text(const SimilarGroup& group) {
  const std::string low = fmt::format("{:.0f}%", 100 * group.share_low);
  const std::string high = fmt::format("{:.0f}%", 100 * group.share_high);
  return low == high ? low : fmt::format("{} to {}", low, high);
}

std::string similar_csv(const std::vector<SimilarPair>& pairs,
                        const std::vector<Student>& students) {
  const auto names = names_of(students);
  const auto name = [&](const std::string& id) {
    const auto found = names.find(id);
    return guard_formula(found == names.end() ? "" : found->second);
  };
  std::vector<CsvRow> rows = {{"lab", "first", "first name", "second", "second name",
                               "tokens in common", "percent of first", "percent of second",
                               "note"}};
  bool ascii = true;
  for (const SimilarPair& pair : pairs) {
    rows.push_back(
        {guard_formula(pair.lab), guard_formula(pair.first), name(pair.first),
         guard_formula(pair.second), name(pair.second), fmt::format("{}", pair.matching_tokens),
         fmt::format("{:.0f}", 100 * pair.share_first),
         fmt::format("{:.0f}", 100 * pair.share_second), guard_formula(to_valid_utf8(pair.note))});
    for (const std::string& cell : rows.back())
      ascii &= std::all_of(cell.begin(), cell.end(),
                           [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  return std::string(ascii ? std::string_view() : kByteOrderMark) + write_csv(rows);
}

std::string similar_text(const std::vector<SimilarPair>& pairs,
                         const std::vector<Student>& students,
                         const std::vector<SameSource>& same) {
  std::string text;
  for (const SameSource& one : same) text += report::printable(same_text(one)) + "\n";
  if (!same.empty()) text += "\n";
  text +=
      "Submissions that are more alike than the stub explains. This is a list to look at, not a\n"
      "verdict: short kernels are alike by nature, and no grade depends on it. Names, comments "
      "and\n"
      "layout do not count, nor does code of the stub, the reference solution and the handouts.\n"
      "\"62% of ana\": so much of Ana's own code is in the other submission too. Students "
      "connected\n"
      "by pairs form one group; the most similar group comes first.\n";
  if (pairs.empty()) return text + "\nNone.\n";
  const auto names = names_of(students);
  const auto name = [&](const std::string& id) {
    const auto found = names.find(id);
    return found == names.end() || found->second.empty() || found->second == id
               ? id
               : fmt::format("{} ({})", id, found->second);
  };
  for (const SimilarGroup& group : similar_groups(pairs)) {
    if (group.students.size() > 2)
      text += report::printable(fmt::format("\n{}, {} students: {}; {} alike\n", group.lab,
                                            group.students.size(), fmt::join(group.students, ", "),
                                            share_text(group)));
    else
      text += fmt::format("\n{}\n", report::printable(group.lab));
    for (const SimilarPair& pair : group.pairs) {
      text += report::printable(
          fmt::format("  {} and {}: {} tokens in common, {} of {} and {} of {}\n", name(pair.first),
                      name(pair.second), pair.matching_tokens, percent(pair.share_first),
                      pair.first, percent(pair.share_second), pair.second));
      if (!pair.note.empty()) text += "      " + report::printable(to_valid_utf8(pair.note)) + "\n";
    }
  }
  return text;
}
}  // namespace labkit::course
