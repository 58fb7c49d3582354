// The pages of a class as files, without the rest of what is published.
#pragma once
#include <filesystem>

#include "base/files.h"
#include "class/pages/pages.h"

namespace labkit::course {

/// make_pages() into files below `out`.
inline void write_pages(const Gradebook& book, const Report& report,
                        const std::vector<grade::Manifest>& labs,
                        const std::vector<SimilarPair>& similar, const std::filesystem::path& out) {
  make_pages(book, report, labs, similar, {},
             [&](const std::filesystem::path& place, const std::string& text) {
               write_file_atomically(out / place, text);
             });
}

}  // namespace labkit::course
