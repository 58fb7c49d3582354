// Which lab is a file for, and which of a student's files for it is graded? Steps of the Intaker.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/path_names.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/intake/archive.h"
#include "class/intake/intaker.h"
#include "class/intake/lab_names.h"

namespace labkit::course {
namespace {

constexpr const char *kIgnored = "it is not a source file and was ignored",
                     *kWrongForm = "it is not a .cu file";

bool is_one_of(const std::vector<std::string>& labs, const std::string& lab) {
  return std::ranges::find(labs, lab) != labs.end();
}

using Kernels = std::vector<LabNames::Kernels>;

const LabNames::Kernels* of_lab(const Kernels& kernels, const std::string& lab) {
  const auto found = std::ranges::find(kernels, lab, &LabNames::Kernels::lab);
  return found == kernels.end() ? nullptr : &*found;
}

/// What came as one: a download, or Gradescope's single submission.
using Delivery = std::pair<const Root*, std::string>;

struct Candidate {
  const IntakeFile* file = nullptr;
  std::string lab, text = {}, problem = {};
  // What speaks for it, the stronger first.
  bool gradable = false, has_kernel = false, touched = false;
  std::uint64_t order = 0;  ///< the LMS's, larger is newer
  int again = 0;  ///< of "lab3-2.cu", "attempt_2": a guess, so that it is a case all the same
  bool is_copy = false;  ///< "kernel (1).cu", "kit (1)/...": says nothing of which is the newer
  unsigned exact = 0;    ///< how much its name is the one asked for
  auto rank() const {
    return std::tuple(gradable, has_kernel, touched, order, again, exact, !is_copy);
  }
  Delivery delivery() const {
    return {file->root, file->claim.submitted_at ? file->claim.lms_id : std::string()};
  }
};

class Chooser {
 public:
  Chooser(const LabNames& labs, const IntakeOptions& options, Intake& intake)
      : labs_(labs), options_(options), intake_(intake) {}

  void run(std::vector<IntakeFile>& files) {
    for (const IntakeFile& file : files)
      if (const auto at = kit_at(file.found, labs_)) {
        const auto begin = file.found.parts.begin();
        kits_.emplace(begin, begin + static_cast<std::ptrdiff_t>(*at));
      }
    for (IntakeFile& file : files) {
      sort_out(file);
      std::string().swap(file.found.text);  // what counts is a candidate now
    }
    take_wrong_forms();
    for (auto& [key, all] : candidates_) choose(student(key.first).id, key.second, all);
    take_remarks();
    tell_also_contained();
  }

 private:
  void remark(Remark::Kind kind, const IntakeFile& file, const std::string& text,
              const std::string& student, const std::string& lab = {}) {
    remarks_.emplace_back(
        Remark{kind, file.found.path(), student, text, file.root ? file.root->called : "", lab},
        &file);
  }
  /// To each of a group.
  void remark(Remark::Kind kind, const IntakeFile& file, const std::string& text) {
    for (const std::size_t one : file.students) remark(kind, file, text, student(one).id);
    if (file.students.empty()) remark(kind, file, text, "");
  }
  /// Hidden (`./kit reset` keeps .kernel-DATE.cu), or in a folder of a whole kit that is not labs/: nothing there answers a lab.
  bool is_beside_labs(const Found& found) const {
    if (found.kind != Found::Kind::refused && found.parts.back().starts_with('.')) return true;
    std::vector<std::string> above;
    for (std::size_t i = 0; i + 1 < found.parts.size(); ++i) {
      if (found.parts[i].starts_with('.')) return true;
      if (found.parts[i] != "labs" && kits_.contains(above)) return true;
      above.push_back(found.parts[i]);
    }
    return false;
  }
  /// ".lab3.cu", ".lab3/kernel.cu": meant for a lab, unlike what editors and `./kit reset` keep.
  bool is_hidden_work(const std::vector<std::string>& parts) const {
    return std::any_of(
        std::ranges::find_if(parts, [](const auto& part) { return part.starts_with('.'); }),
        parts.end(), [&](const std::string& part) { return !labs_.lab_of(part).empty(); });
  }
  /// No work in a wrong form: a hidden file, or what a whole kit has beside its kernels.
  bool is_kits_own(const Found& found) const {
    static const std::regex own(
        R"(README.*|LICENSE|CMakeLists\.txt|kit|.*\.(?:md|toml|json|cmake|cpp|h))");
    const std::string& name = found.parts.back();
    if (name.starts_with('.')) return true;
    return std::regex_match(name, own) &&
           std::ranges::any_of(kits_, [&](const std::vector<std::string>& kit) {
             return kit.size() < found.parts.size() &&
                    std::equal(kit.begin(), kit.end(), found.parts.begin());
           });
  }
  const Student& student(std::size_t at) const { return intake_.students[at]; }
  void add(std::size_t student, const Candidate& one) {
    candidates_[{student, one.lab}].push_back(one);
    for (const std::string& lab : {one.lab, std::string()})
      came_.insert({student, one.delivery(), lab});
  }

