#pragma once
#include <filesystem>
#include <string>

#include "cli/grading.h"
#include "report/explain_html.h"

namespace labkit::cli {

/// `labkit explain LAB`
struct ExplainCommand {
  std::string lab;
  GradeRequest request;
  std::filesystem::path html;  ///< empty: pages_directory() / "<lab>.html"
};
/// Grades the lab and writes the page; 0 whatever the verdict, for it was not the question.
int run_explain(const ExplainCommand& command);

/// Where pages go that nobody named a place for: pages/ in the build's folder.
std::filesystem::path pages_directory();

/// What a page of this lab says beside the result: idea, figures to compare with. `file`: what was graded, if not the
/// lab's kernel.cu.
report::ExplainOptions explain_options(const lab::Manifest& lab, const std::filesystem::path& file);

}  // namespace labkit::cli
