// The first step of `labkit class grade`, and `labkit class plan`: imports submissions, and writes what is to be graded.
#include "class/grading/plan.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

#include "base/command_text.h"
#include "base/error.h"
#include "class/commands/class.h"
#include "class/grading/job.h"
#include "class/intake/lab_names.h"
#include "class/intake/roster.h"
#include "class/policy/rescore.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Half a second each on one core, so that a shard takes some minutes, as schedulers like it.
constexpr std::size_t kTasksInAShard = 240;

/// One device for the whole class: the one it was graded on before, unless the command line says another. A plan needs no GPU here.
std::string choose_device(const ClassGradeOptions& options, const std::string& before,
                          cli::DeviceChoice& choice) {
  choice = options.device;
  if (options.is_planned_only && !options.is_device_given() && !before.empty()) return before;
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
  const std::uint64_t seed = options.seed   ? *options.seed
                             : kept.empty() ? random_seed()
                                            : std::stoull(kept);
  if (!kept.empty() && kept != std::to_string(seed))
    say("The seed has changed: everything is graded again.");
  book.put_setting(kSeedSetting, std::to_string(seed));
  return seed;
}

Conditions conditions_for(const std::vector<grade::Manifest>& all, const Gradebook& book) {
  std::set<std::string> labs;
  for (const Entry& entry : book.entries(View::with_pending)) labs.insert(entry.lab);
  Conditions conditions;
  conditions.kit = LABKIT_VERSION;
  for (const grade::Manifest& lab : all)
    if (labs.count(lab.id)) conditions.labs[lab.id] = measurement_hash(lab);
  return conditions;
}

std::size_t measure_again(Gradebook& book) {
  std::size_t undecided = 0;
  const Policy policy = kept_policy(book);
  for (const Entry& entry : book.entries()) {
    if (!entry.graded || entry.again || grade(entry, policy).place() != Grade::State::inconclusive)
      continue;
    undecided += 1;
    book.grade_again(entry.student, entry.lab);
  }
  return undecided;
}

/// What the gradebook lacks, each source of a lab once, and the reference solutions of the labs in question.
Plan plan_for(const Gradebook& book, const std::vector<grade::Manifest>& all,
              const std::string& device, std::uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  std::map<std::pair<std::string, std::string>, std::size_t> submissions;  // by lab and source
  std::set<std::string> labs;
  for (const Job& job : book.to_do()) {
    submissions[{job.lab, job.source_sha256}] += 1;
    labs.insert(job.lab);
  }
  std::vector<grade::Manifest> asked;
  for (const grade::Manifest& lab : all)
    if (labs.contains(lab.id)) asked.push_back(lab);
  plan.labs = environments(asked, device);
  for (const grade::Manifest& lab : asked)
    if (fs::exists(reference_file(lab))) plan.tasks.push_back({lab.id, "", 0});
  for (const auto& [of, count] : submissions) plan.tasks.push_back({of.first, of.second, count});
  return plan;
}

int run_class_plan(const ClassGradeOptions& given) {
  ClassGradeOptions options = given;
  options.is_planned_only = true;
  OpenClass open(options);
  const Planned planned = plan_class(open);
  const std::string out = shell_word(options.out.string());
  if (!planned.folder) {
    say(fmt::format("To see the results: {} class merge {}", command_name(), out));
    return kExitOk;
  }
  const Plan& plan = planned.folder->plan();
  say(fmt::format("Planned {} on {}: {} to run, in {}.", counted(planned.to_do, "submission"),
                  device_words(planned.device), counted(plan.tasks.size(), "grading"),
                  counted(plan.shards, "shard")));
  say(fmt::format("On a Slurm cluster:       {} class submit {} --slurm{}", command_name(), out,
                  planned.device == "sim" ? "" : " --gpu-partition NAME"));
  say(fmt::format("With another engine:      {} class submit {}", command_name(), out));
  say(fmt::format("Then:                     {} class merge {}", command_name(), out));
  return kExitOk;
}

}  // namespace

Planned plan_class(OpenClass& open) {
  const ClassGradeOptions& options = open.options;
  Gradebook& book = open.book;
  Planned planned;
  if (const auto before = PlanFolder::find(options.out)) {  // stopped, or not merged yet
    take_results(book, *before);
    before->remove();
  }
  take_imports(open);
  planned.device = choose_device(options, book.setting(kDeviceSetting), planned.choice);
  Conditions conditions = conditions_for(open.labs, book);
  conditions.device = planned.device;
  conditions.seed = choose_seed(options, book);
  book.put_setting(kDeviceSetting, planned.device);
  book.plan(conditions);
  if (const std::size_t undecided = measure_again(book))
    say(fmt::format("{} could not be decided before and will be measured again.",
                    counted(undecided, "submission")));
  const ClassCount now = count(book.entries(View::with_pending));
  planned.to_do = now.to_grade - now.graded;
  if (planned.to_do == 0) {
    say(fmt::format("Nothing to grade. Submissions with a result: {}.", now.to_grade));
    return planned;
  }
  Plan plan = plan_for(book, open.labs, planned.device, conditions.seed);
  plan.shards =
      options.shards
          ? options.shards
          : static_cast<unsigned>((plan.tasks.size() + kTasksInAShard - 1) / kTasksInAShard);
  planned.folder = PlanFolder::create(options.out, std::move(plan), [&](const std::string& hash) {
    return book.source(hash).value_or("");
  });
  return planned;
}

void add_class_plan(cli::Command parent) {
  const auto options = std::make_shared<ClassGradeOptions>();
  cli::Command command =
      parent.subcommand("plan", "import submissions, and write what `class work` grades");
  command.run([options] { return run_class_plan(*options); });
  add_import_options(command, *options);
  command
      .option("--shards", options->shards,
              "parts that run at once; default: as many as take some minutes each")
      .range(1, 1'000'000);
}

}  // namespace labkit::course
