// Line directives (`#line 7 "other.cu"`, `# 7 "other.cu"`), by which a source gives its lines other
// numbers and another file's name. Here they are blanked out: what is reported is the submitted file
// and the line as an editor counts it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace labkit::compile {

/// Blanks them out of `source`, in which every other character and line end stays where it is. Returns
/// their lines (from 1), rising. Takes time linear in the text.
std::vector<std::uint32_t> blank_line_directives(std::string& source);

/// What a student is told of them.
std::string line_directives_note(const std::vector<std::uint32_t>& lines, const std::string& name);

}  // namespace labkit::compile
