#include "class/commands/grade_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "base/usage_error.h"
#include "class/commands/intake.h"
#include "class/commands/words.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

void refuse_what_is_not_there(const fs::path& file, const char* named) {
  std::error_code error;
  if (fs::status(file, error).type() == fs::file_type::not_found)
    throw UsageError(fmt::format("{}: there is no {} here", named, file.string()),
                     file.is_absolute()
                         ? "Check its spelling."
                         : fmt::format("Check its spelling; it was looked for in {}.",
                                       fs::current_path(error).string()));
}

void refuse_out_that_is_no_folder(const fs::path& out) {
  std::error_code unknown;
  fs::path there = fs::absolute(out, unknown);
  while (there.has_relative_path() && !fs::exists(there, unknown)) there = there.parent_path();
  if (!fs::is_directory(there, unknown))
    throw UsageError(fmt::format("--out: {} is no folder", there.string()),
                     "Name a folder, or one that can be made.");
}

void refuse_out_inside(const fs::path& out_given, const fs::path& input_given) {
  std::error_code unknown;
  const fs::path input = fs::weakly_canonical(input_given, unknown);
  const fs::path out = fs::weakly_canonical(out_given, unknown);
  const fs::path relative = out.lexically_relative(input);
  if (!relative.empty() && *relative.begin() != ".." && fs::is_directory(input, unknown))
    throw std::invalid_argument(
        fmt::format("--out {} lies inside of {}, and would be taken for a submission the next "
                    "time; name a folder beside it",
                    out_given.string(), input_given.string()));
}

}  // namespace

void require_inputs(const ClassGradeOptions& options) {
  refuse_out_that_is_no_folder(options.out);
  for (const fs::path& input : options.inputs) {
    refuse_what_is_not_there(input, "INPUT");
    refuse_out_inside(options.out, input);
  }
  if (!options.roster.empty()) refuse_what_is_not_there(options.roster, "--roster");
}

void require_gradebook_of(const fs::path& out) {
  const fs::path file = gradebook_file(out);
  std::error_code none;
  const bool traces = fs::exists(out / ".labkit-files", none) || fs::exists(out / "receipts", none);
  if (!traces || !Gradebook::is_blank(file)) return;
  throw Error(fmt::format("{} holds what was made of a class's grades, but its gradebook {} is {}",
                          out.string(), file.filename().string(),
                          fs::exists(file, none) ? "empty" : "not there"),
              "Restore gradebook.sqlite from a backup, or name another folder with --out. "
              "--begin-anew grades "
              "all from the beginning; decisions and earlier grades are lost then.");
}

void require_something_of_the_labs(const Intake& intake, const ClassGradeOptions& options,
                                   const std::vector<lab::Manifest>& selected) {
  std::map<std::string, std::size_t> has;
  for (const Submission& one : intake.submissions) ++has[one.lab];
  if (options.labs.empty()
          ? !has.empty()
          : std::any_of(selected.begin(), selected.end(),
                        [&](const lab::Manifest& lab) { return has.contains(lab.id); }))
    return;
  say_intake(intake, options.inputs);
  std::string wanted, there;
  for (const lab::Manifest& lab : selected) wanted += (wanted.empty() ? "" : ", ") + lab.id;
  for (const auto& [lab, count] : has)
    there += fmt::format("{}{} ({})", there.empty() ? "" : ", ", lab, counted(count, "submission"));
  throw std::invalid_argument(
      options.labs.empty()
          ? "nothing of that is a submission for a lab; is it the right INPUT? --lab says what it "
            "is for, where its names do not"
          : fmt::format("nothing of that is for {}: {}. Is it the right INPUT?", wanted,
                        there.empty() ? "no lab was recognised" : "it holds " + there));
}

}  // namespace labkit::course
