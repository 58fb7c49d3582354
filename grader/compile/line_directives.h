// What a source says of its own lines and files is undone. Line directives (`#line 7 "other.cu"`, `# 7 "other.cu"`), by which a source gives its lines other
// numbers and another file's name. Here they are blanked out: what is reported is the submitted file
// and the line as an editor counts it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "words/message.h"

namespace labkit::compile {

/// Blanks them out of `source`, in which every other character and line end stays where it is. Returns
/// their lines (from 1), rising. Takes time linear in the text.
std::vector<std::uint32_t> blank_line_directives(std::string& source);

/// The note for the student.
words::Message line_directives_note(const std::vector<std::uint32_t>& lines,
                                    const std::string& name);

// And the file names in PTX (`.file 1 "/kernel.cu"`), from which findings take theirs.

/// `ptx` in which each file is called as a student knows it: `name` or one of `headers`, without
/// `directory`. Any other name is not the compiler's but the source's own (a `.file` in inline `asm`)
/// and becomes `name`: a report never names a file that was not compiled.
std::string with_known_files(std::string_view ptx, const std::string& name,
                             const std::string& directory,
                             const std::map<std::string, std::string>& headers);

}  // namespace labkit::compile
