// What is known of a class, in one SQLite file: who submitted what, which gradings are to be done,
// their results, and the teacher's decisions.
//
// A job is one student's source for one lab under given conditions (kit, lab, device, seed). Its result is on the disk when
// finish() returns, in one transaction. A job whose key has a result already is not done again. Grading itself needs no
// gradebook (grading/plan.h). A result counts until its successor is there, whatever makes one wanted: a newer submission,
// other conditions, a teacher who wants it graded again.
//
// A class comes in many times: a lab a week, two sections, the same download again. Each import is kept as it
// came. It waits (pending) until its grades are there and nobody minds what it changes, then it is applied;
// the last one can be taken back, whatever it brought. Which submission counts follows from those that are applied (imports.cpp).
//
// Any number of processes may read and decide; one at a time grades (GradingLock). Every function throws labkit::Error with
// the fix if the file cannot be read or written, and then has changed nothing.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "class/intake/intake.h"

namespace labkit::course {

/// What a result depends on besides the source.
struct Conditions {
  std::string kit;     ///< version
  std::string device;  ///< "sim", or the name of a GPU
  std::uint64_t seed = 1;
  std::map<std::string, std::string> labs;  ///< lab -> measurement_hash(); others are not graded
};

enum class JobState : std::uint8_t {
  waiting,
  done,    ///< there is a result
  failed,  ///< our fault, after the last attempt: not graded
};

struct Job {
  std::int64_t id = 0;
  std::string student, lab, source_sha256;
  std::string kit, lab_hash, device;
  std::uint64_t seed = 0;
  JobState state = JobState::waiting;
  std::string message;           ///< of a failed one: what happened
  std::int64_t finished_at = 0;  ///< seconds since 1970; 0: not yet
  std::string path;              ///< where its source was; of to_do() and job_of_receipt() alone
};

struct Outcome {
  std::string
      json;  ///< one LabResult (format of report/json.h), from which the gradebook has points and verdict
  std::string receipt;  ///< JSON, kept as it is
};

/// A teacher's word about one student's lab, or a student's to the teacher. The last of a kind counts; all are kept.
struct Decision {
  enum class Kind : std::uint8_t {
    points,     ///< the grade, whatever was measured and however late
    late_days,  ///< so many days late, whatever the LMS says (0: an extension)
    excused,    ///< no grade is asked for
    withdrawn,  ///< takes back all earlier decisions; a comment stays
    comment,    ///< the reason is feedback; an empty one takes it back
    regrade,  ///< the student asks to look again, and why; open until anything else but a comment is decided
    answered,  ///< answers such a request, and the grade stays
  };
  std::int64_t id = 0;
  std::string student, lab;
  Kind kind = Kind::points;
  double value = 0;    ///< points or days
  std::string reason;  ///< the student reads it while the decision holds
  std::string by;
  std::int64_t at = 0;  ///< seconds since 1970
};

struct Score {
  std::string verdict;
  double points = 0, max_points = 0, bonus = 0, max_bonus = 0;
  double undecided = 0;  ///< points and bonus neither won nor lost: INCONCLUSIVE
  friend bool operator==(const Score&, const Score&) = default;
};

struct Entry : Score {
  std::string student, lab;
  bool is_nobodys = false;  ///< there is a roster, and the student is not on it
  bool submitted = false;   ///< there is a submission, gradable or not
  /// Nothing there, but this may be it: "lab3.zip cannot be read"; "" if nothing may.
  std::string perhaps;
  Submission submission;     ///< without its source
  std::int64_t came_at = 0;  ///< when its source was first imported: seconds since 1970
  std::optional<Job> job;    ///< the one that counts now
  bool graded = false;       ///< that job is done: outcome() has its result
  std::optional<Job> again;  ///< of what is graded: to be graded again, and not done yet
  /// The job that is to be done for it, or was.
  const Job* wanted() const { return again ? &*again : job ? &*job : nullptr; }
  std::vector<Decision> decisions;  ///< in the order they were made
};

struct Imported {
  std::size_t added = 0;  ///< submissions; 0: it holds nothing new, and there is nothing to apply
  std::vector<std::string> older;  ///< "ana lab3: ...", of what is older than what counts
  std::vector<std::string>
      people;  ///< sentences about who is who: what a roster or an LMS's id changed
};

struct LastImport {
  std::vector<std::string> downloads;
  std::set<std::string> labs;    ///< that were set for them
  std::int64_t submissions = 0;  ///< that were new
  std::int64_t at = 0;           ///< seconds since 1970
};

/// Which imports count: those that are applied, also those that wait, also the last one, or those that undo() leaves. To be
/// shown: those that are applied, but what came with one that waits is not missing.
enum class View : std::uint8_t { shown, applied, with_pending, with_last, without_last };

/// A setting, with the lab's id after it: the result of the lab's reference solution under the class's conditions (format
/// of report/json.h), for pages to show beside.
inline constexpr const char* kReferenceSetting = "reference ";
/// A setting: JSON, lab -> [when it is due or null, its zone's seconds], of all labs that an assignment names; no other is set.
inline constexpr const char* kAssignedSetting = "assignments";

class Gradebook {
 public:
  enum class Mode : std::uint8_t {
    create,    ///< if it is not there
    existing,  ///< throws std::invalid_argument if it is not there, labkit::Error if it is empty
  };

