// Which lab is a file for, and may it be what its student means? A step of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
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

/// The source as UTF-8, its lines ended by \n where it was written with \r alone.
std::string text_of(const std::string& bytes) {
  const bool is_marked = bytes.starts_with("\xef\xbb\xbf") || bytes.starts_with("\xff\xfe") ||
                         bytes.starts_with("\xfe\xff");
  std::string text = is_marked ? decode_text(bytes) : bytes;
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

/// Of a file that somebody may have meant as an answer, why it is none; "" for all others.
std::string wrong_form(const std::string& file, bool names_lab) {
  static const std::set<std::string> forms = {"pdf",  "doc", "docx",  "odt", "rtf", "pages", "txt",
                                              "html", "htm", "ipynb", "py",  "c",   "cc",    "cpp",
                                              "cuda", "cuh", "h",     "hpp", "png", "jpg",   "jpeg",
                                              "heic", "ptx", "o",     "exe", "sh",  "out"};
  static const std::set<std::string> no_answers = {"check", "cmakelists", "requirements"};
  const std::size_t dot = file.rfind('.');
  const std::string name = to_lower(file.substr(0, dot));
  if (dot == std::string::npos || name.starts_with("readme") ||
      name.starts_with("license") || file.starts_with('.') || no_answers.contains(name))
    return {};
  const std::string ending = to_lower(file.substr(dot + 1));
  if (!names_lab && !forms.contains(ending)) return {};
  return fmt::format("it is a .{} file, and a kernel is submitted as a .cu file", ending);
}

bool is_one_of(const std::vector<std::string>& labs, const std::string& lab) {
  return std::ranges::find(labs, lab) != labs.end();
}

}  // namespace

std::vector<std::string> Intaker::File::own_parts() const {
  std::vector<std::string> parts;
  if (!claim.first.empty()) parts.push_back(claim.first);
  parts.insert(parts.end(), found.parts.begin() + static_cast<std::ptrdiff_t>(claim.consumed),
               found.parts.end());
  return parts;
}

/// Who submitted a PDF has submitted something: that is a case for the teacher, and no zero. Where anything better came with
/// it, it is taken for what was written beside.
void Intaker::take_wrong_forms() {
  std::set<std::pair<std::size_t, decltype(Candidate().delivery())>> told;  // student, delivery
  for (const auto& [file, problem] : wrong_forms_) {
    const std::vector<std::string>& set = file->root->labs;
    Candidate one{
        .file = file, .lab = named_lab(*file), .text = {}, .problem = problem, .note = {}};
    one.order = file->claim.order;
    if (one.lab.empty() && set.size() == 1) one.lab = set.front();
    if (!set.empty() && !is_one_of(set, one.lab)) one.lab.clear();
    for (const std::size_t student : file->students) {
      bool better = false;  // of any lab, where this one's is not known
      for (auto at = candidates_.lower_bound({student, one.lab});
           at != candidates_.end() && at->first.first == student &&
           (one.lab.empty() || at->first.second == one.lab);
           ++at)
        better |= std::ranges::any_of(
            at->second, [&](const Candidate& other) { return other.delivery() == one.delivery(); });
      const bool is_typed = !file->claim.why.empty();
      const auto is_told = [&] { return !told.insert({student, one.delivery()}).second; };
      if (!better && !one.lab.empty())
        candidates_[{student, one.lab}].push_back(one);
      else if (!is_typed && (better || is_told()))
        leave_alone(*file, student);
      else
        remark(Remark::Kind::no_lab, *file, problem, this->student(student).id);
    }
  }
}

/// That the file's own name speaks of, else the nearest of its folders'.
std::string Intaker::named_lab(const File& file) const {
  const std::vector<std::string> parts = file.own_parts();
  std::string lab;
  for (std::size_t p = parts.size(); p-- > 0 && lab.empty();) lab = labs_.lab_of(parts[p]);
  return lab;
}

/// The labs that were set which this file may be for. A name decides, then the kernels in the source, then what was set; in a
/// plain folder for which nothing was said only a name.
std::vector<std::string> Intaker::labs_for(const File& file, const std::string& text) {
  const std::vector<std::string>& set = file.root->labs;
  const std::string named = named_lab(file);
  std::vector<std::string> held;
  if (!named.empty()) held = {named};
  if (set.empty()) return held;
  if (held.empty()) held = labs_.written_in(text);
  if (held.empty())
    if (const std::string most = labs_.kernels_in(text).lab; !most.empty()) held = {most};
  if (held.empty() && set.size() == 1) return set;
  std::vector<std::string> labs;
  for (const std::string& lab : held) {
    if (is_one_of(set, lab)) {
      labs.push_back(lab);
    } else if (source_likeness(file.name()) == 2) {
      // whole kits hold the others as they were handed out
      const LabNames::Holds holds = labs_.holds(text, lab);
      if (holds.found == 0 || holds.touched)
        also_[file.root][lab].insert(file.students.begin(), file.students.end());
    }
  }
  return labs;
}

