// What the commands that write a class's outputs share.
#pragma once
#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "course/publish.h"

namespace labkit::cli {

/// --policy, --canvas-gradebook, --moodle-worksheet, --moodle-column.
void add_publish_options(CLI::App& command, course::PublishOptions& options);

/// What a teacher goes to now, a line each: review.txt, similar.txt, grades.csv, the upload of each LMS,
/// the pages.
std::string outputs_text(const course::Published& published, const std::filesystem::path& folder);

/// publish() into `folder` and says on stdout what was written and kept, then outputs_text(). `root` of
/// the options is filled in.
course::Published publish_class(course::Gradebook& book, course::PublishOptions options,
                                const std::filesystem::path& folder);

/// The lab that `named` speaks of: its id or its name in any spelling. Throws std::invalid_argument
/// listing those there are.
const lab::Manifest& find_lab(const std::vector<lab::Manifest>& labs, const std::string& named);

/// "ana (García, Ana)", fit for a terminal.
std::string shown(const course::Student& student);

}  // namespace labkit::cli
