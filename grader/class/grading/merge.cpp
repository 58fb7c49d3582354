#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "class/grading/plan.h"
#include "report/json.h"

namespace labkit::course {
namespace {

/// Results in one transaction: each costs a wait for the disk.
constexpr std::size_t kBatch = 64;

class Merger {
 public:
  Merger(Gradebook& book, const PlanFolder& folder) : book_(book), folder_(folder) {}

  Merged run() {
    for (const Job& job : book_.to_do()) take(job);
    flush();
    for (const Task& task : folder_.plan().tasks)
      if (task.is_reference()) take_reference(task);
    return std::move(merged_);
  }

 private:
  void take(const Job& job) {
    const auto means = folder_.plan().labs.find(job.lab);
    if (means == folder_.plan().labs.end() || !is_planned(job, means->second)) {
      merged_.missing += 1;
      return;
    }
    if (auto result = result_of({job.lab, job.source_sha256})) {
      Outcome outcome;
      outcome.json = report::lab_json(*result);
      outcome.receipt = make_receipt(job, means->second, outcome.json);
      batch_.emplace_back(job.id, std::move(outcome));
      if (batch_.size() == kBatch) flush();
      merged_.taken += 1;
    } else if (const auto message = folder_.failure({job.lab, job.source_sha256})) {
      book_.fail(job.id, *message);
      merged_.failed += 1;
    } else {
      merged_.missing += 1;
    }
  }

  bool is_planned(const Job& job, const GradingEnvironment& means) const {
    return job.kit == means.kit && job.lab_hash == means.measurement &&
           job.device == means.device && job.seed == folder_.plan().seed;
  }

  std::optional<grade::LabResult> result_of(const Task& task) {
    const auto text = folder_.result(task);
    if (!text) return std::nullopt;
    try {
      return report::read_lab_json(*text, task.name());
    } catch (const Error& error) {
      folder_.drop_result(task);
      merged_.warnings.push_back(fmt::format("{}; it will be graded again", error.what()));
      return std::nullopt;
    }
  }

  void flush() {
    if (!batch_.empty()) book_.finish(batch_);
    batch_.clear();
  }

  /// One that does not pass means that no grade can be trusted.
  void take_reference(const Task& task) {
    if (const auto result = result_of(task)) {
      if (!result->verdict.passed())
        merged_.warnings.push_back(
            fmt::format("the kit's own solution of {} does not pass here: {}. See `{} grade {} "
                        "--solutions` before you trust these grades.",
                        task.lab, result->verdict.text(), command_name(), task.lab));
      book_.put_setting(kReferenceSetting + task.lab, report::lab_json(*result));
    } else if (const auto message = folder_.failure(task)) {
      merged_.warnings.push_back(fmt::format(
          "the kit's own solution of {} comes to no verdict here: {}", task.lab, *message));
    } else {
      merged_.labs_missing += 1;
    }
  }

  Gradebook& book_;
  const PlanFolder& folder_;
  Merged merged_;
  std::vector<std::pair<std::int64_t, Outcome>> batch_;
};

}  // namespace

Merged merge(Gradebook& book, const PlanFolder& folder) { return Merger(book, folder).run(); }

}  // namespace labkit::course
