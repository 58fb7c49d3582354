#include "class/similar/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "class/similar/similar_tokens.h"

namespace labkit::course {
namespace {

/// A passage that more of the class have is common knowledge. MOSS ignores what is in more than 10
/// programs (its option -m); a large class may share more.
std::size_t most_sharers(std::size_t sources) { return std::max<std::size_t>(10, sources / 20); }
/// Own code of this many tokens, a dozen lines, does not come out the same twice by chance: however
/// many have it, that does not make it common knowledge.
constexpr std::size_t kLong = 80;
/// Letters of comments that two share before that alone is worth a look.
constexpr std::size_t kTellingLetters = 60;
constexpr std::size_t kMostSharersOfComment = 3;

struct Work {
  const SimilarSource* source = nullptr;
  TokenText text;
  std::vector<std::uint64_t> at;          ///< the passage that begins at each token
  std::unordered_set<std::uint64_t> set;  ///< those that count
  std::vector<bool> own;                  ///< tokens in no passage that was left out
  std::size_t own_count = 0;
  std::uint64_t sequence = 0;  ///< of all passages: the same for two that differ in names alone

  void leave_out(const std::unordered_set<std::uint64_t>& known) {
    set.clear();
    own.assign(text.tokens.size(), true);
    for (std::size_t i = 0; i < at.size(); ++i)
      if (known.contains(at[i]))
        std::fill_n(own.begin() + static_cast<std::ptrdiff_t>(i), kPassage, false);
      else
        set.insert(at[i]);
    own_count = static_cast<std::size_t>(std::count(own.begin(), own.end(), true));
  }
  /// Own tokens in passages of `other`.
  unsigned shared_with(const Work& other) const {
    std::vector<bool> shared(own.size(), false);
    for (std::size_t i = 0; i < at.size(); ++i)
      if (set.contains(at[i]) && other.set.contains(at[i]))
        std::fill_n(shared.begin() + static_cast<std::ptrdiff_t>(i), kPassage, true);
    unsigned count = 0;
    for (std::size_t i = 0; i < own.size(); ++i) count += own[i] && shared[i] ? 1 : 0;
    return count;
  }
};

/// What everybody was shown.
struct Known {
  std::unordered_set<std::uint64_t> passages;
  std::set<std::string> comments;
  std::set<std::uint64_t> texts;
};

Known known_of(const std::vector<std::string>& sources) {
  Known known;
  for (const std::string& source : sources) {
    const TokenText text = tokens_of(source);
    for (const std::uint64_t passage : passages(text.tokens, kPassage))
      known.passages.insert(passage);
    known.comments.insert(text.comments.begin(), text.comments.end());
    known.texts.insert(text.letters);
  }
  return known;
}

std::vector<Work> read(const std::vector<SimilarSource>& sources, const Known& known) {
  std::vector<Work> all;
  std::set<std::vector<std::string>> groups;
  for (const SimilarSource& source : sources) {
    // A group submits one text; its first student stands for it.
    if (source.group.size() > 1) {
      std::vector<std::string> group = source.group;
      std::sort(group.begin(), group.end());
      if (!groups.insert(group).second) continue;
    }
    Work work;
    work.source = &source;
    work.text = tokens_of(source.source);
    work.at = passages(work.text.tokens, kPassage);
    work.sequence = work.at.size();
    for (const std::uint64_t passage : work.at)
      work.sequence = work.sequence * 0x9e3779b97f4a7c15ull + passage;
    work.leave_out(known.passages);
    all.push_back(std::move(work));
  }
  return all;
}

/// Passage -> those who have it.
using Index = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;
Index index_of(const std::vector<Work>& all) {
  Index index;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    for (const std::uint64_t passage : all[i].set) index[passage].push_back(i);
  return index;
}

/// Passages that too many have; of long sources that differ in names alone one counts.
std::unordered_set<std::uint64_t> common(const std::vector<Work>& all, const Index& index) {
  std::unordered_set<std::uint64_t> common;
  for (const auto& [passage, sharers] : index) {
    if (sharers.size() <= most_sharers(all.size())) continue;
    std::size_t count = 0;
    std::set<std::uint64_t> long_ones;
    for (const std::uint32_t i : sharers)
      count += all[i].own_count < kLong || long_ones.insert(all[i].sequence).second ? 1 : 0;
    if (count > most_sharers(all.size())) common.insert(passage);
  }
  return common;
}

using Places = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs that share enough passages, and those that are the same text or share comments.
struct Candidates {
  std::map<Places, std::vector<std::string>> comments;
  std::set<Places> pairs, same_text;
};

/// Every two of `sharers`.
template <typename Take>
void each_pair(const std::vector<std::uint32_t>& sharers, const Take& take) {
  for (std::size_t a = 0; a < sharers.size(); ++a)
    for (std::size_t b = a + 1; b < sharers.size(); ++b) take(Places{sharers[a], sharers[b]});
}

Candidates candidates(const std::vector<Work>& all, const Known& known) {
  Candidates found;
  std::unordered_map<std::uint64_t, unsigned> shared;
  for (const auto& [passage, sharers] : index_of(all))
    each_pair(sharers, [&](Places pair) {
      ++shared[static_cast<std::uint64_t>(pair.first) << 32 | pair.second];
    });
  // So many passages cover no more tokens than this.
  for (const auto& [pair, count] : shared)
    if (count * kPassage >= kFewestTokens)
      found.pairs.insert(
          {static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair)});

