// The class's pages, from the gradebook: index.html for the teacher, students/<id>.html for
// each student. What they look like is report/class_html.h's and report/student_html.h's business;
// here the gradebook becomes their data.
//
// The same gradebook gives the same pages, byte for byte. A student's page says nothing of other
// students, holds no path of the download and does not lead to the class's page.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "class/publish/exports.h"
#include "class/similar/similar.h"
#include "grade/manifest.h"

namespace labkit::course {

/// Takes one page: its place below the output folder, and its text. Pages come one at a time, so that
/// a large class needs no more memory than its largest page.
using PageSink = std::function<void(const std::filesystem::path& place, const std::string& html)>;

/// Makes every page of the class: the students' in their order, those of similar pairs, then index.html. A stored result that
/// cannot be read is said on the page, and the rest goes on.
void make_pages(const Gradebook& book, const Report& report,
                const std::vector<grade::Manifest>& labs, const std::vector<SimilarPair>& similar,
                const std::vector<SameSource>& same, const PageSink& sink);

}  // namespace labkit::course
