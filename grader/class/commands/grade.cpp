// `labkit class grade`: imports submissions, grades what is new or changed, and writes the outputs.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/commands/input.h"
#include "class/commands/progress.h"
#include "class/commands/words.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/job.h"
#include "class/grading/runner.h"
#include "class/pages/pages.h"
#include "class/policy/rescore.h"
#include "class/policy/tally.h"
#include "cli/paths.h"
#include "cli/stop.h"
#include "compile/compile.h"
#include "report/style.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// More would only wait for the GPU, which one at a time has.
constexpr unsigned kJobsWithGpu = 8;

std::string device_words(const std::string& device) {
  return device == "sim" ? "the simulator" : device;
}

/// One device for the whole class: the one it was graded on before, unless the command line says
/// another.
std::string choose_device(const ClassGradeOptions& options, const std::string& before,
                          cli::DeviceChoice& choice) {
  choice = options.device;
  if (!options.is_device_given() && before == "sim") choice.device = "sim";
  std::string now = device_name(choice);
  if (before.empty() || before == now) return now;
  if (!options.is_device_given())
    throw Error(
        fmt::format("this class was graded on {}, which is not available here{}", before,
                    now == "sim" ? "" : fmt::format(" ({} is)", now)),
        fmt::format(
            "Run it where that GPU is, or grade the whole class again on this device: --device {}",
            now == "sim" ? "sim" : "cuda"));
  say(fmt::format("The device was {} and is {} now: everything is graded again.",
                  device_words(before), device_words(now)));
  return now;
}

/// The class's secret: a kernel made for the inputs of a known seed would be a kernel for one input.
/// Of 48 bits, so that every reader of JSON gets it whole.
std::uint64_t random_seed() {
  std::random_device source;
  return ((std::uint64_t{source()} << 32) | source()) & ((std::uint64_t{1} << 48) - 1);
}

std::uint64_t choose_seed(const ClassGradeOptions& options, Gradebook& book) {
  const std::string kept = book.setting(kSeedSetting);
  std::uint64_t before = 0;
  if (!kept.empty()) before = std::stoull(kept);
  if (!options.seed && !kept.empty()) return before;
  const std::uint64_t seed = options.seed ? *options.seed : random_seed();
  if (!kept.empty() && seed != before) say("The seed has changed: everything is graded again.");
  if (kept.empty() || seed != before) book.put_setting(kSeedSetting, std::to_string(seed));
  return seed;
}

/// Of all labs that were set.
Conditions conditions_for(const std::vector<grade::Manifest>& all, const Gradebook& book) {
  std::set<std::string> labs;
  for (const Entry& entry : book.entries(View::with_pending)) labs.insert(entry.lab);
  Conditions conditions;
  conditions.kit = LABKIT_VERSION;
  for (const grade::Manifest& lab : all)
    if (labs.count(lab.id)) conditions.labs[lab.id] = measurement_hash(lab);
  return conditions;
}

/// What a GPU could not decide is measured again.
std::size_t measure_again(Gradebook& book, const std::vector<std::string>& labs) {
  std::size_t undecided = 0;
  const Policy policy = kept_policy(book);
  for (const Entry& entry : book.entries()) {
    if (!entry.graded || entry.again || place_of(grade(entry, policy)) != Place::undecided ||
        std::find(labs.begin(), labs.end(), entry.lab) == labs.end())
      continue;
    undecided += 1;
    book.grade_again(entry.student, entry.lab);
  }
  return undecided;
}

/// With --regrade all is graded again. Stopped on the way, the same command goes on with it, and so
/// does one without it.
void regrade(Gradebook& book, const std::vector<std::string>& labs, bool wanted) {
  const std::size_t unfinished = book.waiting_again();
  if (unfinished > 0)
    say(fmt::format("Continuing --regrade: {} left.", counted(unfinished, "submission")));
  if (!wanted) return;
  if (const std::size_t again = book.grade_again(labs))
    say(fmt::format(
        "--regrade: {} will be graded again; each grade stays until the new one is there.",
        counted(again, "submission")));
}

void keep_run(Gradebook& book, const RunnerOptions& runner, std::size_t to_do) {
  book.put_setting(kRunSetting, nlohmann::json({{"begun_at", std::time(nullptr)},
                                                {"jobs", runner.jobs},
                                                {"to_do", to_do},
                                                {"labs", runner.labs},
                                                {"process", ::getpid()}})
                                    .dump());
}

