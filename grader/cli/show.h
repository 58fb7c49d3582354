#pragma once
#include <string>
#include <string_view>

#include "report/style.h"

namespace labkit::cli {

/// `labkit show LAB`: the lab's README.md for a terminal, where to write, and how far it is.
int run_show(const std::string& lab);

/// Markdown as plain text: headings and words of code in bold, tables in columns, blocks of code moved in;
/// the rest as it stands.
std::string terminal_text(std::string_view markdown, const report::Style& style);

}  // namespace labkit::cli
