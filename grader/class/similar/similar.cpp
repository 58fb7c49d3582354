#include "class/similar/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "class/similar/similar_forms.h"

namespace labkit::course {
namespace {

/// Letters of comments that two share before that alone is worth a look.
constexpr std::size_t kTellingLetters = 60;
constexpr std::size_t kMostSharersOfComment = 3;
/// What more of the class have leads to no pairs by itself: it says little, and would make very many.
constexpr std::size_t kMostSharers = 200;

struct Work {
  const SimilarSource* source = nullptr;
  SourceForms forms;
  std::map<std::uint64_t, std::vector<const Form*>> bag;  ///< shape -> those that weigh anything
  double weight = 0;                                      ///< of all of them
};

/// What everybody was shown.
struct Known {
  std::set<std::uint64_t> shapes, texts;
  std::set<std::string> comments;
};

Known known_of(const std::vector<std::string>& sources) {
  Known known;
  for (const std::string& source : sources) {
    const SourceForms forms = forms_of(source);
    for (const Form& form : forms.forms) known.shapes.insert(form.shape);
    known.comments.insert(forms.comments.begin(), forms.comments.end());
    known.texts.insert(forms.letters);
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
    all.push_back({.source = &source, .forms = forms_of(source.source), .bag = {}});
  }
  for (Work& work : all)  // where they stay
    for (const Form& form : work.forms.forms)
      if (!known.shapes.contains(form.shape)) work.bag[form.shape].push_back(&form);
  return all;
}

/// Shape -> those who have it, and what it says: 1 if two have it, 0 if all do. Those that differ in names alone count once.
struct Sharers {
  std::vector<std::uint32_t> who;
  double says = 1;
};
std::unordered_map<std::uint64_t, Sharers> sharers_of(const std::vector<Work>& all) {
  std::unordered_map<std::uint64_t, Sharers> sharers;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    for (const auto& [shape, forms] : all[i].bag) sharers[shape].who.push_back(i);
  const double count = std::max(8.0, static_cast<double>(all.size()));
  for (auto& [shape, one] : sharers) {
    std::set<std::uint64_t> different;
    for (const std::uint32_t i : one.who) different.insert(all[i].forms.sequence);
    const double says =
        std::log(count / static_cast<double>(different.size())) / std::log(count / 2);
    one.says = std::clamp(says, 0.0, 1.0);
  }
  return sharers;
}

using Places = std::pair<std::uint32_t, std::uint32_t>;

/// Every two of `sharers`.
template <typename Take>
void each_pair(const std::vector<std::uint32_t>& sharers, const Take& take) {
  for (std::size_t a = 0; a < sharers.size(); ++a)
    for (std::size_t b = a + 1; b < sharers.size(); ++b) take(Places{sharers[a], sharers[b]});
}

/// Pairs worth a comparison, and those that are the same text or share comments.
struct Candidates {
  std::map<Places, std::vector<std::string>> comments;
  std::set<Places> pairs, same_text;
};

Candidates candidates(const std::vector<Work>& all, const Known& known,
                      const std::unordered_map<std::uint64_t, Sharers>& sharers) {
  Candidates found;
  std::unordered_map<std::uint64_t, double> shared;
  for (const auto& [shape, one] : sharers)
    if (one.who.size() <= kMostSharers)
      each_pair(one.who, [&](Places pair) {
        shared[static_cast<std::uint64_t>(pair.first) << 32 | pair.second] +=
            one.says * all[pair.first].bag.at(shape).front()->size;
      });
  for (const auto& [pair, weight] : shared)
    if (weight >= kLeastWeight / 2)
      found.pairs.insert(
          {static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair)});

