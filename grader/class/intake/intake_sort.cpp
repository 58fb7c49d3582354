// Which lab is a file for, and may it be what its student means? A step of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/intaker.h"
#include "class/intake/lab_names.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// Why bytes are no source text, or "".
std::string no_text(std::string_view bytes) {
  if (trim(bytes).empty()) return "it is empty";
  if (bytes.starts_with("PK\x03\x04")) return "it is a zip by another name";
  if (bytes.starts_with("%PDF")) return "it is a PDF by another name";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return {};
  if (bytes.find('\0') != std::string_view::npos) return "it is no text: it holds zero bytes";
  return {};
}

/// Of a file that somebody may have meant as an answer, why it is none; "" for all others.
std::string wrong_form(const std::string& file, bool names_lab) {
  static constexpr std::string_view kForms[] = {
      "pdf",   "doc", "docx", "odt",  "rtf", "pages", "txt", "html", "htm",
      "ipynb", "py",  "c",    "cc",   "cpp", "cuda",  "cuh", "h",    "hpp",
      "png",   "jpg", "jpeg", "heic", "ptx", "o",     "exe", "sh",   "out"};
  const std::size_t dot = file.rfind('.');
  const std::string name = to_lower(file.substr(0, dot));
  if (dot == std::string::npos || name.starts_with("readme") || name.starts_with("license") ||
      name == "check" || name == "cmakelists" || name == "requirements" || file.starts_with('.'))
    return {};
  const std::string ending = to_lower(file.substr(dot + 1));
  if (!names_lab && std::find(std::begin(kForms), std::end(kForms), ending) == std::end(kForms))
    return {};
  return fmt::format("it is a .{} file, and a kernel is submitted as a .cu file", ending);
}

}  // namespace

void Intaker::leave_alone_of(std::size_t student, std::size_t i) {
  LeftAlone& left = left_alone_[student];
  if (left.count++ == 0) left.first = i;
}

void Intaker::note_wrong_form(std::size_t i, std::string problem) {
  wrong_forms_.push_back({i, std::move(problem)});
}

/// Who submitted a PDF has submitted something: that is a case for the teacher, and no zero. Where anything better came with
/// it, it is taken for what was written beside.
void Intaker::take_wrong_forms() {
  std::set<std::pair<std::size_t, std::pair<std::size_t, std::string>>> told;  // student, delivery
  for (const WrongForm& one : wrong_forms_) {
    Candidate candidate;
    candidate.found = candidate.claim = one.found;
    candidate.problem = one.problem;
    candidate.order = claims_[one.found].order;
    const std::vector<std::string>& set = roots_[root_of_[one.found]].labs;
    candidate.lab = named_lab(one.found);
    if (candidate.lab.empty() && set.size() == 1) candidate.lab = set.front();
    if (!set.empty() && std::find(set.begin(), set.end(), candidate.lab) == set.end())
      candidate.lab.clear();
    for (const std::size_t student : students_[one.found]) {
      const auto came_with = [&](const Candidate& other) {
        return delivery_of(other) == delivery_of(candidate);
      };
      bool better = false;  // of any lab, where this one's is not known
      for (auto at = candidates_.lower_bound({student, ""});
           at != candidates_.end() && at->first.first == student; ++at)
        better |= (candidate.lab.empty() || at->first.second == candidate.lab) &&
                  std::any_of(at->second.begin(), at->second.end(), came_with);
      const bool is_typed = !claims_[one.found].why.empty();
      if (!is_typed && (better || (candidate.lab.empty() &&
                                   !told.insert({student, delivery_of(candidate)}).second))) {
        leave_alone_of(student, one.found);
      } else if (better || candidate.lab.empty()) {
        remarks_.push_back({{Remark::Kind::no_lab, found_[one.found].path(),
                             identities_.students()[student].id, one.problem},
                            one.found});
      } else {
        candidates_[{student, candidate.lab}].push_back(candidate);
      }
    }
  }
}

/// The parts below the owner's name, by which the lab is found.
std::vector<std::string> Intaker::own_parts(const Found& found, const Claim& claim) const {
  std::vector<std::string> parts;
  if (!claim.first.empty()) parts.push_back(claim.first);
  parts.insert(parts.end(), found.parts.begin() + static_cast<std::ptrdiff_t>(claim.consumed),
               found.parts.end());
  return parts;
}