  std::map<std::uint64_t, std::vector<std::uint32_t>> by_text;
  std::map<std::string, std::vector<std::uint32_t>> by_comment;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!known.texts.contains(all[i].text.letters)) by_text[all[i].text.letters].push_back(i);
    for (const std::string& comment : all[i].text.comments) {
      auto& sharers = by_comment[comment];
      if (!known.comments.contains(comment) && (sharers.empty() || sharers.back() != i))
        sharers.push_back(i);
    }
  }
  for (const auto& [text, sharers] : by_text)
    if (sharers.size() <= most_sharers(all.size()) ||
        all[sharers.front()].own_count >= kFewestTokens)
      each_pair(sharers, [&](Places pair) { found.same_text.insert(pair); });
  for (const auto& shared_by : by_comment)
    if (shared_by.second.size() <= kMostSharersOfComment)
      each_pair(shared_by.second,
                [&](Places pair) { found.comments[pair].push_back(shared_by.first); });
  found.pairs.insert(found.same_text.begin(), found.same_text.end());
  for (const auto& [pair, comments] : found.comments) found.pairs.insert(pair);
  return found;
}

bool one_group(const SimilarSource& a, const SimilarSource& b) {
  const auto in = [](const std::vector<std::string>& group, const std::string& student) {
    return std::ranges::find(group, student) != group.end();
  };
  return a.student == b.student || in(a.group, b.student) || in(b.group, a.student);
}

std::string notes_on(const Work& a, const Work& b, bool same_text,
                     const std::vector<std::string>& comments, std::size_t letters) {
  std::vector<std::string> notes;
  if (same_text)
    notes.emplace_back("The same text, letter for letter.");
  else if (a.sequence == b.sequence)
    notes.emplace_back("The same but for names, comments and layout.");
  if ((same_text || letters >= kTellingLetters) &&
      std::max(a.own_count, b.own_count) < kFewestTokens)
    notes.emplace_back("The part in common is short; it may be chance.");
  if (!comments.empty())
    notes.push_back(fmt::format(
        "Both have {}: \"{}\".",
        comments.size() == 1 ? "a comment that is in few others"
                             : fmt::format("{} comments that are in few others", comments.size()),
        std::ranges::max(comments, {}, &std::string::size)));
  for (const Work* each : {&a, &b}) {
    if (each->source->group.size() > 1)
      notes.push_back(fmt::format("{} submitted with a group: {}.", each->source->student,
                                  fmt::join(each->source->group, ", ")));
    if (each->text.cut)
      notes.push_back(fmt::format("Only the first {} tokens of {} were compared.", kMaxTokens,
                                  each->source->student));
  }
  return joined(notes, " ");
}

}  // namespace

std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const std::vector<std::string>& known_texts) {
  Known known = known_of(known_texts);
  std::vector<Work> all = read(sources, known);
  const auto too_common = common(all, index_of(all));
  known.passages.insert(too_common.begin(), too_common.end());
  if (!too_common.empty())
    for (Work& work : all) work.leave_out(known.passages);

  const Candidates found = candidates(all, known);
  std::vector<SimilarPair> pairs;
  for (const Places& places : found.pairs) {
    const Work *a = &all[places.first], *b = &all[places.second];
    if (one_group(*a->source, *b->source)) continue;
    if (b->source->student < a->source->student) std::swap(a, b);
    SimilarPair pair;
    pair.lab = lab;
    pair.first = a->source->student;
    pair.second = b->source->student;
    const unsigned in_first = a->shared_with(*b), in_second = b->shared_with(*a);
    pair.matching_tokens = std::min(in_first, in_second);
    const auto share = [](unsigned shared, std::size_t own) {
      return own == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(own);
    };
    pair.share_first = share(in_first, a->own_count);
    pair.share_second = share(in_second, b->own_count);
    const bool same_text = found.same_text.contains(places);
    const auto known_comments = found.comments.find(places);
    const std::vector<std::string> comments = known_comments == found.comments.end()
                                                  ? std::vector<std::string>()
                                                  : known_comments->second;
    const std::size_t letters = joined(comments, "").size();
    const bool much = pair.matching_tokens >= kFewestTokens &&
                      std::max(pair.share_first, pair.share_second) >= kLeastShare;
    if (!much && !same_text && letters < kTellingLetters) continue;
    pair.note = notes_on(*a, *b, same_text, comments, letters);
    pairs.push_back(std::move(pair));
  }
  std::ranges::sort(pairs, more_telling);
  return pairs;
}

}  // namespace labkit::course