/// Asked on a terminal; elsewhere nobody can answer.
bool is_agreed() {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return false;
  std::fputs("Apply it? [y/N] ", stdout);
  std::fflush(stdout);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

class ClassRun {
 public:
  explicit ClassRun(const ClassGradeOptions& options)
      : options_(options), all_(cli::select_labs({})) {
    require_inputs(options_);
    if (!options_.new_gradebook) require_gradebook_of(options_.out);
  }

  int run() {
    const KeptRoster roster = roster_for(options_);
    Intake intake = import_inputs(roster);
    require_assigned(intake, options_);
    require_something_of_the_labs(intake, options_);
    Gradebook book(gradebook_file(options_.out));
    const GradingLock lock(gradebook_file(options_.out));
    std::optional<cli::StopOnSignals> signals(std::in_place);
    keep_options(book, all_, options_.publish);
    say_intake(intake, options_.inputs);
    const fs::path before_roster = keep_roster(book, roster);
    keep_assignments(book, all_, options_.out, intake.roots);
    const Imported imported = book.put_class(std::move(intake), true);
    say_imported(imported);
    say_way_back(imported, before_roster, gradebook_file(options_.out));
    prepare(book);
    RunResult result;
    try {
      if (!cli::stop_asked() && to_do_ > 0) result = grade(book);
    } catch (const Error&) {
      say_kept(book);
      throw;
    }
    if (cli::stop_asked()) return report_stopped(book);
    signals.reset();  // what is left takes a moment, and can be done again
    return report_end(book, result);
  }

 private:
  Intake import_inputs(const KeptRoster& roster) const {
    IntakeOptions intake;
    if (!options_.format.empty()) intake.format = format_from_name(options_.format);
    for (const std::string& one : options_.assignments)
      intake.assignments.push_back(assignment_from(one, all_));
    const fs::path kept = options_.out / kAssignmentsFile;
    if (fs::exists(kept)) {
      const Assignments known(read_file(kept, kKeptBytes), kept.string(), all_);
      intake.assignments.insert(intake.assignments.end(), known.all().begin(), known.all().end());
    }
    intake.roster_text = roster.text;
    intake.roster_name = roster.name;
    Waiting waiting(stdout, report::printable("Reading " + joined(options_.inputs)));
    const auto look = [&](std::size_t files) { waiting.show(counted(files, "file")); };
    return import_sandboxed(options_.inputs, all_, intake, {.look = look});
  }

  /// Device, seed, and what is to be done.
  void prepare(Gradebook& book) {
    device_ = choose_device(options_, book.setting(kDeviceSetting), choice_);
    Conditions conditions = conditions_for(all_, book);
    conditions.device = device_;
    conditions.seed = choose_seed(options_, book);
    book.put_setting(kDeviceSetting, device_);
    book.plan(conditions);
    for (const auto& [lab, hash] : conditions.labs) runner_.labs.push_back(lab);
    regrade(book, runner_.labs, options_.regrade);
    if (const std::size_t undecided = measure_again(book, runner_.labs))
      say(fmt::format("{} could not be decided before and will be measured again.",
                      counted(undecided, "submission")));
    const ClassCount now = count(book.entries(View::with_pending), runner_.labs);
    to_do_ = now.to_grade - now.graded;
    before_ = now.graded;
    runner_.jobs =
        options_.jobs ? options_.jobs : std::max(1u, std::thread::hardware_concurrency());
    if (!options_.jobs && device_ != "sim") runner_.jobs = std::min(runner_.jobs, kJobsWithGpu);
    runner_.jobs = static_cast<unsigned>(
        std::min<std::size_t>(runner_.jobs, std::max<std::size_t>(1, to_do_)));
    if (now.to_grade == 0)
      say("Nothing to grade: no submission can be graded.");
    else if (to_do_ == 0)
      say(fmt::format("Nothing to grade: all {} have a result.",
                      counted(now.to_grade, "submission")));
    else
      say(fmt::format("Grading {} on {}, {} at a time{}.", counted(to_do_, "submission"),
                      device_words(device_), runner_.jobs,
                      now.graded ? fmt::format("; {} graded already", now.graded) : ""));
  }

  /// What the compiler's jail lacks on this machine is reported once; a policy may refuse to grade so.
  static void look_at_jail(const Gradebook& book) {
    const process::JailState jail = compile::find_nvrtc().jail;
    if (kept_policy(book).strict_jail)
      ::setenv("LABKIT_JAIL", "strict", 1);  // for the programs that compile, and refuse
    if (!jail.whole())
      say(fmt::format("Note: the jail for the compiler is incomplete here: {} ({}).",
                      process::text_of(jail), jail.problem));
  }

  RunResult grade(Gradebook& book) {
    const WorkFolder work(fs::absolute(options_.out) / ".work");
    std::set<std::string> present;  // only their check programs are looked at
    std::map<std::pair<std::string, std::string>, std::string> paths;
    for (const Entry& entry : book.entries(View::with_pending)) {
      if (!entry.wanted()) continue;
      present.insert(entry.lab);
      paths[{entry.student, entry.lab}] = entry.submission.path;
    }
    std::vector<grade::Manifest> labs;
    for (const grade::Manifest& lab : all_)
      if (present.count(lab.id)) labs.push_back(lab);
    const JobGrader grader(labs, choice_, device_, work.path(), &cli::stop_flag());
    say("Checking this machine and the kit's own solutions first ...");
    try {
      look_at_jail(book);
      grader.check_machine();
    } catch (const Stopped&) {
      return {};
    }
    keep_run(book, runner_, to_do_);
    if (!keep_references(book, labs, grader)) return {};

    ProgressBar progress(stdout, to_do_);
    std::atomic<std::size_t> done{0};
    RunnerCalls calls;
    calls.grade = [&](const Job& job, const std::string& source) {
      return grader.grade(job, paths[{job.student, job.lab}], source);
    };
    calls.check_machine = [&] { grader.check_machine(); };
    calls.graded = [&](const Job&, const Outcome&) { done += 1; };
    // What failed is printed by the thread that draws.
    std::mutex mutex;
    std::vector<std::string> lines;
    calls.no_verdict = [&](const Job& job, JobState state, const std::string& message) {
      if (state == JobState::failed) done += 1;
      const std::lock_guard<std::mutex> lock(mutex);
      lines.push_back(report::printable(fmt::format(
          "{} {}: no verdict{}: {}", job.student, job.lab,
          state == JobState::failed ? ", not graded" : ", will be tried again", message)));
    };
    calls.tick = [&] {
      std::vector<std::string> failures;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        failures.swap(lines);
      }
      for (const std::string& line : failures) progress.say(line);
      progress.show(done);
    };
    const RunResult result = run_jobs(book, runner_, calls, cli::stop_flag());
    calls.tick();
    progress.clear();
    seconds_ = progress.seconds();
    return result;
  }

  /// Each lab's reference solution, graded once under the class's conditions: pages show its figures
  /// beside a student's. One that does not pass here means that no grade can be trusted, and is reported.
  /// False if it was stopped.
  static bool keep_references(Gradebook& book, const std::vector<grade::Manifest>& labs,
                              const JobGrader& grader) {
    for (const grade::Manifest& lab : labs) {
      const GradingEnvironment& means = grader.means(lab.id);
      const std::string seed = book.setting(kSeedSetting);
      const std::string conditions =
          fmt::format("{} {} {} {} {} {}", means.kit, means.check_sha256, means.measurement,
                      means.scoring, means.device, seed);
      if (book.setting(kReferenceConditionsSetting + lab.id) == conditions) continue;
      try {
        const std::string json = grader.grade_reference(lab.id, std::stoull(seed));
        if (json.empty()) continue;
        const std::string verdict = nlohmann::json::parse(json).value("verdict", "");
        if (verdict != "pass")
          say(
              fmt::format("WARNING: the kit's own solution of {} does not pass here: {}. See `{} "
                          "grade {} --solutions` before you trust these grades.",
                          lab.id, verdict, command_name(), lab.id));
        book.put_setting(kReferenceSetting + lab.id, json);
        book.put_setting(kReferenceConditionsSetting + lab.id, conditions);
      } catch (const Stopped&) {
        return false;
      } catch (const GradebookFault&) {
        throw;
      } catch (const Error& error) {
        say(fmt::format("WARNING: the kit's own solution of {} comes to no verdict here: {}",
                        lab.id, error.what()));
      }
    }
    return true;
  }

  ClassCount say_kept(const Gradebook& book) const {
    const ClassCount now = count(book.entries(View::with_pending), runner_.labs);
    say(fmt::format("Stopped: {} of {} are graded and saved in {}.", now.graded, now.to_grade,
                    gradebook_file(options_.out).string()));
    return now;
  }

  int report_stopped(const Gradebook& book) const {
    const ClassCount now = say_kept(book);
    say("Run the same command to continue.");
    if (now.graded > 0)
      say(fmt::format("To see the results so far: {} class report {}", command_name(),
                      shell_word(options_.out.string())));
    return kExitStopped;
  }

  /// What changes grades that there are waits until somebody says yes.
  void apply(Gradebook& book) const {
    if (!book.has_pending()) return;
    const Changes changes = pending_changes(book);
    if (changes.changed.empty()) return book.apply_pending();
    say_list(fmt::format("{} {} by this import:", counted(changes.changed.size(), "grade"),
                         changes.changed.size() == 1 ? "changes" : "change"),
             changes.changed, kScreenful);
    if (changes.added > 0)
      say(fmt::format("{} {} new.", counted(changes.added, "grade"),
                      changes.added == 1 ? "is" : "are"));
    if (options_.yes || is_agreed()) return book.apply_pending();
    say(fmt::format(
        "Not applied: the grades below are those of before. To apply it: {} class apply {}",
        command_name(), shell_word(options_.out.string())));
  }

  int report_end(Gradebook& book, const RunResult& result) const {
    apply(book);
    const Published published = publish(book, all_, options_.publish, options_.out);
    const std::vector<Entry> entries = book.entries();
    const ClassCount now = count(entries, runner_.labs);
    if (result.graded > 0)
      say(fmt::format("Graded {} in {}{}.", result.graded, duration_text(seconds_),
                      before_ ? fmt::format("; {} graded before", before_) : ""));
    say("");
    report::print(class_table(grade_all(entries, kept_policy(book))));
    say("");
    if (const std::string missing = missing_text(book.students(), entries); !missing.empty())
      say("Submitted nothing: " + missing);
    if (now.undecided > 0)
      say(
          fmt::format("{} could not be decided on this GPU and stay blank; the same command "
                      "measures them again.",
                      counted(now.undecided, "submission")));
    say_list(fmt::format(
                 "Not graded, through no fault of the students ({}); the same command tries again:",
                 now.not_graded),
             trouble_lines(entries, runner_.labs));
    for (const std::string& note : published.notes) say(note);
    report::print(outputs_text(published, options_.out));
    if (now.not_graded > 0) return kExitOurError;
    return now.undecided > 0 ? kExitInconclusive : kExitOk;
  }

  const ClassGradeOptions& options_;
  std::vector<grade::Manifest> all_;
  cli::DeviceChoice choice_;
  std::string device_;
  RunnerOptions runner_;
  std::size_t to_do_ = 0, before_ = 0;
  double seconds_ = 0;
};