/// That the file's own name speaks of, else the nearest of its folders'.
std::string Intaker::named_lab(std::size_t i) const {
  const std::vector<std::string> parts = own_parts(found_[i], claims_[i]);
  std::string lab;
  for (std::size_t p = parts.size(); p-- > 0 && lab.empty();) lab = labs_.lab_of(parts[p]);
  return lab;
}

/// The source as UTF-8, its lines ended by \n where it was written with \r alone.
std::string Intaker::text_of(std::size_t i) const {
  const std::string& bytes = found_[i].text;
  const bool is_marked = bytes.starts_with("\xef\xbb\xbf") || bytes.starts_with("\xff\xfe") ||
                         bytes.starts_with("\xfe\xff");
  std::string text = is_marked ? decode_text(bytes) : bytes;
  if (text.find('\n') == std::string::npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

/// The labs that were set which this file may be for. A name decides, then the kernels in the source, then what was set; in a
/// plain folder for which nothing was said only a name.
std::vector<std::string> Intaker::labs_for(std::size_t i, const std::string& text) {
  const std::size_t r = root_of_[i];
  const std::vector<std::string>& set = roots_[r].labs;
  const auto is_set = [&](const std::string& lab) {
    return std::find(set.begin(), set.end(), lab) != set.end();
  };
  const std::string named = named_lab(i);
  if (set.empty()) return named.empty() ? std::vector<std::string>{} : std::vector{named};
  std::vector<std::string> held = {named};
  if (named.empty()) {
    held = labs_.written_in(text);
    if (const std::string most = labs_.kernels_in(text).lab; held.empty() && !most.empty())
      held = {most};
  }
  std::vector<std::string> labs;
  for (const std::string& lab : held)
    if (is_set(lab)) labs.push_back(lab);
  if (labs.empty() && named.empty() && held.empty() && set.size() == 1) labs = set;
  // whole kits hold the others as they were handed out
  const bool is_source = source_likeness(found_[i].parts.back()) == 2;
  for (const std::string& lab : held) {
    if (lab.empty() || is_set(lab) || !is_source) continue;
    const LabNames::Holds holds = labs_.holds(text, lab);
    if (holds.found == 0 || holds.touched)
      for (const std::size_t student : students_[i]) also_[r][lab].insert(student);
  }
  return labs;
}

/// `lab` is one of labs_for().
Intaker::Candidate Intaker::candidate(std::size_t i, const std::string& lab) const {
  const Found& found = found_[i];
  Candidate candidate;
  candidate.found = candidate.claim = i;
  candidate.lab = lab;
  const std::vector<std::string> parts = own_parts(found, claims_[i]);
  const std::string& file = parts.back();
  candidate.problem = found.kind == Found::Kind::refused ? found.why : no_text(found.text);
  candidate.gradable = candidate.problem.empty();
  if (candidate.gradable) candidate.text = text_of(i);
  const LabNames::Holds holds = labs_.holds(candidate.text, lab);
  candidate.has_kernel = holds.found > 0;
  candidate.touched = holds.touched;
  if (candidate.gradable && !candidate.has_kernel) {
    const std::string other = labs_.kernels_in(candidate.text).lab;
    if (!other.empty())
      candidate.note = fmt::format("submitted for {}, but its kernels are those of {}", lab, other);
  }
  candidate.order = claims_[i].order;
  for (const std::string& part : parts)
    candidate.resubmission = std::max(candidate.resubmission, resubmission_number(part));
  const std::string stem = slug(file.substr(0, file.find('.', 1)));
  candidate.exact =
      (source_likeness(file) == 2 ? 2u : 0u) + (stem == lab || stem == "kernel" ? 1u : 0u);
  return candidate;
}

/// An archive or a folder that could not be read, and is not known to be one student's.
bool Intaker::may_hold_others_work(std::size_t i) const {
  const Found& found = found_[i];
  if (found.kind != Found::Kind::refused || !found.is_whole) return false;
  const std::size_t r = root_of_[i];
  if (r == roots_.size() || found.parts.size() == roots_[r].prefix.size()) return true;
  // Among students' archives, but called like nobody on the roster.
  return roots_[r].format == Format::plain && !options_.is_without_roster() &&
         found.parts.size() == roots_[r].prefix.size() + 1 &&
         std::none_of(students_[i].begin(), students_[i].end(), [&](std::size_t student) {
           return identities_.students()[student].on_roster;
         });
}

/// What no student submitted.
void Intaker::tell_unowned(std::size_t i) {
  const Found& found = found_[i];
  const std::string& why = claims_[i].why;
  if (may_hold_others_work(i)) {
    std::string lab = labs_.lab_of(without_archive_ending(found.parts.back()));
    if (lab.empty() && root_of_[i] < roots_.size() && roots_[root_of_[i]].labs.size() == 1)
      lab = roots_[root_of_[i]].labs.front();
    remark(Remark::Kind::unread, i,
           lab.empty() ? found.why : fmt::format("{}: {}", lab, found.why));
    return;
  }
  if (root_of_[i] < roots_.size()) {
    const Root& root = roots_[root_of_[i]];
    const std::size_t at = root.prefix.size();
    if (at < found.parts.size() && root.downloads.contains(found.parts[at])) {
      // All in it, in a line.
      const std::string path = join_parts(
          {found.parts.begin(), found.parts.begin() + static_cast<std::ptrdiff_t>(at) + 1});
      if (told_downloads_.insert(path).second)
        remarks_.push_back({{Remark::Kind::nobody, path, {}, why}, i});
      return;
    }
  }
  const bool refused = found.kind == Found::Kind::refused;
  if (refused || !why.empty())
    remark(refused ? Remark::Kind::refused : Remark::Kind::nobody, i, refused ? found.why : why);
}

void Intaker::sort_out(std::size_t i) {
  const Found& found = found_[i];
  const Claim& claim = claims_[i];
  if (found.kind == Found::Kind::folder) return;
  if (found.kind == Found::Kind::metadata && root_of_[i] < roots_.size() &&
      roots_[root_of_[i]].format == Format::gradescope)
    return;
  if (students_[i].empty()) {
    tell_unowned(i);
    return;
  }
  if (!claim.why.empty()) {  // typed into the LMS
    note_wrong_form(i, claim.why);
    return;
  }
  const bool in_kits_place = is_in_kits_place(found.parts);
  const auto leave_alone = [&] {
    const std::string& file = found.parts.back();
    if (const std::string form = wrong_form(file, !labs_.lab_of(file).empty());
        !form.empty() && !in_kits_place)
      return note_wrong_form(i, form);
    for (const std::size_t student : students_[i]) leave_alone_of(student, i);
  };
  const auto parts = own_parts(found, claim);
  if (found.kind == Found::Kind::other || parts.empty() ||
      (in_kits_place && found.kind == Found::Kind::source &&
       options_.kit_files->contains(kit_file_hash(found.text)))) {
    leave_alone();
    return;
  }
  if (found.kind == Found::Kind::refused) {
    remark(may_hold_others_work(i) ? Remark::Kind::unread : Remark::Kind::refused, i, found.why);
  }
  if (found.kind == Found::Kind::refused && source_likeness(parts.back()) < 2 &&
      !names_archive(parts.back()) && foreign_archive(parts.back()).empty())
    return;
  const bool is_source = source_likeness(parts.back()) == 2;
  const std::string problem = found.kind == Found::Kind::refused ? found.why : no_text(found.text);
  const std::string text = problem.empty() ? text_of(i) : std::string();
  const std::vector<std::string> labs = labs_for(i, text);
  bool is_any = false;
  for (const std::string& lab : labs) {
    Candidate one = candidate(i, lab);
    one.in_kits_place = in_kits_place;
    // What is no .cu is a submission only if it holds a kernel that is asked for; an archive that cannot be read may.
    if (!is_source && !one.has_kernel && found.kind != Found::Kind::refused) continue;
    is_any = true;
    if (one.gradable && one.has_kernel && !one.touched) {
      remark(Remark::Kind::stub, i,
             lab + ": the kernel as it was handed out; it counts as not submitted");
      for (const std::size_t student : students_[i]) submitted_.insert({student, lab});
      continue;
    }
    for (const std::size_t student : students_[i]) {
      candidates_[{student, lab}].push_back(one);
      submitted_.insert({student, lab});
    }
  }
  if (is_any || found.kind == Found::Kind::refused) return;
  if (!problem.empty()) {
    if (is_source)
      remark(Remark::Kind::no_lab, i, problem);
    else
      leave_alone();
    return;
  }
  const bool holds_kernels = !labs_.kernels_in(text).lab.empty();
  if (!is_source && !holds_kernels) return leave_alone();
  if (named_lab(i).empty() && !holds_kernels)
    remark(Remark::Kind::no_lab, i, "neither its name nor a kernel in it says which lab it is for");
  else if (roots_[root_of_[i]].labs.empty())
    remark(Remark::Kind::no_lab, i,
           "its name does not say which lab it is for: name it lab3.cu, or say --assignment lab3");
}

}  // namespace labkit::course
