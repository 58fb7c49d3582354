#include "class/pages/pages.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "class/intake/owners.h"
#include "class/pages/pages_class.h"
#include "class/pages/student_html.h"
#include "class/publish/folder.h"

namespace labkit::course {
namespace {

/// The one that holds; what it took the place of is between teachers.
std::vector<StudentLab::Decision> decisions_of(const std::vector<Decision>& decisions) {
  using Kind = Decision::Kind;
  const Decision* one = decisions_that_count(decisions).holds();
  if (!one) return {};
  StudentLab::Decision shown;
  shown.what = one->kind == Kind::points      ? points_text(one->value, 4) + " points"
               : one->kind == Kind::late_days ? days_text(one->value, 4) + " late"
                                              : "excused";
  shown.reason = one->reason;
  shown.when = utc(one->at);
  return {shown};
}

/// Hashes and versions of a receipt. Not the seed: whoever knows it can write a kernel for just these
/// inputs, and pages may go to students before all have submitted.
std::vector<std::pair<std::string, std::string>> receipt_of(const std::string& text,
                                                            const Job& job) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) rows.emplace_back(name, value);
  };
  add("source SHA-256", job.source_sha256);
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto at = [&](const char* path) -> std::string {
    if (!json.is_object()) return {};
    const nlohmann::json::json_pointer pointer(path);
    if (!json.contains(pointer) || !json.at(pointer).is_string()) return {};
    return json.at(pointer).get<std::string>();
  };
  add("PTX SHA-256", at("/ptx_sha256"));
  add("result SHA-256", at("/result_sha256"));
  add("lab SHA-256", job.lab_hash);
  add("scoring SHA-256", at("/lab_files/scoring_sha256"));
  add("check SHA-256", at("/kit/check_sha256"));
  add("kit", job.kit);
  add("compiler", at("/compiler"));
  add("device", job.device);
  add("driver", at("/gpu_driver"));
  return rows;
}

/// Figures of a lab's reference solution, where the gradebook has its result: "Suite.Test/figure".
std::map<std::string, double> reference_of(const Gradebook& book, const std::string& lab) {
  std::map<std::string, double> figures;
  const std::string text = book.setting(kReferenceSetting + lab);
  if (text.empty()) return figures;
  try {
    const grade::LabResult result = stored_result(text, "the reference of " + lab);
    for (const grade::TestResult& test : result.tests) {
      for (const auto& [name, value] : test.figures)
        if (std::isfinite(value)) figures[test.name + "/" + name] = value;
      if (!test.measured) continue;
      if (test.measured->ratio) figures[test.name + "/ratio"] = test.measured->ratio->value;
      if (test.measured->best_ratio)
        figures[test.name + "/best_ratio"] = test.measured->best_ratio->value;
    }
  } catch (const Error&) {  // of a kit that wrote it otherwise: pictures lack a mark, no more
    figures.clear();
  }
  return figures;
}

/// Why there is no result, or none that decides. Not what the machine said: that is for the teacher,
/// on the class's page.
std::string trouble_of(const Grade& grade, const Entry& entry) {
  using State = Grade::State;
  switch (grade.state) {
    case State::missing:
      return "Nothing was submitted.";
    case State::maybe_missing:
      return grade.points ? "Something was submitted that could not be read."
                          : "Something was submitted that could not be read, and this lab may be "
                            "in it. It is blank, not 0, until somebody has looked.";
    case State::waiting:
    case State::left_out:
      return "Not graded yet.";
    case State::unreadable:
      return "What was submitted could not be read: " + entry.submission.problem +
             (grade.points ? "." : ". It is blank, not 0, until a teacher has decided.");
    case State::not_graded:
      return grade.points ? "This could not be graded, through no fault of yours."
                          : "This could not be graded, through no fault of yours. It is blank, not "
                            "0, until it is.";
    case State::inconclusive:
      return grade.points ? "The measurement could not decide on which side of a limit this lies."
                          : "The measurement could not decide on which side of a limit this lies. "
                            "It is blank, not 0, until it is measured again.";
    case State::excused:
    case State::graded:
      break;
  }
  return {};
}

class Pages {
 public:
  Pages(const Gradebook& book, const Report& report, const std::vector<grade::Manifest>& labs,
        const PageSink& sink)
      : book_(book),
        report_(report),
        labs_(report.labs(labs)),
        sink_(sink),
        entries_(book.entries()),
        remarks_(book.remarks()),
        class_(book, report) {
    std::vector<std::string> ids;
    for (const Student& student : report.students) {
      ids.push_back(student.id);
      names_[student.id] = student.name.empty() ? student.id : student.name;
    }
    files_ = file_names(ids);
    for (const grade::Manifest* lab : labs_) reference_[lab->id] = reference_of(book, lab->id);
  }

