#include "class/publish/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "class/pages/pages.h"
#include "class/policy/rescore.h"
#include "class/publish/exports.h"
#include "class/publish/folder.h"
#include "class/publish/review.h"
#include "class/similar/similar.h"

namespace labkit::course {
namespace {

constexpr const char* kAboutReceipts =  // KIT: how the program is called
    "Receipts of grades, one for each student and lab: what decided the grade and what came out, "
    "so\n"
    "that `KIT class replay RECEIPT` can grade it again and compare.\n"
    "\n"
    "They are for teachers. Each names the class's seed, from which all inputs are made: whoever\n"
    "knows it can write a kernel for just these inputs. Give a receipt to a student only after "
    "the\n"
    "last submission. Before that, give the student's page (students/), which has the hashes and\n"
    "the versions, but not the seed.\n";

/// One publishing: what all its files draw on.
class Publisher {
 public:
  Publisher(const Gradebook& book, const std::vector<grade::Manifest>& labs, PublishFolder& folder)
      : book_(book),
        labs_(labs),
        folder_(folder),
        report_(make_report(book, kept_policy(book), labs)),
        entries_(book.entries()) {
    std::vector<std::string> ids;
    for (const Student& student : report_.students) ids.push_back(student.id);
    names_ = file_names(ids);
    for (const Root& root : book.roots()) formats_.insert(root.format);
  }

  void sheets() {
    folder_.put("grades.csv", grades_csv(report_, labs_));
    folder_.put("junit.xml", junit_xml(report_, book_, labs_));
  }

  void canvas() {
    const KeptFile kept = kept_file(book_, kCanvasSetting);
    if (kept.name.empty() && !formats_.contains(Format::canvas)) return;
    put_upload("Canvas", "canvas.csv",
               kept.name.empty()
                   ? canvas_csv(report_, labs_)
                   : canvas_csv(report_, labs_, read_csv(kept.text, kept.name), kept.name));
  }

  void moodle() {
    for (const grade::Manifest* lab : report_.labs(labs_)) {
      const KeptFile kept = kept_file(book_, kMoodleSetting + lab->id);
      if (kept.name.empty() && !formats_.contains(Format::moodle)) continue;
      std::optional<Csv> worksheet;
      std::string column;
      if (!kept.name.empty()) {
        worksheet = read_csv(kept.text, kept.name);
        column = kept_column(book_, lab->id, *worksheet);
      }
      put_upload("Moodle", fmt::format("moodle-{}.csv", lab->id),
                 moodle_csv(report_, *lab, worksheet, kept.name, column));
    }
  }

  /// Only what has points: Gradescope reads anything else as zero.
  void gradescope() {
    if (!formats_.contains(Format::gradescope)) return;
    for (const GradescopeAssignment& one : gradescope_assignments(book_.roots(), labs_))
      gradescope(one);
  }

  void receipts() {
    bool any = false;
    for (const Entry& entry : entries_) {
      if (!entry.graded) continue;
      const auto outcome = book_.outcome(entry.job->id);
      if (outcome && !outcome->receipt.empty()) {
        folder_.put(fmt::format("receipts/{}/{}.json", names_.at(entry.student), entry.lab),
                    outcome->receipt);
        any = true;
      }
      std::size_t number = 0;
      for (const Job& job : book_.earlier(entry.submission))
        if (const auto before = book_.outcome(job.id))
          folder_.put(fmt::format("receipts/{}/{}.earlier-{}.json", names_.at(entry.student),
                                  entry.lab, ++number),
                      before->receipt);
    }
    if (any) folder_.put("receipts/README.txt", replace_all(kAboutReceipts, "KIT", command_name()));
  }

  void similar(const std::vector<SimilarPair>& pairs, const std::vector<SameSource>& same) {
    folder_.put("similar.csv", similar_csv(pairs, report_.students));
    folder_.put("similar.txt", similar_text(pairs, report_.students, same));
  }

  void pages(const std::vector<SimilarPair>& pairs) {
    make_pages(book_, report_, labs_, pairs,
               [&](const std::filesystem::path& place, const std::string& html) {
                 folder_.put(place.generic_string(), html);
               });
  }

  std::size_t review(const std::vector<SimilarGroup>& similar,
                     const std::vector<SameSource>& same) {
    folder_.put("review.txt",
                review_text(report_, entries_, book_.remarks(), similar, same, uploads_));
    return report_.review.size();
  }

  std::vector<std::pair<std::string, std::string>> take_upload_files() {
    return std::move(upload_files_);
  }

 private:
  void gradescope(const GradescopeAssignment& assignment) {
    std::map<std::string, std::vector<GradescopeItem>> items;
    std::set<std::string> blank;  // one result is the sum of its labs: a blank one would be a zero
    for (const Entry& entry : entries_) {
      if (std::find(assignment.labs.begin(), assignment.labs.end(), entry.lab) ==
          assignment.labs.end())
        continue;
      const Grade* grade = report_.find(entry.student, entry.lab);
      if (!grade) continue;
      if (grade->points)
        items[entry.student].push_back({*grade, result_that_counts(book_, entry, labs_)});
      else if (grade->submitted)
        blank.insert(entry.student);
      if (!grade->points && grade->review)
        uploads_.push_back(fmt::format("gradescope: {} is not in a result of {} ({})", entry.lab,
                                       entry.student, grade->verdict));
    }
    const std::string folder = "gradescope/" + assignment.name;
    for (const std::string& student : blank) items.erase(student);
    for (const auto& [student, of_student] : items)
      folder_.put(fmt::format("{}/{}/results.json", folder, names_.at(student)),
                  gradescope_results(of_student));
    if (!items.empty()) upload_files_.emplace_back("Gradescope", folder);
  }

  void put_upload(const std::string& lms, const std::string& file, const Upload& upload) {
    folder_.put(file, upload.text);
    upload_files_.emplace_back(lms, file);
    for (const std::string& note : upload.notes)
      uploads_.push_back(fmt::format("{}: {}", file, note));
  }

  const Gradebook& book_;
  const std::vector<grade::Manifest>& labs_;
  PublishFolder& folder_;
  Report report_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> names_;
  std::set<Format> formats_;
  std::vector<std::string> uploads_;                               ///< what there is to say of them
  std::vector<std::pair<std::string, std::string>> upload_files_;  ///< LMS, file or folder
};

}  // namespace

Published publish(Gradebook& book, const std::vector<grade::Manifest>& labs,
                  const PublishOptions& options, const std::filesystem::path& folder_path) {
  keep_options(book, labs, options);
  PublishFolder folder(folder_path);
  Publisher publisher(book, labs, folder);
  Published published;
  publisher.sheets();
  publisher.canvas();
  publisher.moodle();
  publisher.gradescope();
  publisher.receipts();
  published.similar = find_similar(book, labs, options.root);
  const std::vector<SimilarGroup> groups = similar_groups(published.similar);
  published.similar_groups = groups.size();
  published.same = find_same(book, labs, options.root);
  publisher.similar(published.similar, published.same);
  publisher.pages(published.similar);
  published.to_review = publisher.review(groups, published.same);
  published.uploads = publisher.take_upload_files();
  folder.finish();
  published.written = std::move(folder.written);
  published.removed = std::move(folder.removed);
  published.unchanged = folder.unchanged;
  published.notes = std::move(folder.notes);
  return published;
}

}  // namespace labkit::course