  void sort_out(const IntakeFile& file) {
    const Found& found = file.found;
    if (found.kind == Found::Kind::folder) return;
    if (found.kind == Found::Kind::metadata && file.root && file.root->format == Format::gradescope)
      return;
    if (file.students.empty()) return tell_unowned(file);
    if (!file.claim.why.empty()) {  // typed into the LMS
      wrong_forms_.emplace_back(&file, file.claim.why);
      return;
    }
    const auto is_no_source = [&] {
      if (is_kits_own(found)) return remark(Remark::Kind::left_alone, file, kIgnored);
      wrong_forms_.emplace_back(&file, kWrongForm);
    };
    const std::vector<std::string>& parts = file.claim.own;
    if (is_hidden_work(found.parts)) {
      wrong_forms_.emplace_back(&file, "its name begins with a dot, so it is hidden");
      return;
    }
    if (is_beside_labs(found)) return remark(Remark::Kind::left_alone, file, kIgnored);
    if (found.kind == Found::Kind::other || parts.empty()) return is_no_source();
    const std::string& name = parts.back();
    const bool is_source = source_likeness(name) == 2;
    if (file.is_refused()) {
      remark(may_hold_others_work(file) ? Remark::Kind::unread : Remark::Kind::refused, file,
             found.why);
      if (!is_source && !names_archive(name)) return;
    }
    const std::string problem = file.is_refused() ? found.why : why_no_text(found.text);
    const std::string text = problem.empty() ? decode_source(found.text) : std::string();
    const Kernels kernels = labs_.kernels_in(text);
    bool is_any = false;
    for (const std::string& lab : labs_for(file, kernels)) {
      const Candidate one = candidate(file, lab, text, problem, kernels);
      // What is no .cu is a submission only if it holds a kernel that is asked for; an archive that cannot be read may.
      if (!is_source && !one.has_kernel && !file.is_refused()) continue;
      is_any = true;
      const bool is_stub = one.gradable && one.has_kernel && !one.touched;
      for (const std::size_t student : file.students) {
        if (is_stub)
          remark(Remark::Kind::stub, file,
                 "the kernel as it was handed out; it counts as not submitted",
                 this->student(student).id, lab);
        else
          add(student, one);
        submitted_.insert({student, lab});
      }
    }
    if (is_any || file.is_refused()) return;
    if (!problem.empty()) {
      if (!is_source) return is_no_source();
      return remark(Remark::Kind::no_lab, file, problem);
    }
    const bool holds_kernels = !lab_of_most(kernels).empty();
    if (!is_source && !holds_kernels) return is_no_source();
    if (named_lab(file).empty() && !holds_kernels)
      remark(Remark::Kind::no_lab, file,
             "neither its name nor a kernel in it says which lab it is for");
    else if (file.root->labs.empty())
      remark(
          Remark::Kind::no_lab, file,
          "its name does not say which lab it is for: name it lab3.cu, or say --assignment lab3");
  }

  /// That the file's own name speaks of, else the nearest of its folders'.
  std::string named_lab(const IntakeFile& file) const {
    const std::vector<std::string>& parts = file.claim.own;
    std::string lab;
    for (std::size_t p = parts.size(); p-- > 0 && lab.empty();) lab = labs_.lab_of(parts[p]);
    return lab;
  }