/// `lab` is one of labs_for().
Intaker::Candidate Intaker::candidate(const File& file, const std::string& lab,
                                      const std::string& text) const {
  Candidate one{.file = &file, .lab = lab, .text = text, .problem = {}, .note = {}};
  const std::vector<std::string> parts = file.own_parts();
  one.problem = file.is_refused() ? file.found.why : no_text(file.found.text);
  one.gradable = one.problem.empty();
  const LabNames::Holds holds = labs_.holds(text, lab);
  one.has_kernel = holds.found > 0;
  one.touched = holds.touched;
  one.in_kits_place = is_in_kits_place(file.found.parts);
  one.order = file.claim.order;
  if (one.gradable && !one.has_kernel)
    if (const std::string other = labs_.kernels_in(text).lab; !other.empty())
      one.note = fmt::format("submitted for {}, but its kernels are those of {}", lab, other);
  for (const std::string& part : parts)
    one.resubmission = std::max(one.resubmission, resubmission_number(part));
  const std::string stem = slug(parts.back().substr(0, parts.back().find('.', 1)));
  one.exact =
      (source_likeness(parts.back()) == 2 ? 2u : 0u) + (stem == lab || stem == "kernel" ? 1u : 0u);
  return one;
}

/// An archive or a folder that could not be read, and is not known to be one student's.
bool Intaker::may_hold_others_work(const File& file) const {
  if (!file.is_refused() || !file.found.is_whole) return false;
  if (!file.root || file.found.parts.size() == file.root->prefix.size()) return true;
  // Among students' archives, but called like nobody on the roster.
  return file.root->format == Format::plain && !options_.is_without_roster() &&
         file.found.parts.size() == file.root->prefix.size() + 1 &&
         std::ranges::none_of(file.students,
                              [&](std::size_t one) { return student(one).on_roster; });
}

/// What no student submitted.
void Intaker::tell_unowned(const File& file) {
  const Found& found = file.found;
  if (may_hold_others_work(file)) {
    std::string lab = labs_.lab_of(without_archive_ending(file.name()));
    if (lab.empty() && file.root && file.root->labs.size() == 1) lab = file.root->labs.front();
    return remark(Remark::Kind::unread, file,
                  lab.empty() ? found.why : fmt::format("{}: {}", lab, found.why));
  }
  const std::size_t at = file.root ? file.root->prefix.size() : found.parts.size();
  if (at < found.parts.size() && file.root->downloads.contains(found.parts[at])) {
    // All in it, in a line.
    const std::string path = joined(std::span(found.parts).first(at + 1), "/");
    if (told_downloads_.insert(path).second)
      remarks_.emplace_back(Remark{Remark::Kind::nobody, path, {}, file.claim.why}, &file);
  } else if (file.is_refused()) {
    remark(Remark::Kind::refused, file, found.why);
  } else if (!file.claim.why.empty()) {
    remark(Remark::Kind::nobody, file, file.claim.why);
  }
}

void Intaker::leave_alone(const File& file, std::size_t student) {
  LeftAlone& left = left_alone_[student];
  if (left.count++ == 0) left.first = &file;
}

void Intaker::sort_out(const File& file) {
  const Found& found = file.found;
  if (found.kind == Found::Kind::folder) return;
  if (found.kind == Found::Kind::metadata && file.root && file.root->format == Format::gradescope)
    return;
  if (file.students.empty()) return tell_unowned(file);
  if (!file.claim.why.empty()) {  // typed into the LMS
    wrong_forms_.emplace_back(&file, file.claim.why);
    return;
  }
  const bool in_kits_place = is_in_kits_place(found.parts);
  const auto is_no_source = [&] {
    const std::string form = wrong_form(file.name(), !labs_.lab_of(file.name()).empty());
    if (!form.empty() && !in_kits_place)
      wrong_forms_.emplace_back(&file, form);
    else
      for (const std::size_t student : file.students) leave_alone(file, student);
  };
  const std::vector<std::string> parts = file.own_parts();
  if (found.kind == Found::Kind::other || parts.empty() ||
      (in_kits_place && found.kind == Found::Kind::source &&
       options_.kit_files->contains(kit_file_hash(found.text))))
    return is_no_source();
  const std::string& name = parts.back();
  const bool is_source = source_likeness(name) == 2;
  if (file.is_refused()) {
    remark(may_hold_others_work(file) ? Remark::Kind::unread : Remark::Kind::refused, file,
           found.why);
    if (!is_source && !names_archive(name) && foreign_archive(name).empty()) return;
  }
  const std::string problem = file.is_refused() ? found.why : no_text(found.text);
  const std::string text = problem.empty() ? text_of(found.text) : std::string();
  bool is_any = false;
  for (const std::string& lab : labs_for(file, text)) {
    const Candidate one = candidate(file, lab, text);
    // What is no .cu is a submission only if it holds a kernel that is asked for; an archive that cannot be read may.
    if (!is_source && !one.has_kernel && !file.is_refused()) continue;
    is_any = true;
    const bool is_stub = one.gradable && one.has_kernel && !one.touched;
    if (is_stub)
      remark(Remark::Kind::stub, file,
             lab + ": the kernel as it was handed out; it counts as not submitted");
    for (const std::size_t student : file.students) {
      if (!is_stub) candidates_[{student, lab}].push_back(one);
      submitted_.insert({student, lab});
    }
  }
  if (is_any || file.is_refused()) return;
  if (!problem.empty()) {
    if (!is_source) return is_no_source();
    return remark(Remark::Kind::no_lab, file, problem);
  }
  const bool holds_kernels = !labs_.kernels_in(text).lab.empty();
  if (!is_source && !holds_kernels) return is_no_source();
  if (named_lab(file).empty() && !holds_kernels)
    remark(Remark::Kind::no_lab, file,
           "neither its name nor a kernel in it says which lab it is for");
  else if (file.root->labs.empty())
    remark(Remark::Kind::no_lab, file,
           "its name does not say which lab it is for: name it lab3.cu, or say --assignment lab3");
}

}  // namespace labkit::course
