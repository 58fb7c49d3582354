// From what was found to what was submitted, step by step. Private to intake: the steps are in intake.cpp
// (who owns what), intake_sort.cpp (which lab a file is for) and intake_choose.cpp (which file is graded).
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "class/intake/identity.h"
#include "class/intake/intake.h"
#include "class/intake/lab_names.h"

namespace labkit::course {

class Intaker {
 public:
  Intaker(const std::vector<grade::Manifest>& labs, const IntakeOptions& options,
          std::vector<RosterEntry> roster)
      : labs_(labs), options_(options), identities_(std::move(roster)) {}

  Intake run(const std::vector<std::filesystem::path>& inputs);

 private:
  struct File {
    Found found;
    const Root* root = nullptr;  ///< null: beside the downloads
    Claim claim = {};
    std::vector<std::size_t> students = {};  ///< who submitted it

    const std::string& name() const { return found.parts.back(); }
    bool is_refused() const { return found.kind == Found::Kind::refused; }
    /// The parts below the owner's name, by which the lab is found.
    std::vector<std::string> own_parts() const;
  };
  /// One file that may be what a student means for a lab.
  struct Candidate {
    const File* file = nullptr;
    std::string lab, text, problem;
    std::string note;  ///< for the teacher, if it is chosen
    // What speaks for it, the stronger first.
    bool gradable = false, has_kernel = false, touched = false;
    bool in_kits_place = false;  ///< where the kit keeps its solutions, but not the kit's
    std::uint64_t order = 0;     ///< the LMS's, larger is newer
    unsigned resubmission = 0;   ///< by its names
    unsigned exact = 0;          ///< how much its name is the one asked for
    auto rank() const {
      return std::tuple(gradable, has_kernel, touched, !in_kits_place, resubmission, order, exact);
    }
    /// What came as one: a download, or Gradescope's single submission.
    std::pair<const Root*, std::string> delivery() const {
      return {file->root, file->claim.submitted_at ? file->claim.lms_id : std::string()};
    }
  };
  struct LeftAlone {
    std::size_t count = 0;
    const File* first = nullptr;
  };

  void find(const std::filesystem::path& input, const std::string& prefix,
            const std::string& called);
  void refuse_too_slow();
  void find_roots_of_files();
  void claim_all();
  void assign_labs();
  void resolve_owners();

  void sort_out(const File& file);
  std::string named_lab(const File& file) const;
  std::vector<std::string> labs_for(const File& file, const std::string& text);
  Candidate candidate(const File& file, const std::string& lab, const std::string& text) const;
  void tell_unowned(const File& file);
  bool may_hold_others_work(const File& file) const;
  void leave_alone(const File& file, std::size_t student);
  void take_wrong_forms();

  void choose(std::size_t student, const std::string& lab, std::vector<Candidate>& all);
  void tell_others(const std::vector<Candidate>& all, Submission& submission);
  Submission submission_of(const Candidate& one) const;

  void take_remarks();
  void tell_also_contained();
  void begin_file(const File& file) const;
  void remark(Remark::Kind kind, const File& file, std::string text, std::string student = {}) {
    remarks_.emplace_back(Remark{kind, file.found.path(), std::move(student), std::move(text)},
                          &file);
  }
  const Student& student(std::size_t at) const { return identities_.students()[at]; }

  LabNames labs_;
  IntakeOptions options_;
  Identities identities_;
  std::vector<File> files_;
  std::vector<Root> roots_;
  std::vector<std::pair<Remark, const File*>> remarks_;
  std::map<std::pair<std::size_t, std::string>, std::vector<Candidate>>
      candidates_;                               ///< student, lab
  std::map<std::size_t, LeftAlone> left_alone_;  ///< by student
  std::map<const Root*, std::map<std::string, std::set<std::size_t>>>
      also_;  ///< a lab that was not set -> students
  /// Work that nobody can grade as it is, such as a PDF: counts where nothing better came with it.
  std::vector<std::pair<const File*, std::string>> wrong_forms_;
  std::set<std::pair<std::size_t, std::string>>
      submitted_;                         ///< student, lab: also what cannot be graded, and stubs
  std::set<std::string> told_downloads_;  ///< of Root::downloads
  Intake intake_;
};

}  // namespace labkit::course
