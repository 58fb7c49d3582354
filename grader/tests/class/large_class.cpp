#include "large_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "class/pages/pages.h"
#include "class_files.h"
#include "report/json.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Names as classes have them; two of them mean harm.
const std::vector<std::string> kFamily = {
    "García Márquez", "Li",        "Müller",   "Novák",    "O'Brien", "Петров", "李",
    "Nguyễn",         "Okonkwo",   "Rossi",    "Sørensen", "Tanaka",  "Yılmaz", "Κωνσταντίνου",
    "עזרא",           "العبدالله", "Kowalska", "Fischer",  "Silva",   "Haddad", "김",
    "Ström",          "van Dijk",  "Ivanova",  "MacLeod"};
const std::vector<std::string> kGiven = {
    "Ana",  "Bo",   "Cy",    "Dušan", "Eva",  "Георгий", "伟",    "Hal",  "Ivy",   "Jun",
    "Kofi", "Lena", "María", "Noor",  "Oğuz", "Paula",   "Quinn", "Rana", "Søren", "地平"};

struct MadeSolution {
  std::string path, name, source, verdict;
  bool right = false;
};

std::vector<MadeSolution> solutions_of(const grade::Manifest& lab) {
  std::vector<MadeSolution> list;
  const fs::path root = fs::path(LABKIT_SOURCE_DIR) / "solutions" / lab.folder;
  for (const char* kind : {"correct", "wrong"}) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(root / kind)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      MadeSolution one;
      one.path = file.string();
      one.name = std::string(kind) + "-" + file.stem().string();
      one.source = read_file(file);
      one.right = std::string_view(kind) == "correct";
      one.verdict = "pass";
      constexpr std::string_view kSays = "// verdict: ";
      if (one.source.starts_with(kSays))
        one.verdict = one.source.substr(kSays.size(), one.source.find('\n') - kSays.size());
      list.push_back(std::move(one));
    }
  }
  return list;
}

/// The first line that holds `what`, or one in the middle.
std::uint32_t line_with(const std::string& source, std::string_view what) {
  const auto lines = split_lines(source);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(what) != std::string_view::npos && !trim(lines[i]).starts_with("//"))
      return static_cast<std::uint32_t>(i + 1);
  return static_cast<std::uint32_t>(lines.size() / 2 + 1);
}

grade::GateResult made_gate(const grade::Gate& gate, bool holds, const launch::SourceLine& line,
                            unsigned variant) {
  grade::GateResult result;
  result.name = gate.name;
  result.figure = gate.figure;
  result.reason = gate.reason;
  result.next = gate.next;
  result.is_minimum = gate.is_minimum;
  result.threshold = gate.threshold;
  result.max_points = gate.points;
  result.passed = holds;
  const double spread = 0.02 * (variant % 10);
  if (gate.is_minimum)
    result.value = gate.threshold * (holds ? 1.15 + 2 * spread : 0.6 + 1.5 * spread);
  else
    result.value = holds ? gate.threshold * (0.8 + spread / 2)
                         : std::max(gate.threshold * 6, 458752.0 * (1 + variant % 8));
  if (!holds && !gate.is_minimum)
    result.culprit = {.where = line, .instruction = "st.global.f32", .value = result.value};
  return result;
}

launch::Finding made_finding(const std::string& kind, const std::string& file,
                             const std::string& source) {
  launch::Finding finding;
  for (const launch::FindingKind one :
       {launch::FindingKind::race, launch::FindingKind::out_of_bounds, launch::FindingKind::barrier,
        launch::FindingKind::uninitialized, launch::FindingKind::misaligned,
        launch::FindingKind::budget})
    if (launch::name_of(one) == kind) finding.kind = one;
  finding.space = "global";
  finding.kernel = "kernel<float>";
  finding.where = {file, line_with(source, "out[")};
  finding.access = launch::Access::write;
  finding.access_bytes = 4;
  finding.thread = {31, 0, 0};
  finding.block = {1, 0, 0};
  finding.address = 0xa00000080;
  finding.fix = {words::Id::bounds_fix_declared_size, {{"array", "out"}}};
  finding.count = 96;
  return finding;
}

std::string real_result(const LargeClass& large, const grade::Manifest& lab,
                        const MadeSolution& solution) {
  if (large.results.empty()) return {};
  const fs::path file = large.results / fmt::format("{}-{}.json", lab.id, solution.name);
  if (!fs::exists(file)) return {};
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(read_file(file));
  return json.contains("labs") ? json["labs"][0].dump() : json.dump();
}

}  // namespace