  std::map<std::uint64_t, std::vector<std::uint32_t>> by_text;
  std::map<std::string, std::vector<std::uint32_t>> by_comment;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!known.texts.contains(all[i].forms.letters)) by_text[all[i].forms.letters].push_back(i);
    for (const std::string& comment : all[i].forms.comments) {
      auto& who = by_comment[comment];
      if (!known.comments.contains(comment) && (who.empty() || who.back() != i)) who.push_back(i);
    }
  }
  // Of a short text that many have, the list of same texts speaks.
  for (const auto& [text, who] : by_text)
    if (who.size() <= 10 || (all[who.front()].weight >= kLeastWeight && who.size() <= kMostSharers))
      each_pair(who, [&](Places pair) { found.same_text.insert(pair); });
  for (const auto& [comment, who] : by_comment)
    if (who.size() <= kMostSharersOfComment)
      each_pair(who, [&](Places pair) { found.comments[pair].push_back(comment); });
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
  else if (a.forms.sequence == b.forms.sequence)
    notes.emplace_back("The same but for names, comments and layout.");
  if ((same_text || letters >= kTellingLetters) && std::max(a.weight, b.weight) < kLeastWeight)
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
    if (each->forms.cut)
      notes.push_back(fmt::format("Only the first {} tokens of {} were compared.", kMaxTokens,
                                  each->source->student));
  }
  return joined(notes, " ");
}

/// What both have, in `pair`.
void compare(const Work& a, const Work& b,
             const std::unordered_map<std::uint64_t, Sharers>& sharers, SimilarPair& pair) {
  for (const auto& [shape, forms] : a.bag) {
    const auto at = b.bag.find(shape);
    if (at == b.bag.end()) continue;
    const std::size_t count = std::min(forms.size(), at->second.size());
    pair.weight += sharers.at(shape).says * forms[0]->size * static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Form &left = *forms[i], &right = *at->second[i];
      const unsigned lines =
          std::max(left.last_line - left.first_line, right.last_line - right.first_line);
      for (unsigned line = 0; line <= std::min(lines, 100u); ++line)
        pair.lines.emplace_back(std::min(left.first_line + line, left.last_line),
                                std::min(right.first_line + line, right.last_line));
    }
  }
  std::ranges::sort(pair.lines);
  pair.share_first = a.weight > 0 ? pair.weight / a.weight : 0;
  pair.share_second = b.weight > 0 ? pair.weight / b.weight : 0;
}

}  // namespace

std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const std::vector<std::string>& known_texts) {
  const Known known = known_of(known_texts);
  std::vector<Work> all = read(sources, known);
  const auto sharers = sharers_of(all);
  for (Work& work : all)
    for (const auto& [shape, forms] : work.bag)
      work.weight += sharers.at(shape).says * forms[0]->size * static_cast<double>(forms.size());

  const Candidates found = candidates(all, known, sharers);
  std::vector<SimilarPair> pairs;
  for (const Places& places : found.pairs) {
    const Work *a = &all[places.first], *b = &all[places.second];
    if (one_group(*a->source, *b->source)) continue;
    if (b->source->student < a->source->student) std::swap(a, b);
    SimilarPair pair;
    pair.lab = lab;
    pair.first = a->source->student;
    pair.second = b->source->student;
    compare(*a, *b, sharers, pair);
    const bool same_text = found.same_text.contains(places);
    const auto known_comments = found.comments.find(places);
    const std::vector<std::string> comments = known_comments == found.comments.end()
                                                  ? std::vector<std::string>()
                                                  : known_comments->second;
    const std::size_t letters = joined(comments, "").size();
    const bool much = pair.weight >= kLeastWeight &&
                      std::max(pair.share_first, pair.share_second) >= kLeastShare &&
                      std::min(pair.share_first, pair.share_second) >= kOthersShare;
    if (!much && !same_text && letters < kTellingLetters) continue;
    pair.note = notes_on(*a, *b, same_text, comments, letters);
    pairs.push_back(std::move(pair));
  }
  std::ranges::sort(pairs, more_telling);
  return pairs;
}

}  // namespace labkit::course
