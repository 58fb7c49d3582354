#pragma once
#include <string>
#include <vector>

#include "grade/manifest.h"
#include "report/style.h"

namespace labkit::cli {

/// `labkit list`: each lab with its points and how far this copy's kernel.cu is, and what is next.
int run_list();

/// What it prints.
std::string list_text(const std::vector<lab::Manifest>& labs, const report::Style& style);
/// The first of these that is not complete; null if all are.
const lab::Manifest* next_lab(const std::vector<lab::Manifest>& labs);

}  // namespace labkit::cli