std::string made_result(const grade::Manifest& lab, const std::string& file,
                        const std::string& source, const std::string& verdict, unsigned variant) {
  grade::LabResult result;
  result.lab = lab.id;
  result.folder = lab.folder;
  result.title = lab.title;
  result.file = file;
  result.device = "simulator; times are predicted for NVIDIA H200 (132 SMs)";
  result.compiler = "NVRTC 13.0";
  result.seed = 1;
  const std::string name = fs::path(file).filename().string();
  const grade::Verdict whole = grade::verdict_from_text(verdict);
  const bool before_tests = verdict == "compile_error" || verdict == "untouched" ||
                            verdict == "missing_kernel" || verdict == "signature" ||
                            verdict == "compile_limit" || verdict == "launch_shape";
  bool failed = false;
  for (const grade::Test& test : lab.tests) {
    grade::TestResult one;
    one.name = test.name;
    one.about = test.about;
    one.kernel = test.kernel;
    one.bonus = test.bonus;
    one.max_points = test.points;
    const grade::Kernel* kernel = lab.find_kernel(test.kernel);
    const bool optional = kernel && kernel->optional;
    const launch::SourceLine line = {name, line_with(source, "out[")};
    one.verdict.kind = before_tests ? "not_run" : optional ? "not_attempted" : "pass";
    if (one.verdict.passed() || (optional && whole.passed() && variant % 3 == 0)) {
      one.verdict.kind = "pass";
      for (const grade::Gate& gate : test.gates) {
        const bool holds = whole.kind != "gate" || whole.gate != gate.name;
        one.gates.push_back(made_gate(gate, holds, line, variant));
        one.figures[gate.figure] = one.gates.back().value;
      }
      if (!one.gates.empty()) grade::award_gates(one);
      one.time_is_predicted = !test.gates.empty();
      one.time_bound = test.gates.empty() ? "" : "DRAM";
      const bool wrong = !whole.passed() && whole.kind != "gate" && !failed && !test.is_graded;
      if (wrong && (variant % 2 == 0 || &test != &lab.tests.front())) {
        failed = true;
        one.verdict = whole;
        if (whole.kind == "wrong_result") {
          grade::Mismatch m;
          m.array = "out";
          m.rows = 33;
          m.cols = 31;
          m.row = variant % 33;
          m.col = 2;
          m.expected = "0.5";
          m.got = "0.25";
          m.wrong = 96 + variant % 900;
          m.total = 1023;
          one.mismatches = {m};
        } else {
          one.findings = {made_finding(whole.kind, name, source)};
        }
        one.launch = {{.kernel = "kernel<float>",
                       .grid = "2x2",
                       .block = "32x32",
                       .dynamic_shared_bytes = 0,
                       .scalars = {{"rows", "33"}, {"cols", "31"}}}};
      }
      if (one.gates.empty() && one.verdict.passed()) one.points = one.max_points;
      if (!one.verdict.passed() && one.verdict.kind != "gate") one.points = 0;
    }
    result.tests.push_back(std::move(one));
  }
  grade::sum_up(result);
  if (before_tests) {
    result.verdict = whole;
    result.where = {name, line_with(source, "__global__")};
    result.message = {
        {words::Id::compile_error_at,
         {{"at", words::SourceLine{name, result.where.line}}, {"text", "expected a \";\""}}}};
    if (verdict == "compile_error")
      result.compile_log =
          fmt::format("{}({}): error: expected a \";\"\n    }}\n    ^\n", name, result.where.line);
  }
  return report::lab_json(result);
}

std::vector<grade::Manifest> labs_of(const LargeClass& large) {
  // From lab 1 on: the warm-up is left to the students.
  std::vector<grade::Manifest> labs(kit_labs().begin() + 1, kit_labs().end());
  for (std::size_t i = labs.size(); i < large.labs; ++i) {
    labs.push_back(kit_labs().back());
    labs.back().id = fmt::format("lab{}", i + 1);
  }
  labs.resize(large.labs);
  return labs;
}