  /// The labs that were set which this file may be for. A name decides, then the kernels in the source, then what was set; in a
  /// plain folder for which nothing was said only a name.
  std::vector<std::string> labs_for(const IntakeFile& file, const Kernels& kernels) {
    const std::vector<std::string>& set = file.root->labs;
    std::vector<std::string> held = {named_lab(file)};
    if (held.front().empty()) held.clear();
    if (set.empty()) return held;
    if (held.empty())
      for (const LabNames::Kernels& one : kernels)
        if (one.touched) held.push_back(one.lab);
    if (held.empty())
      if (const std::string most = lab_of_most(kernels); !most.empty()) held = {most};
    if (held.empty() && set.size() == 1) return set;
    std::vector<std::string> labs;
    for (const std::string& lab : held) {
      const LabNames::Kernels* own = of_lab(kernels, lab);
      if (is_one_of(set, lab)) labs.push_back(lab);
      // whole kits hold the others as they were handed out
      else if (source_likeness(file.name()) == 2 && (!own || own->touched))
        also_[file.root][lab].insert(file.students.begin(), file.students.end());
    }
    return labs;
  }

  /// `lab` is one of labs_for().
  static Candidate candidate(const IntakeFile& file, const std::string& lab,
                             const std::string& text, const std::string& problem,
                             const Kernels& kernels) {
    const LabNames::Kernels* own = of_lab(kernels, lab);
    const std::vector<std::string>& parts = file.claim.own;
    const std::string stem = slug(parts.back().substr(0, parts.back().find('.', 1)));
    static const std::regex numbered(R"((?:.-|[_-]v|(?:attempt|submission|version)\W*)(\d{1,3})$)",
                                     std::regex::icase);
    int again = 0;
    for (const std::string& part : parts) {
      const std::string name = part.substr(0, std::min<std::size_t>(part.find('.', 1), 255));
      if (std::smatch n; std::regex_search(name, n, numbered)) again = std::max(again, stoi(n[1]));
    }
    static const std::regex copy(R"(.\(\d+\)(?:\.|$))");
    return {.file = &file,
            .lab = lab,
            .text = text,
            .problem = problem,
            .gradable = problem.empty(),
            .has_kernel = own != nullptr,
            .touched = own && own->touched,
            .order = file.claim.order,
            .again = again,
            .is_copy = std::ranges::any_of(
                parts, [](const std::string& part) { return std::regex_search(part, copy); }),
            .exact = (source_likeness(parts.back()) == 2 ? 2u : 0u) +
                     (stem == lab || stem == "kernel" ? 1u : 0u)};
  }

  void tell_unowned(const IntakeFile& file) {
    const Found& found = file.found;
    if (may_hold_others_work(file)) {
      std::string lab = labs_.lab_of(without_archive_ending(file.name()));
      if (lab.empty() && file.root && file.root->labs.size() == 1) lab = file.root->labs.front();
      return remark(Remark::Kind::unread, file, found.why, "", lab);
    }
    if (file.is_refused())
      remark(Remark::Kind::refused, file, found.why);
    else if (!file.claim.why.empty())  // a kernel that is nobody's is somebody's
      remark(source_likeness(file.name()) == 2 && !is_beside_labs(found) ? Remark::Kind::unread
                                                                         : Remark::Kind::nobody,
             file, file.claim.why);
  }

  /// An archive or a folder that could not be read, and is not known to be one student's.
  bool may_hold_others_work(const IntakeFile& file) const {
    if (!file.is_refused() || !file.found.is_whole) return false;
    if (!file.root || file.found.parts.size() == file.root->prefix.size()) return true;
    // Among students' archives, but called like nobody on the roster.
    return file.root->format == Format::plain && !options_.roster_text.empty() &&
           file.found.parts.size() == file.root->prefix.size() + 1 &&
           std::ranges::none_of(file.students,
                                [&](std::size_t one) { return student(one).on_roster; });
  }

  /// Who submitted a PDF has submitted something: that is a case for the teacher, and no zero. Where anything better came
  /// with it, it is taken for what was written beside.
  void take_wrong_forms() {
    for (const auto& [file, problem] : wrong_forms_) {
      const std::vector<std::string>& set = file->root->labs;
      Candidate one{
          .file = file, .lab = named_lab(*file), .problem = problem, .order = file->claim.order};
      if (one.lab.empty() && set.size() == 1) one.lab = set.front();
      if (!set.empty() && !is_one_of(set, one.lab)) one.lab.clear();
      for (const std::size_t student : file->students) {
        const bool is_typed = !file->claim.why.empty();
        const bool is_first = !came_.contains({student, one.delivery(), one.lab}) &&
                              (is_typed || !submitted_.contains({student, one.lab}));
        if (is_first && !one.lab.empty())
          add(student, one);
        else if (is_first)
          remark(Remark::Kind::no_lab, *file, problem, this->student(student).id);
        else
          remark(Remark::Kind::left_alone, *file, kIgnored, this->student(student).id);
        came_.insert({student, one.delivery(), ""});
      }
    }
  }

