// What the commands that write a class's outputs share.
#pragma once
#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "class/publish/publish.h"

namespace labkit::course {

/// --policy, --canvas-gradebook, --moodle-worksheet, --moodle-column.
void add_publish_options(CLI::App& command, PublishOptions& options);

/// What a teacher goes to now, a line each: review.txt, similar.txt, grades.csv, the upload of each LMS,
/// the pages.
std::string outputs_text(const Published& published, const std::filesystem::path& folder);

/// publish() into `folder` and says on stdout what was written and kept, then outputs_text(). `root` of
/// the options is filled in.
Published publish_class(Gradebook& book, PublishOptions options,
                        const std::filesystem::path& folder);

/// The lab that `named` speaks of: its id or its name in any spelling. Throws std::invalid_argument
/// listing those there are.
const lab::Manifest& find_lab(const std::vector<lab::Manifest>& labs, const std::string& named);

/// "ana (García, Ana)", fit for a terminal.
std::string shown(const Student& student);

}  // namespace labkit::course