int run_class_grade(const ClassGradeOptions& given) {
  ClassGradeOptions options = given;
  options.publish.root = cli::root_directory();
  return ClassRun(options).run();
}

}  // namespace

void add_class_grade(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "grade", "grade a class's submissions; run it again to continue",
                  run_class_grade);
  command
      .add_option("INPUT", options.inputs,
                  "folders, zips or tars of submissions, or bulk downloads of Canvas, Moodle or "
                  "Gradescope as they came; earlier imports stay")
      ->required();
  command.add_option("--out", options.out, "the class's folder: the gradebook and all outputs")
      ->required();
  command.add_option("--roster", options.roster,
                     "CSV of who is in the class: shows who is missing; kept");
  command
      .add_option("--assignment", options.assignments,
                  "which labs a download is for, where its name does not say it: "
                  "\"submissions*=lab3\", or lab3 for all that is named; repeat for more")
      ->allow_extra_args(false);  // INPUT may follow
  command.add_option("--format", options.format, "what INPUT is; default: found out")
      ->check(CLI::IsMember({"plain", "canvas", "moodle", "gradescope"}));
  command.add_option("--jobs", options.jobs, "submissions graded at once; 0: one per core")
      ->check(CLI::Range(0, 1024));
  cli::add_device_options(command, options.device);
  command
      .add_option("--seed", options.seed,
                  "of the inputs; default: a secret one, drawn once and kept")
      ->check(CLI::NonNegativeNumber);  // CLI11 takes "-1" for the largest number there is
  command.add_flag("--regrade", options.regrade,
                   "grade again what has a grade; each grade stays until the new one is there");
  command.add_flag("--yes", options.yes,
                   "apply an import without asking, even if it changes grades");
  command.add_flag("--new-gradebook", options.new_gradebook,
                   "make a new gradebook although DIR holds the outputs of one that is lost");
  add_publish_options(command, options.publish);
}

}  // namespace labkit::course