void fill(Gradebook& book, const LargeClass& large) {
  const std::vector<grade::Manifest> labs = labs_of(large);
  Intake intake;
  intake.roots.push_back({.prefix = {}, .format = Format::canvas, .label = "submissions.zip"});
  Conditions conditions;
  conditions.kit = "0.1.0";
  conditions.device = "sim";
  std::map<std::string, std::string> results;  // of a source's hash and lab
  std::set<std::pair<std::string, std::string>> undecided, troubled;
  for (std::size_t i = 0; i < large.students; ++i) {
    Student student;
    student.id = fmt::format("s{:03}", i);
    if (i == 13) student.id = "ελένη-013";
    student.name = kFamily[i % kFamily.size()] + ", " + kGiven[(i * 7 + i / 25) % kGiven.size()];
    if (i == 7) student.name = "</script><img src=x onerror=alert(1)>";
    if (i == 11) student.name = "Alice \u202eecila\u202c \x1b[31m";
    student.keys["email"] = student.id + "@uni.example";
    student.on_roster = true;
    intake.students.push_back(student);
  }
  for (std::size_t k = 0; k < labs.size(); ++k) {
    const grade::Manifest& lab = labs[k];
    conditions.labs[lab.id] = sha256_hex(lab.id);
    const std::vector<MadeSolution> all = solutions_of(lab);
    std::vector<const MadeSolution*> right, wrong;
    for (const MadeSolution& one : all) (one.right ? right : wrong).push_back(&one);
    for (std::size_t i = 0; i < large.students; ++i) {
      const auto mixed = static_cast<unsigned>((i * 2654435761u + k * 40503u * 7919u) >> 7);
      if (i % 41 == 40 || mixed % (29 - 2 * k) == 3) continue;  // nothing submitted
      const bool is_right = mixed % 10 < 6;
      const auto& from = is_right ? right : wrong;
      const MadeSolution& solution = *from[(mixed / 16) % from.size()];
      Submission one;
      one.student = intake.students[i].id;
      one.lab = lab.id;
      one.path = fmt::format("{}/{}.cu", one.student, lab.id);
      one.source = fmt::format("// {} of {}\n", lab.id, intake.students[i].name) + solution.source;
      if (large.results.empty() == false) one.source = solution.source;  // its lines are counted
      if (large.results.empty() == false) one.source += fmt::format("// {}\n", one.student);
      if (i == 7) one.source += "// </script><script>alert(2)</script> \u202e } \u2066\n";
      one.source_sha256 = sha256_hex(one.source);
      one.submitted_at =
          1790000000 + static_cast<std::int64_t>(k) * 604800 + (mixed % 13 == 0 ? 100000 : 0);
      one.late = mixed % 13 == 0;
      if (mixed % 151 == 5) {
        one.source.clear();
        one.problem = "it is empty";
      } else if (mixed % 97 == 9) {
        troubled.emplace(one.student, lab.id);
      } else {
        const std::string real = real_result(large, lab, solution);
        results[one.student + lab.id] =
            real.empty() ? made_result(lab, "/x/kernel.cu", one.source, solution.verdict, mixed)
                         : real;
      }
      intake.submissions.push_back(std::move(one));
    }
  }
  std::sort(intake.submissions.begin(), intake.submissions.end(),
            [](const Submission& a, const Submission& b) {
              return std::pair(a.student, a.lab) < std::pair(b.student, b.lab);
            });
  intake.remarks = {{.kind = Remark::Kind::nobody,
                     .path = "stray/lab3 final<b>.cu",
                     .student = "",
                     .text = "nobody is called \"stray\""},
                    {.kind = Remark::Kind::not_chosen,
                     .path = "s003/lab1-old.cu",
                     .student = large.students > 3 ? "s003" : "",
                     .text = "s003/lab1.cu is newer"}};
  book.put_class(intake);
  book.plan(conditions);
  std::size_t done = 0;
  for (const Job& job : book.to_do()) {
    if (troubled.contains({job.student, job.lab})) {
      book.fail(job.id, "the check of " + job.lab + " ended by signal 9 (out of memory?)");
      continue;
    }
    book.finish(
        job.id,
        {results.at(job.student + job.lab),
         fmt::format(R"({{"what":"labkit receipt","ptx_sha256":"{}","compiler":"NVRTC 13.0",)"
                     R"("kit":{{"check_sha256":"{}"}}}})",
                     sha256_hex("ptx" + job.source_sha256), sha256_hex(job.lab))});
    ++done;
  }
  if (large.students > 20) {
    book.decide({.student = "s004",
                 .lab = "lab1",
                 .kind = Decision::Kind::points,
                 .value = 80,
                 .reason = "showed it in the lab session",
                 .by = "TA Kim",
                 .at = 1791000000});
    book.decide({.student = "s005",
                 .lab = "lab1",
                 .kind = Decision::Kind::late_days,
                 .value = 0,
                 .reason = "extension until Friday",
                 .by = "TA Kim",
                 .at = 1791000000});
    book.decide({.student = "s006",
                 .lab = "lab1",
                 .kind = Decision::Kind::excused,
                 .reason = "ill; certificate seen",
                 .by = "Prof. Ode",
                 .at = 1791100000});
  }
  for (const grade::Manifest& lab : labs)
    for (const MadeSolution& one : solutions_of(lab))
      if (one.right && lab.reference == "correct/" + one.name.substr(8) + ".cu") {
        const std::string real = real_result(large, lab, one);
        book.put_setting(kReferenceSetting + lab.id,
                         real.empty() ? made_result(lab, one.path, one.source, "pass", 8) : real);
      }
}

}  // namespace labkit::course