  /// The later is a second attempt in the LMS with the text of the earlier.
  static bool is_again(const Candidate& later, const Candidate& earlier) {
    return later.gradable && earlier.gradable && later.order > earlier.order &&
           later.text == earlier.text && later.delivery() == earlier.delivery();
  }

  void choose(const std::string& student, const std::string& lab, std::vector<Candidate>& all) {
    // Of two alike, the shorter path, then the later in the alphabet ("attempt 2", which is longer or later than "attempt 1"); an
    // archive's later member of the same path replaces the earlier, as unpacking would have it.
    std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
      if (a.rank() != b.rank()) return a.rank() > b.rank();
      const std::vector<std::string>&pa = a.file->found.parts, &pb = b.file->found.parts;
      if (pa.size() != pb.size()) return pa.size() < pb.size();
      return pa != pb ? natural_key(joined(pa)) > natural_key(joined(pb)) : a.file > b.file;
    });
    // in the order in which their downloads were named
    std::map<Delivery, const Candidate*> best_of;
    for (const Candidate& one : all) {
      const auto [at, is_first] = best_of.emplace(one.delivery(), &one);
      // The same text again is no new attempt, and no later one.
      if (!is_first && at->second == &one - 1 && is_again(*at->second, one)) at->second = &one;
    }
    const Candidate* best = nullptr;
    Submission counts;
    for (const auto& [delivery, one] : best_of) {
      Submission submission = submission_of(*one);
      if (best && !replaces(submission, counts)) continue;
      best = one;
      counts = std::move(submission);
    }
    counts.student = student;
    counts.lab = lab;
    tell_others(all, *best, counts);
    if (!best->problem.empty() && !best->file->is_refused())
      remark(Remark::Kind::refused, *best->file, best->problem, student);
    intake_.submissions.push_back(std::move(counts));
  }

  /// But for the student, the lab, and what is said of the others.
  Submission submission_of(const Candidate& one) const {
    const Claim& claim = one.file->claim;
    Submission submission{.path = one.file->found.path(),
                          .source = one.text,
                          .source_sha256 = sha256_hex(one.text),
                          .submitted_at = claim.submitted_at,
                          .local_at = claim.local_at,
                          .lms_order = one.order,
                          .late = claim.late,
                          .lms_id = claim.lms_id,
                          .download = one.file->root->called,
                          .problem = one.problem};
    if (one.file->students.size() > 1)
      for (const std::size_t member : one.file->students)
        submission.group.push_back(student(member).id);
    std::ranges::sort(submission.group);
    return submission;
  }

  /// Of "lab3-1.cu", "lab3": so Canvas, whose downloads have the last attempt alone, calls the second of a name.
  static std::string stem(const Candidate& one) {
    static const std::regex ending(R"((-\d+)?(\.[^.]*)?$)");
    return std::regex_replace(one.file->claim.own.front().substr(0, 255), ending, "");
  }
  /// Of `all`, `best` is `submission`.
  void tell_others(const std::vector<Candidate>& all, const Candidate& best,
                   const Submission& submission) {
    const std::string graded =
        fmt::format("for {}, {} was graded", submission.lab, submission.path);
    const auto when = [](const Candidate& one) { return std::pair(one.file->root, one.order); };
    std::vector<const IntakeFile*> as_good;
    for (const Candidate& one : all) {
      if (&one == &best || one.file->is_refused()) continue;  // that has its line
      const bool same = one.text == best.text && one.gradable;
      const bool is_another = one.file->root->format == Format::canvas && stem(one) != stem(best);
      // Beside what was graded nothing tells which was meant, but an LMS's order: a number in a name may say anything.
      if (!one.gradable && best.gradable && when(one) >= when(best))
        remark(Remark::Kind::refused, *one.file, fmt::format("{}; {}", one.problem, graded),
               submission.student);
      else if (!same && one.delivery() == best.delivery() &&
               (when(one) == when(best) || one.is_copy != best.is_copy || is_another) &&
               one.gradable && one.has_kernel && one.touched && best.touched)
        as_good.push_back(one.file);
      else if (!same && one.gradable && one.file->root != best.file->root && one.order == 0 &&
               !one.file->claim.submitted_at)
        remark(Remark::Kind::roster, *one.file,
               fmt::format("{} is in two downloads; {}, from the one named later",
                           submission.student, graded),
               submission.student);
      else
        remark(Remark::Kind::not_chosen, *one.file, graded + (same ? ", which is the same" : ""),
               submission.student);
    }
    if (!as_good.empty())
      remark(Remark::Kind::several, *as_good.front(),
             fmt::format("it{} the kernel as well; {} was graded",
                         as_good.size() == 1 ? " holds"
                                             : fmt::format(" and {} more hold", as_good.size() - 1),
                         submission.path),
             submission.student, submission.lab);
  }

