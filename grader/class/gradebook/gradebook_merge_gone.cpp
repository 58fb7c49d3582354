// What was in a download and is not in a newer copy of it. A step of the Merger.
#include <fmt/format.h>

#include "class/gradebook/gradebook_merger.h"

namespace labkit::course {

/// Of a download that is here again, in a copy that is no older.
void Merger::find_gone() {
  std::set<Key> here;
  for (const Submission& one : intake_.submissions) here.insert({one.student, one.lab});
  for (const auto& [key, known] : known_) {
    if (here.contains(key)) continue;
    const SeenHandIns::Seen* seen = hand_ins_[key].find(known.source_sha256);
    if (seen && !seen->hand_in.download_key.empty() &&
        copies_->is_here_again(seen->hand_in.download_key, key.second))
      tell_gone(key, known,
                fmt::format("was in {} before, and is not any more", seen->hand_in.input));
    else
      ++merged_.kept[key.second];
  }
  find_only_in_older();
}

/// Here, but only in a copy of its download that is older than another, which is here or was.
void Merger::find_only_in_older() {
  for (const Submission& one : intake_.submissions) {
    const Key key(one.student, one.lab);
    const DownloadCopies::OnlyIn where = copies_->where_is(one);
    if (where == DownloadCopies::OnlyIn::a_current || taken_.contains(key)) continue;
    if (const auto known = known_.find(key); known != known_.end()) {
      const auto counts = counts_.find(key);
      // What counts came with another download, or with the newer copy.
      if (counts == counts_.end() || counts->second.download_key != one.download_key ||
          (where == DownloadCopies::OnlyIn::older_than_known && known->second.gone == Gone::no))
        continue;
    }
    const auto before = known_.find(key);
    tell_gone(key,
              {one.path, one.source_sha256, one.lms_id,
               before == known_.end() ? Gone::no : before->second.gone},
              fmt::format("is in {}, and not in a newer copy of it", one.input));
  }
}

void Merger::tell_gone(const Key& key, const Known& known, const std::string& what) {
  const std::string &student = key.first, &lab = key.second;
  bool unreadable = false;
  for (const Remark& remark : intake_.remarks)
    unreadable |= remark.kind == Remark::Kind::refused && remark.student == student;
  const auto put_gone = [&](Gone gone) {
    exec(fmt::format("UPDATE submission SET gone = {}, intake = ?1 WHERE student = ?2 AND lab = ?3",
                     static_cast<int>(gone)),
         {student, lab});
  };
  const bool named = is_named(keep_, key);
  if (!unreadable && (named || (known.gone == Gone::kept_by_teacher && !drop_))) {
    if (named) merged_.kept_gone.push_back({student, lab, what + "; it stays, as you say"});
    put_gone(Gone::kept_by_teacher);
    return;
  }
  // What cannot be read is there, whatever the teacher says of what is gone.
  const bool drops = drop_ && !unreadable;
  const std::string why =
      unreadable ? "could not be read this time; what is known from before stays"
      : drops    ? fmt::format(
                       "{}: dropped from the lists; its result is kept, and comes back with a "
                          "download that has it",
                       what)
              : what + "; it stays";
  (drops ? merged_.dropped : merged_.gone).push_back({student, lab, why});
  // What the teacher has dropped is no case to look at.
  intake_.remarks.push_back({drops ? Remark::Kind::not_chosen : Remark::Kind::gone, known.path,
                             student, fmt::format("{} {}", lab, why)});
  if (drops)
    exec("UPDATE submission SET present = 0, intake = ?1 WHERE student = ?2 AND lab = ?3",
         {student, lab});
  else
    put_gone(Gone::yes);
}

}  // namespace labkit::course
