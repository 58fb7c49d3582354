#include "class/publish/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <set>
#include <utility>

#include "base/made_folder.h"
#include "base/text.h"
#include "class/pages/pages.h"
#include "class/publish/exports.h"
#include "class/similar/similar.h"

namespace labkit::course {
namespace {

class Publisher {
 public:
  Publisher(const Gradebook& book, const std::vector<grade::Manifest>& labs,
            const std::filesystem::path& folder)
      : book_(book),
        labs_(labs),
        folder_(folder),
        report_(make_report(book, kept_policy(book), labs)) {
    for (const Root& root : book.roots()) formats_.insert(root.format);
  }

  Published run() {
    folder_.put("grades.csv", grades_csv(report_, labs_));
    canvas();
    moodle();
    gradescope();
    receipts();
    const std::vector<SimilarPair> similar = find_similar(book_, labs_);
    const std::vector<SameSource> same = find_same(book_, labs_);
    published_.alike = similar.size() + same.size();
    make_pages(book_, report_, labs_, similar, same,
               [&](const std::filesystem::path& place, const std::string& html) {
                 folder_.put(place.generic_string(), html);
               });
    for (const grade::Manifest& lab : labs_)
      if (std::ranges::any_of(report_.entries, [&](const Entry& one) {
            return one.lab == lab.id && one.graded && one.max_points != lab.max_points();
          }))
        report_.uploads.push_back(fmt::format(
            "{} has other points in lab.toml now than when it was graded: {} class rescore DIR",
            lab.id, command_name()));
    published_.to_review = report_.review.size();
    published_.left_out = report_.uploads;
    folder_.finish();
    published_.written = std::move(folder_.written);
    published_.removed = std::move(folder_.removed);
    published_.unchanged = folder_.unchanged;
    published_.notes = std::move(folder_.notes);
    return std::move(published_);
  }

 private:
  void canvas() {
    const KeptFile kept = kept_file(book_, kCanvasSetting);
    if (kept.name.empty() && !formats_.contains(Format::canvas)) return;
    std::optional<Csv> exported;
    if (!kept.name.empty()) exported = read_sheet(kept.text, kept.name);
    put_upload("Canvas", "canvas.csv", canvas_csv(report_, labs_, exported, kept.name));
  }

  void moodle() {
    std::set<std::string> made;
    for (const grade::Manifest* lab : report_.labs(labs_)) {
      const KeptFile kept = kept_file(book_, kMoodleSetting + lab->id);
      if (kept.name.empty() && !formats_.contains(Format::moodle)) continue;
      std::optional<Csv> worksheet;
      if (!kept.name.empty()) worksheet = read_sheet(kept.text, kept.name);
      auto of = labs_named(labs_, kept.name);
      if (of.empty()) of = {lab};
      std::vector<std::string> ids;
      for (const grade::Manifest* one : of) ids.push_back(one->id);
      const std::string file = fmt::format("moodle-{}.csv", joined(ids, "+"));
      if (made.insert(file).second)
        put_upload("Moodle", file, moodle_csv(report_, of, worksheet, kept.name));
    }
  }

  /// A folder of results for each set of labs that Gradescope's downloads were for.
  void gradescope() {
    std::set<std::string> written;
    for (const Root& root : book_.roots()) {
      if (root.format != Format::gradescope) continue;
      std::vector<std::string> labs;
      for (const grade::Manifest& lab : labs_)
        if (std::ranges::find(root.labs, lab.id) != root.labs.end()) labs.push_back(lab.id);
      const std::string name = joined(labs, "+");
      if (!labs.empty() && written.insert(name).second) gradescope("gradescope/" + name, labs);
    }
  }

  /// Only what has points: Gradescope reads anything else as zero.
  void gradescope(const std::string& folder, const std::vector<std::string>& labs) {
    std::map<std::string, std::vector<GradescopeItem>> items;
    std::set<std::string> blank;  // one result is the sum of its labs: a blank one would be a zero
    for (const Entry& entry : report_.entries) {
      const Grade* grade = report_.find(entry.student, entry.lab);
      if (!grade || std::ranges::find(labs, entry.lab) == labs.end()) continue;
      if (grade->points)
        items[entry.student].push_back(
            {*grade, entry.graded ? book_.outcome(entry.job->id)->json : std::string()});
      else if (grade->submitted || grade->state == Grade::State::maybe_missing)
        blank.insert(entry.student);
      if (!grade->points && grade->review)
        report_.uploads.push_back(fmt::format("gradescope: {} is not in a result of {} ({})",
                                              entry.lab, entry.student, grade->verdict));
    }
    for (const std::string& student : blank) items.erase(student);
    for (const auto& [student, of_student] : items)
      folder_.put(fmt::format("{}/{}/results.json", folder, student),
                  gradescope_results(of_student));
    if (!items.empty()) published_.uploads.emplace_back("Gradescope", folder);
  }

  void receipts() {
    for (const Entry& entry : report_.entries) {
      if (!entry.graded) continue;
      const auto outcome = book_.outcome(entry.job->id);
      if (outcome && !outcome->receipt.empty())
        folder_.put(fmt::format("receipts/{}/{}.json", entry.student, entry.lab), outcome->receipt);
    }
  }

  void put_upload(const std::string& lms, const std::string& file, const Upload& upload) {
    folder_.put(file, upload.text);
    published_.uploads.emplace_back(lms, file);
    for (const std::string& note : upload.notes)
      report_.uploads.push_back(fmt::format("{}: {}", file, note));
  }

  const Gradebook& book_;
  const std::vector<grade::Manifest>& labs_;
  MadeFolder folder_;
  Report report_;
  std::set<Format> formats_;
  Published published_;
};

/// Whoever is excused in Canvas is excused here, as long as that holds there and no teacher has decided otherwise.
void take_excused(Gradebook& book, const std::vector<grade::Manifest>& labs) {
  const KeptFile kept = kept_file(book, kCanvasSetting);
  if (kept.name.empty()) return;
  const Upload upload = canvas_csv(make_report(book, kept_policy(book), labs), labs,
                                   read_sheet(kept.text, kept.name), kept.name);
  using Kind = Decision::Kind;
  static const std::string canvas = "Canvas";
  for (const Entry& entry : book.entries()) {
    const auto there = upload.excused.find({entry.student, entry.lab});
    if (there == upload.excused.end()) continue;
    const Decision* last = nullptr;
    for (const Decision& one : entry.decisions)
      if (one.kind == Kind::points || one.kind == Kind::excused || one.kind == Kind::withdrawn)
        last = &one;
    const bool is_excused = last && last->kind == Kind::excused;
    if ((last && last->by != canvas) || is_excused == there->second) continue;
    Decision decision{.student = entry.student,
                      .lab = entry.lab,
                      .kind = is_excused ? Kind::withdrawn : Kind::excused,
                      .reason = is_excused ? "not excused in Canvas any more" : "excused in Canvas",
                      .by = canvas,
                      .at = std::time(nullptr)};
    book.decide(decision);
    // What a teacher decided meanwhile still holds.
    if (const Decision* late = decisions_that_count(entry.decisions).late_days; late && is_excused)
      book.decide(*late);
  }
}

}  // namespace

Published publish(Gradebook& book, const std::vector<grade::Manifest>& labs,
                  const PublishOptions& options, const std::filesystem::path& folder) {
  keep_options(book, labs, options);
  take_local_times(book, labs, options, true);
  take_excused(book, labs);
  return Publisher(book, labs, folder).run();
}

}  // namespace labkit::course