  static std::size_t most_of(Remark::Kind kind) {
    return kind == Remark::Kind::left_alone || kind == Remark::Kind::nobody ? 1 : 10;
  }
  /// In the order of the files, one remark of one file, however many downloads hold it; what one student's folder or archive
  /// says is no more than a few lines, however much is in it.
  void take_remarks() {
    std::ranges::stable_sort(remarks_, {}, [](const auto& one) { return one.second; });
    struct Told {
      std::size_t count = 0, last = 0;
    };
    std::map<std::tuple<const Root*, std::string, Remark::Kind>, Told> told;
    std::set<std::tuple<Remark::Kind, std::string, std::string, std::string, std::string>> known;
    std::vector<Remark> all;
    for (auto& [one, file] : remarks_) {
      const std::string below = joined(std::span(file->found.parts).subspan(file->place()), "/");
      if (!known.emplace(one.kind, one.student, one.lab, one.text, below).second) continue;
      Told& of = told[{file->root, file->top(), one.kind}];
      if (++of.count > most_of(one.kind)) continue;
      of.last = all.size();
      all.push_back(std::move(one));
    }
    for (const auto& [key, of] : told)
      if (const std::size_t most = most_of(std::get<Remark::Kind>(key)); of.count > most)
        all[of.last].text += fmt::format("; and {} more in {}", of.count - most, std::get<1>(key));
    intake_.remarks.insert(intake_.remarks.begin(), all.begin(), all.end());
  }

  /// A line for each download, and one for each student of whom it holds nothing else.
  void tell_also_contained() {
    for (const auto& [root, labs] : also_) {
      std::map<std::size_t, std::set<std::string>> of_student;
      std::vector<std::string> counts;
      for (const auto& [lab, students] : labs) {
        counts.push_back(fmt::format("{} ({})", lab, students.size()));
        for (const std::size_t one : students) of_student[one].insert(lab);
      }
      intake_.remarks.push_back(
          {Remark::Kind::also, root->called, {}, joined(counts), root->called});
      for (const auto& [at, held] : of_student)
        if (std::ranges::none_of(root->labs, [&, at = at](const std::string& lab) {
              return submitted_.contains({at, lab});
            }))
          intake_.remarks.push_back({Remark::Kind::no_lab, root->called, student(at).id,
                                     fmt::format("{} holds only {}, not what was set for it ({})",
                                                 student(at).id, joined(held), joined(root->labs)),
                                     root->called});
    }
  }

  const LabNames& labs_;
  const IntakeOptions& options_;
  Intake& intake_;
  std::vector<std::pair<Remark, const IntakeFile*>> remarks_;
  std::map<std::pair<std::size_t, std::string>, std::vector<Candidate>> candidates_;
  /// Student, delivery, lab or "": that something of it may be graded.
  std::set<std::tuple<std::size_t, Delivery, std::string>> came_;
  std::set<std::vector<std::string>> kits_;  ///< folders that have labs/lab3_... in them
  /// A lab that was not set -> students.
  std::map<const Root*, std::map<std::string, std::set<std::size_t>>> also_;
  /// Work that nobody can grade as it is, such as a PDF: counts where nothing better came with it.
  std::vector<std::pair<const IntakeFile*, std::string>> wrong_forms_;
  /// Student, lab: also what cannot be graded, and stubs.
  std::set<std::pair<std::size_t, std::string>> submitted_;
};

}  // namespace

void choose_files(std::vector<IntakeFile>& files, const LabNames& labs,
                  const IntakeOptions& options, Intake& intake) {
  Chooser(labs, options, intake).run(files);
}

}  // namespace labkit::course
