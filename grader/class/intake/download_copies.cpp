#include "class/intake/download_copies.h"

#include <algorithm>

namespace labkit::course {
namespace {

/// Of two that may be copies of one download, student by student.
struct Comparison {
  bool any_same = false, any_older = false, any_newer = false;
  void add(const HandIn& mine, const HandIn& other) {
    any_same |= mine.source_sha256 == other.source_sha256;
    const int order = order_in_time(mine, other);
    any_older |= order < 0;
    any_newer |= order > 0;
  }
  bool is_older() const { return any_same && any_older && !any_newer; }
};

std::vector<HandIn> hand_ins_of(const Submission& one) {
  if (!one.copies.empty()) return one.copies;
  std::vector<HandIn> all = one.others;
  all.push_back(hand_in_of(one));
  return all;
}

}  // namespace

DownloadCopies::DownloadCopies(const std::vector<Submission>& submissions,
                               const std::map<Key, HandIn>& counts) {
  for (const Submission& one : submissions)
    for (const HandIn& hand_in : hand_ins_of(one)) {
      if (hand_in.download_key.empty()) continue;
      const auto [at, is_new] =
          downloads_[{hand_in.download_key, one.lab}][hand_in.input].by_student.try_emplace(
              one.student, hand_in);
      // Several of one download (Gradescope's): the newest is what the others are held against.
      if (!is_new && order_in_time(hand_in, at->second) > 0) at->second = hand_in;
    }
  for (auto& [of, download] : downloads_)
    for (auto& [input, copy] : download) {
      Comparison with_known;
      for (const auto& [student, hand_in] : copy.by_student) {
        const auto known = counts.find({student, of.second});
        if (known != counts.end() && known->second.download_key == of.first)
          with_known.add(hand_in, known->second);
      }
      copy.is_known_again = with_known.any_same;
      copy.is_older_than_known = with_known.is_older();
      for (const auto& [other_input, other] : download) {
        Comparison with_other;
        for (const auto& [student, hand_in] : copy.by_student)
          if (const auto same = other.by_student.find(student); same != other.by_student.end())
            with_other.add(hand_in, same->second);
        if (with_other.is_older()) copy.older_than.insert(other_input);
      }
    }
}

bool DownloadCopies::is_here_again(const std::string& download_key, const std::string& lab) const {
  const auto download = downloads_.find({download_key, lab});
  return download != downloads_.end() &&
         std::any_of(download->second.begin(), download->second.end(), [](const auto& one) {
           return one.second.is_known_again && !one.second.is_older_than_known;
         });
}

DownloadCopies::OnlyIn DownloadCopies::where_is(const Submission& one) const {
  OnlyIn where = OnlyIn::older_than_known;
  for (const HandIn& hand_in : hand_ins_of(one)) {
    const auto download = downloads_.find({hand_in.download_key, one.lab});
    if (download == downloads_.end()) return OnlyIn::a_current;
    const Copy& copy = download->second.at(hand_in.input);
    if (copy.older_than.empty() && !copy.is_older_than_known) return OnlyIn::a_current;
    if (std::any_of(copy.older_than.begin(), copy.older_than.end(), [&](const std::string& other) {
          return !download->second.at(other).is_older_than_known;
        }))
      where = OnlyIn::older_than_named;
  }
  return where;
}

}  // namespace labkit::course
