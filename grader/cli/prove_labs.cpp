#include "cli/prove_labs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "compile/compile.h"
#include "device/device.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

struct LabCheckOptions {
  std::vector<std::string> labs;
  GradeRequest request;
  /// A clone in which somebody solves the labs: a kernel.cu that is no stub any more is left out, and
  /// that is said. The stub then goes unchecked, so continuous integration must not set it.
  bool stub_may_be_solved = false;
  bool skip_without_gpu = false;  ///< end with kExitSkipped at once where there is none
};

/// One grading of the lint: a stub or a solution.
struct Item : Graded {
  std::filesystem::path file;
  std::string label;  ///< "stub", "correct/tile.cu"
};

std::vector<Item> grade_all(const grade::Manifest& lab, const GradeRequest& request,
                            bool with_stub) {
  std::vector<std::filesystem::path> files;
  if (with_stub) files.push_back(lab.directory / "kernel.cu");
  for (const char* kind : {"correct", "wrong"})
    for (const auto& file : solution_files(lab, kind)) files.push_back(file);
  std::vector<Item> items;
  for (Graded& graded : grade_files(lab, files, request)) {
    const std::filesystem::path& file = files[items.size()];
    const auto solution = file.parent_path().filename() / file.filename();
    items.push_back({std::move(graded), file,
                     with_stub && items.empty() ? std::string("stub") : solution.string()});
  }
  return items;
}

/// What keeps every file of a lab from a verdict says nothing of the files: thrown, so that it is said once.
void require_some_verdict(const grade::Manifest& lab, const std::vector<Item>& items) {
  if (items.empty() || !items.front().trouble) return;
  const Error& first = *items.front().trouble;
  if (std::ranges::none_of(items, [](const Item& item) { return item.result.has_value(); }))
    throw Error(fmt::format("no file of {} came to a verdict: {}", lab.id, first.what()),
                first.remedy());
}

/// Each once, with the files that met it.
std::string troubles_text(const grade::Manifest& lab, const std::vector<Item>& items) {
  std::map<std::string, std::vector<std::string>> files;
  for (const Item& item : items)
    if (item.trouble) files[item.trouble->what()].push_back(item.label);
  std::string text;
  for (const auto& [what, labels] : files)
    text += fmt::format("  {} {}: not graded, which is no fault of the files: {}\n", lab.id,
                        joined(labels), report::printable(what));
  return text;
}

std::vector<std::string> judge_item(const Item& item, const explain::Hints& hints) {
  const grade::Verdict& verdict = item.result->verdict;
  if (item.label == "stub") {
    if (verdict.kind == "untouched") return {};
    return {fmt::format("must be untouched, but is {}", verdict.text())};
  }
  if (item.label.starts_with("correct/")) return judge_correct(*item.result);
  const std::string source = read_file(item.file);
  const std::vector<std::string> complaints = judge_wrong(*item.result, source);
  return complaints.empty() ? judge_reason(*item.result, source, hints) : complaints;
}

/// The ratio that was predicted for a gate; nothing if it was measured, or if the answer did not come so far.
std::optional<double> predicted(const Item& item, const grade::Gate& gate) {
  for (const grade::TestResult& test : item.result->tests)
    for (const grade::GateResult& held : test.gates)
      if (held.name == gate.name && !held.measured) return held.value;
  return std::nullopt;
}

// Of the following two, every item has a result.

/// A gate that nobody misses, and a bonus that nobody earns, are checks that were never seen to
/// work.
std::vector<std::string> judge_coverage(const grade::Manifest& lab,
                                        const std::vector<Item>& items) {
  std::set<std::string> missed, earned;
  for (const Item& item : items)
    for (const grade::TestResult& test : item.result->tests) {
      if (test.verdict.passed()) earned.insert(test.name);
      for (const grade::GateResult& gate : test.gates)
        if (gate.margin() <= -kMargin) missed.insert(gate.name);
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

/// Of a miss, by how much; of another fault of a wrong solution, which.
std::string reason_of(const Item& item, const explain::Hints& hints) {
  const std::string gate = nearest_gate(*item.result);
  if (!gate.empty() || !item.label.starts_with("wrong/")) return gate;
  const auto defect = explain::first_defect(*item.result, hints.extents);
  return defect && defect->id != verdict_with_bonus(*item.result).kind ? defect->id : "";
}

/// "" if there is one that can be used.
std::string why_no_gpu(const DeviceChoice& choice) {
  if (choice.device == "sim") return "--device sim wants none";
  const device::Devices devices = device::make_devices("auto", {.gpu_id = choice.gpu_id});
  if (devices.gpu) return {};
  return devices.note.empty() ? "there is no NVIDIA GPU here" : devices.note;
}

int run_lab_check(const LabCheckOptions& options) {
  if (options.skip_without_gpu)
    if (const std::string why = why_no_gpu(options.request.device); !why.empty()) {
      report::print("skipped: " + why + "\n");
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
    const std::vector<Item> items = grade_all(lab, options.request, with_stub);
    require_some_verdict(lab, items);
    const grade::KnownFigures known = grade::load_known_figures(lab);
    // figures.toml holds NVRTC's code, and limits are set by it
    const bool are_comparable = !compile::find_compiler().is_clang;
    const explain::Hints hints = explain::load_hints(lab);
    std::vector<std::vector<std::string>> rows;
    std::string below;
    const auto complain = [&](const std::string& label, const std::string& what) {
      below += fmt::format("  {} {}: {}\n", lab.id, label, report::printable(what));
      ++count;
    };
    for (const Item& item : items) {
      ++(item.trouble ? ungraded : graded);
      if (item.trouble) {
        rows.push_back({lab.id, item.label, "-", "no verdict", ""});
        continue;
      }
      const std::size_t before = count;
      for (const std::string& what : judge_item(item, hints)) complain(item.label, what);
      if (are_comparable)
        for (const std::string& what : judge_known(lab, known, item.label, *item.result))
          complain(item.label, what);
      rows.push_back({lab.id, item.label, count == before ? style.good("ok") : style.bad("BAD"),
                      verdict_with_bonus(*item.result).text(), reason_of(item, hints)});
    }
    for (const std::string& what : judge_files(lab, with_stub)) complain("files", what);
    const std::string troubles = troubles_text(lab, items);
    for (const std::string& what : judge_classes(lab)) complain("classes", what);
    if (troubles.empty()) {
      for (const std::string& what : judge_coverage(lab, items)) complain("gates", what);
      if (are_comparable)
        for (const std::string& what : judge_limits(lab, items)) complain("gates", what);
    }
    below += troubles;
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

}  // namespace

void add_lab_check(Command lab) {
  const auto options = std::make_shared<LabCheckOptions>();
  Command command =
      lab.subcommand("check", "stubs fail, correct solutions pass, wrong ones get their verdict");
  add_labs(command, options->labs);
  add_device_options(command, options->request.device);
  command.flag("--skip-without-gpu", options->skip_without_gpu,
               fmt::format("end with exit code {} where there is no GPU", kExitSkipped));
  add_gpu_profile_option(command, options->request.gpu);
  add_seed(command, options->request.seed);
  command.flag("--stub-may-be-solved", options->stub_may_be_solved,
               "leave out a kernel.cu that has been worked on (not where CI=true)");
  command.run([options] {
    const char* ci = std::getenv("CI");
    if (ci && std::string_view(ci) == "true") options->stub_may_be_solved = false;
    return run_lab_check(*options);
  });
}

}  // namespace labkit::cli
