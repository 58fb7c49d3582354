// Similar pairs into groups of students.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "class/similar/similar.h"

namespace labkit::course {
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

}  // namespace labkit::course