  void make(const std::vector<SimilarPair>& similar) {
    std::map<std::pair<std::string, std::string>, const Entry*> by_key;
    for (const Entry& entry : entries_) by_key[{entry.student, entry.lab}] = &entry;
    const std::set<std::string> look_at = to_review(report_.review);
    for (const grade::Manifest* lab : labs_) class_.add_lab(*lab, reference_.at(lab->id));
    for (const Student& student : report_.students) {
      StudentPage page;
      page.id = student.id;
      page.name = student.name;
      page.decimals = report_.policy.decimals;
      ClassStudent row;
      row.id = student.id;
      row.name = names_.at(student.id);
      row.page = link(student.id);
      row.review = look_at.contains(student.id);
      for (std::size_t i = 0; i < labs_.size(); ++i) {
        const auto found = by_key.find({student.id, labs_[i]->id});
        const Grade* grade = report_.find(student.id, labs_[i]->id);
        if (found == by_key.end() || !grade) {
          row.cells.emplace_back();
          continue;
        }
        page.labs.push_back(student_lab(*labs_[i], *found->second, *grade));
        row.cells.push_back(class_.add(i, page.labs.back(), *grade));
        if (!grade->points) continue;
        page.total = page.total.value_or(0) + *grade->points;
        page.total_max += page.labs.back().max_points;
      }
      row.total = page.total;
      page.graded_with = class_.graded_with(false);
      class_.add_student(std::move(row));
      sink_(std::filesystem::path("students") / (files_.at(student.id) + ".html"),
            student_html(page));
    }
    for (const ReviewCase& one : report_.review)
      class_.add_case(one, one.student.empty() ? ReviewItem::Who{one.path, {}} : who(one.student));
    for (const DecidedCase& one : decided_cases(entries_))
      class_.add_decision({.who = who(one.student),
                           .lab = one.lab,
                           .what = one.what,
                           .reason = one.reason,
                           .by = one.by,
                           .note = one.note});
    for (const Remark& remark : remarks_) class_.add_file(remark, name(remark.student));
    add_similar(similar);
    sink_("index.html", class_html(class_.page()));
  }

 private:
  std::string name(const std::string& id) const {
    const auto found = names_.find(id);
    return found == names_.end() ? id : found->second;
  }
  html::Link link(const std::string& id) const {
    const auto found = files_.find(id);
    if (found == files_.end()) return {};
    return html::link_to({"students", found->second + ".html"});
  }

  ReviewItem::Who who(const std::string& id) const { return {name(id), link(id)}; }

  void add_similar(const std::vector<SimilarPair>& similar) {
    for (const SimilarGroup& group : similar_groups(similar)) {
      ClassGroup shown;
      shown.lab = group.lab;
      shown.share = share_text(group);
      for (const std::string& student : group.students) shown.who.push_back(who(student));
      class_.add_group(std::move(shown));
      for (const SimilarPair& pair : group.pairs)
        class_.add_pair({.lab = pair.lab,
                         .first = name(pair.first),
                         .second = name(pair.second),
                         .first_page = link(pair.first),
                         .second_page = link(pair.second),
                         .share_first = pair.share_first,
                         .share_second = pair.share_second,
                         .matching_tokens = pair.matching_tokens,
                         .note = pair.note});
    }
  }

  StudentLab student_lab(const grade::Manifest& lab, const Entry& entry, const Grade& grade) {
    StudentLab shown;
    shown.id = lab.id;
    shown.title = lab.title;
    shown.idea = lab.idea;
    shown.standing = standing_of_grade(grade);
    shown.verdict = grade.verdict;
    shown.points = grade.points;
    shown.max_points = grade.max_points > 0 ? grade.max_points : lab.max_points();
    shown.measured = grade.measured;
    shown.late_days = grade.late_days;
    shown.taken_off = grade.taken_off;
    shown.decisions = decisions_of(entry.decisions);
    const Decision* holds = decisions_that_count(entry.decisions).holds();
    for (const std::string& note : grade.notes)
      if (!holds || !note.ends_with(": " + holds->reason)) shown.notes.push_back(note);
    shown.trouble = trouble_of(grade, entry);
    if (entry.submitted) {
      shown.submitted = submitted_name(entry.submission.path, entry.submission.download);
      if (entry.submission.submitted_at) shown.submitted_at = utc(*entry.submission.submitted_at);
      for (const std::string& id : entry.submission.group) shown.group.push_back(name(id));
      if (entry.submission.problem.empty())
        shown.source = book_.source(entry.submission.source_sha256).value_or("");
    }
    if (entry.graded) add_result(shown, entry);
    return shown;
  }

  void add_result(StudentLab& shown, const Entry& entry) {
    const auto outcome = book_.outcome(entry.job->id);
    if (!outcome) return;
    shown.rescored = entry.rescored.has_value();
    shown.reference = reference_.at(entry.lab);
    shown.receipt = receipt_of(outcome->receipt, *entry.job);
    shown.source_changed = entry.job->source_sha256 != entry.submission.source_sha256;
    try {
      shown.result = stored_result(outcome->json, fmt::format("{}, {}", entry.student, entry.lab));
      class_.saw(*shown.result, *entry.job);
    } catch (const Error& error) {
      shown.trouble = fmt::format("The stored result cannot be shown: {}", error.what());
    }
  }

  const Gradebook& book_;
  const Report& report_;
  std::vector<const grade::Manifest*> labs_;
  const PageSink& sink_;
  std::vector<Entry> entries_;
  std::vector<Remark> remarks_;
  ClassPageMaker class_;
  std::map<std::string, std::string> names_, files_;
  std::map<std::string, std::map<std::string, double>> reference_;
};

}  // namespace

void make_pages(const Gradebook& book, const Report& report,
                const std::vector<grade::Manifest>& labs, const std::vector<SimilarPair>& similar,
                const PageSink& sink) {
  Pages(book, report, labs, sink).make(similar);
}

}  // namespace labkit::course
