#include "cli/lab_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "device/device.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

/// One grading of the lint: a stub or a solution.
struct Item {
  std::filesystem::path file;
  std::string label;  ///< "stub", "correct/tile.cu"
  std::optional<grade::LabResult> result;
  std::optional<Error> trouble;  ///< no result: the machine's fault or the kit's
  std::vector<std::string> complaints;
  std::string defect;  ///< of a wrong solution: see explain/defect.h
};

void grade_all(const grade::Manifest& lab, const GradeRequest& request, std::vector<Item>& items) {
  std::vector<std::filesystem::path> files;
  for (const Item& item : items) files.push_back(item.file);
  std::vector<Graded> graded = grade_files(lab, files, request);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].result = std::move(graded[i].result);
    items[i].trouble = std::move(graded[i].trouble);
  }
}

/// What keeps every file of a lab from a verdict says nothing of the files: thrown, so that it is said once.
void require_some_verdict(const grade::Manifest& lab, const std::vector<Item>& items) {
  if (items.empty() || !items.front().trouble) return;
  const Error& first = *items.front().trouble;
  if (std::all_of(items.begin(), items.end(), [](const Item& item) { return !item.result; }))
    throw Error(fmt::format("no file of {} came to a verdict: {}", lab.id, first.what()),
                first.remedy());
}

/// Each once, with the files that met it.
std::string troubles_text(const grade::Manifest& lab, const std::vector<Item>& items) {
  std::map<std::string, std::string> files;
  for (const Item& item : items)
    if (item.trouble) {
      std::string& who = files[item.trouble->what()];
      who += (who.empty() ? "" : ", ") + item.label;
    }
  std::string text;
  for (const auto& [what, who] : files)
    text += fmt::format("  {} {}: not graded, which is no fault of the files: {}\n", lab.id, who,
                        report::printable(what));
  return text;
}

void judge_item(Item& item, const explain::Hints& hints) {
  if (!item.result) return;
  if (item.label == "stub") {
    if (item.result->verdict.kind != "untouched")
      item.complaints.push_back(
          fmt::format("must be untouched, but is {}", item.result->verdict.text()));
  } else if (item.label.rfind("correct/", 0) == 0) {
    item.complaints = judge_correct(*item.result);
  } else {
    const std::string source = read_file(item.file);
    item.complaints = judge_wrong(*item.result, source);
    if (item.complaints.empty()) item.complaints = judge_reason(*item.result, source, hints);
    if (const auto defect = explain::first_defect(*item.result, hints.extents))
      item.defect = defect->id;
  }
}

/// The ratio that was predicted for a gate; nothing if it was measured, or if the answer did not come so far.
std::optional<double> predicted(const Item& item, const grade::Gate& gate) {
  if (!item.result) return std::nullopt;
  for (const grade::TestResult& test : item.result->tests)
    for (const grade::GateResult& held : test.gates)
      if (held.name == gate.name && !held.measured) return held.value;
  return std::nullopt;
}

/// A gate that nobody misses, and a bonus that nobody earns, are checks that were never seen to
/// work.
std::vector<std::string> judge_coverage(const grade::Manifest& lab,
                                        const std::vector<Item>& items) {
  std::set<std::string> missed, earned;
  for (const Item& item : items) {
    if (!item.result) continue;
    for (const grade::TestResult& test : item.result->tests) {
      if (test.verdict.passed()) earned.insert(test.name);
      for (const grade::GateResult& gate : test.gates)
        if (gate.margin() <= -kMargin) missed.insert(gate.name);
    }
  }
  std::vector<std::string> complaints;
  for (const grade::Test& test : lab.tests) {
    if (!earned.count(test.name))
      complaints.push_back(fmt::format("no correct solution passes {}", test.name));
    for (const grade::Gate& gate : test.gates)
      if (!missed.count(gate.name))
        complaints.push_back(fmt::format("no wrong solution misses gate {} by 10%", gate.name));
  }
  return complaints;
}

std::vector<std::string> judge_limits(const grade::Manifest& lab, const std::vector<Item>& items) {
  std::vector<std::string> complaints;
  for (const grade::Test& test : lab.tests)
    for (const grade::Gate& gate : test.gates) {
      if (!gate.is_ratio() || !gate.is_minimum) continue;
      std::vector<double> right, stopped;
      for (const Item& item : items) {
        const auto value = predicted(item, gate);
        if (value && item.label.starts_with("correct/"))
          right.push_back(*value);
        else if (value && verdict_with_bonus(*item.result).gate == gate.name)
          stopped.push_back(*value);
      }
      if (std::string what = judge_limit(gate, right, stopped); !what.empty())
        complaints.push_back(std::move(what));
    }
  return complaints;
}

