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
  /// One file that may be what a student means for a lab.
  struct Candidate {
    std::size_t found = 0, claim = 0;
    std::string lab, text, problem;
    std::string note;  ///< for the teacher, if it is chosen
    // What speaks for it, the stronger first.
    bool gradable = false, has_kernel = false, touched = false;
    bool in_kits_place =
        false;  ///< where the kit keeps its solutions, but not the kit's: the last choice
    std::uint64_t order = 0;    ///< the LMS's, larger is newer
    unsigned resubmission = 0;  ///< by its names
    unsigned exact = 0;         ///< how much its name is the one asked for
    auto rank() const {
      return std::tuple(gradable, has_kernel, touched, !in_kits_place, resubmission, order, exact);
    }
  };
  /// Work that nobody can grade as it is, such as a PDF: counts where nothing better came with it.
  struct WrongForm {
    std::size_t found = 0;
    std::string problem;
  };
  struct LeftAlone {
    std::size_t count = 0, first = 0;
  };

  void find(const std::filesystem::path& input, const std::string& prefix,
            const std::string& called);
  void assign_labs();
  bool is_whole_kit(const Found& found) const;
  void tell_also_contained();
  void claim_all();
  void resolve_owners();

  void sort_out(std::size_t i);
  std::string named_lab(std::size_t i) const;
  std::vector<std::string> labs_for(std::size_t i, const std::string& text);
  Candidate candidate(std::size_t i, const std::string& lab) const;
  std::string text_of(std::size_t i) const;
  std::vector<std::string> own_parts(const Found& found, const Claim& claim) const;
  void tell_unowned(std::size_t i);
  bool may_hold_others_work(std::size_t i) const;
  void refuse_too_slow();
  void begin_file(const Found& found) const;

  void leave_alone_of(std::size_t student, std::size_t i);
  void note_wrong_form(std::size_t i, std::string problem);
  void take_wrong_forms();

  void choose();
  void choose(std::size_t student, const std::string& lab, std::vector<Candidate>& all);
  void tell_others(const std::vector<Candidate>& all, Submission& submission);
  Submission submission_of(const Candidate& one) const;
  std::pair<std::size_t, std::string> delivery_of(const Candidate& one) const;
  bool is_as_good(const Candidate& one, const Candidate& best) const;
  void remark(Remark::Kind kind, std::size_t i, std::string text);

  LabNames labs_;
  IntakeOptions options_;
  Identities identities_;
  std::vector<Found> found_;
  std::vector<Root> roots_;
  std::vector<std::string> inputs_;                 ///< parallel to roots_: where it was found
  std::vector<std::size_t> root_of_;                ///< parallel to found_; roots_.size(): none
  std::vector<Claim> claims_;                       ///< parallel to found_
  std::vector<std::vector<std::size_t>> students_;  ///< parallel to found_: who submitted it
  std::vector<std::pair<Remark, std::size_t>> remarks_;  ///< with the Found they are about
  std::map<std::pair<std::size_t, std::string>, std::vector<Candidate>>
      candidates_;                               ///< student, lab
  std::map<std::size_t, LeftAlone> left_alone_;  ///< by student
  std::map<std::size_t, std::map<std::string, std::set<std::size_t>>>
      also_;  ///< root -> a lab that was not set -> students
  std::vector<WrongForm> wrong_forms_;
  std::set<std::pair<std::size_t, std::string>>
      submitted_;                         ///< student, lab: also what cannot be graded, and stubs
  std::set<std::string> told_downloads_;  ///< of Root::downloads
  Intake intake_;
};

}  // namespace labkit::course