  /// Refuses a file of another version of the kit, what is no gradebook, and one that SQLite's own check finds damaged.
  /// Where nothing may be written, what reads may be called.
  explicit Gradebook(const std::filesystem::path& file, Mode mode = Mode::create);
  /// The file is not there or holds nothing, so that create would begin a new gradebook.
  static bool is_blank(const std::filesystem::path& file);
  ~Gradebook();
  Gradebook(const Gradebook&) = delete;
  Gradebook& operator=(const Gradebook&) = delete;

  static constexpr int kSchemaVersion = 4;

  /// Keeps `intake` as one import, which is applied unless it `waits`. What is here already is not taken again: the same
  /// bytes, and what something newer has replaced before. A remark on a student holds until something of that student comes
  /// in a later import for the same labs; one on a download until one of that name, for the same labs and of the same
  /// students, comes.
  Imported put_class(Intake intake, bool waits = false);
  /// Submission::local_at, by Submission::lms_id, of what counts or waits to: where none is known, or everywhere.
  void put_local_times(const std::string& lab, const std::map<std::string, std::int64_t>& times,
                       bool everywhere);
  /// Those that wait count from now on: all, or the last one.
  void apply_pending(View view = View::with_pending);
  std::vector<std::string> pending_downloads() const;
  bool has_pending() const { return !pending_downloads().empty(); }
  /// nullopt: there is none that was not taken back.
  std::optional<LastImport> last_import() const;
  /// It counts no more.
  void undo();
  /// `also_taken_back`: also those of imports that were; they have no name.
  std::vector<Student> students(bool also_taken_back = false) const;
  std::vector<Remark> remarks() const;
  /// The downloads that brought anything, and the last one.
  std::vector<Root> roots() const;
  /// Submission::source_sha256 -> Submission::source; nullopt if there is none. Throws labkit::Error if it is not as it came.
  std::optional<std::string> source(const std::string& sha256) const;

  /// Makes the jobs of all gradable submissions that count, or wait to, under `conditions` those that are wanted.
  /// Those that failed wait again. How many are to do.
  std::size_t plan(const Conditions& conditions);
  /// The wanted jobs that wait or failed, by student and lab.
  std::vector<Job> to_do() const;
  /// Stores results of such jobs, all or none. Throws labkit::Error if one is no result.
  void finish(const std::vector<std::pair<std::int64_t, Outcome>>& outcomes);
  void finish(std::int64_t job, const Outcome& outcome) { finish({{job, outcome}}); }
  /// Our fault: the job is not graded.
  void fail(std::int64_t job, const std::string& message);
  /// Lets the job that counts wait again; its result stays until there is another.
  void grade_again(const std::string& student, const std::string& lab);

  /// Throws std::invalid_argument for a student or lab that is not there, an empty reason, a value that is no number or below 0.
  void decide(const Decision& decision);
  /// The job's result reads so from now on: other points and gates (policy/rescore.h).
  void rescore(std::int64_t job, const std::string& json);
  /// Every student present times every lab that was set for a download; sorted by student, then lab.
  std::vector<Entry> entries(View view = View::shown) const;
  std::optional<Outcome> outcome(std::int64_t job) const;
  /// Whose receipt it is, letter for letter, also of an earlier submission; nullopt if nobody's.
  std::optional<Job> job_of_receipt(const std::string& receipt) const;

  /// Small texts by name: the policy file, the class's seed.
  void put_setting(const std::string& name, const std::string& value);
  std::string setting(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What to do about a gradebook that is lost or damaged.
std::string restore_text(const std::filesystem::path& gradebook);

/// Held while grading; another process that tries gets a UsageError. Gone with the process, however it ends.
class GradingLock {
 public:
  explicit GradingLock(const std::filesystem::path& gradebook);

 private:
  Descriptor file_;
};

bool is_graded_now(const std::filesystem::path& gradebook);

}  // namespace labkit::course