/// The gate nearest its limit: of a miss the one that the verdict names, else the tightest.
std::string nearest_gate(const grade::LabResult& result) {
  const grade::GateResult* nearest = nullptr;
  const grade::Verdict verdict = verdict_with_bonus(result);
  for (const grade::TestResult& test : result.tests)
    for (const grade::GateResult& gate : test.gates) {
      if (verdict.kind == "gate" ? gate.name != verdict.gate : !gate.passed) continue;
      if (!nearest || gate.margin() < nearest->margin()) nearest = &gate;
    }
  if (!nearest || (verdict.kind != "gate" && !verdict.passed())) return {};
  return fmt::format("{} {:+.0f}%", nearest->name, 100 * nearest->margin());
}

/// Of a miss, by how much; of another fault, which.
std::string reason_of(const Item& item) {
  const std::string gate = nearest_gate(*item.result);
  return gate.empty() && item.defect != verdict_with_bonus(*item.result).kind ? item.defect : gate;
}

std::vector<Item> items_of(const grade::Manifest& lab, bool with_stub) {
  std::vector<Item> items;
  if (with_stub) items.push_back({lab.directory / "kernel.cu", "stub", {}, {}, {}, {}});
  for (const char* kind : {"correct", "wrong"})
    for (const auto& file : solution_files(lab, kind))
      items.push_back({file, std::string(kind) + "/" + file.filename().string(), {}, {}, {}, {}});
  return items;
}

}  // namespace

int run_lab_check(const LabCheckOptions& options) {
  if (std::string why_not; options.skip_without_gpu && !has_gpu(options.request.device, why_not)) {
    report::print("skipped: " + why_not + "\n");
    return kExitSkipped;
  }
  const std::vector<grade::Manifest> labs = select_labs(options.labs);
  // Without the GPU that is asked for no file comes to a verdict: said once, and as our error.
  const DeviceChoice& device = options.request.device;
  if (device.device != "sim") device::make_devices(device.device, {.gpu_id = device.gpu_id});
  const report::Style style = report::style_for(stdout);
  std::size_t count = 0, graded = 0, ungraded = 0;
  for (const grade::Manifest& lab : labs) {
    const bool with_stub = !options.stub_may_be_solved || is_stub(lab);
    if (!with_stub)
      report::print(
          fmt::format("{}: kernel.cu has been worked on; the stub is not checked\n", lab.id));
    std::vector<Item> items = items_of(lab, with_stub);
    grade_all(lab, options.request, items);
    require_some_verdict(lab, items);
    const grade::KnownFigures known = grade::load_known_figures(lab);
    const explain::Hints hints = explain::load_hints(lab);
    std::vector<std::vector<std::string>> rows;
    std::string below;
    const auto complain = [&](const std::string& label, const std::string& what) {
      below += fmt::format("  {} {}: {}\n", lab.id, label, report::printable(what));
      ++count;
    };
    for (Item& item : items) {
      judge_item(item, hints);
      if (item.result)
        for (std::string& what : judge_known(lab, known, item.label, *item.result))
          item.complaints.push_back(std::move(what));
      rows.push_back({lab.id, item.label,
                      item.trouble              ? "-"
                      : item.complaints.empty() ? style.good("ok")
                                                : style.bad("BAD"),
                      item.result ? verdict_with_bonus(*item.result).text() : "no verdict",
                      item.result ? reason_of(item) : ""});
      for (const std::string& what : item.complaints) complain(item.label, what);
    }
    for (const std::string& what : judge_files(lab, with_stub)) complain("files", what);
    const std::string troubles = troubles_text(lab, items);
    for (const std::string& what : judge_classes(lab)) complain("classes", what);
    if (troubles.empty())
      for (const auto& judge : {judge_coverage, judge_limits})
        for (const std::string& what : judge(lab, items)) complain("gates", what);
    below += troubles;
    for (const Item& item : items) ++(item.trouble ? ungraded : graded);
    report::print(report::table(rows, {false, false, false, false, false}) + below);
    std::fflush(stdout);
  }
  report::print(
      fmt::format("{} files graded, {}\n", graded,
                  count == 0 ? "all as they must be" : fmt::format("{} complaints", count)));
  if (ungraded != 0)
    throw Error(fmt::format("{} files came to no verdict", ungraded),
                "see above what kept them from it, fix that, and check again");
  return count == 0 ? kExitOk : kExitVerdict;
}

}  // namespace labkit::cli
