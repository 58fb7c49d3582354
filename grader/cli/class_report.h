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

/// publish() into `folder` and says on stdout what was written, what is to be reviewed, and what was
/// kept. `root` of the options is filled in.
course::Published publish_class(course::Gradebook& book, course::PublishOptions options,
                                const std::filesystem::path& folder);

/// The lab that `named` speaks of: its id or its name in any spelling. Throws std::invalid_argument
/// listing those there are.
const lab::Manifest& find_lab(const std::vector<lab::Manifest>& labs, const std::string& named);

/// "ana (García, Ana)", fit for a terminal.
std::string shown(const course::Student& student);

}  // namespace labkit::cli
