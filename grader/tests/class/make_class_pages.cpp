// Writes the pages of a made-up class, to be looked at:
//
//   make_class_pages OUT [STUDENTS [LABS [RESULTS]]]
//
// RESULTS: see LargeClass in large_class.h.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/files.h"
#include "class/pages/pages.h"
#include "large_class.h"
#include "write_pages.h"

int main(int argc, char** argv) {
  using namespace labkit::course;
  if (argc < 2) {
    std::fprintf(stderr, "make_class_pages OUT [STUDENTS [LABS [RESULTS]]]\n");
    return 2;
  }
  try {
    LargeClass large;
    if (argc > 2) large.students = std::strtoul(argv[2], nullptr, 10);
    if (argc > 3) large.labs = std::strtoul(argv[3], nullptr, 10);
    if (argc > 4) large.results = argv[4];
    const std::filesystem::path out = argv[1];
    std::filesystem::create_directories(out);
    Gradebook book(out / "gradebook.sqlite");
    if (book.students().empty()) fill(book, large);
    Policy policy;
    policy.late.percent_per_day = 10;
    policy.due = {{"lab1", 1790050000}, {"lab2", 1790650000}, {"lab3", 1791250000}};
    const std::vector<SimilarPair> similar = {{.lab = "lab3",
                                               .first = "s001",
                                               .second = "s009",
                                               .share_first = 0.97,
                                               .share_second = 0.93,
                                               .weight = 212,
                                               .note = "Also alike in lab1."},
                                              {.lab = "lab3",
                                               .first = "s009",
                                               .second = "s030",
                                               .share_first = 0.71,
                                               .share_second = 0.88,
                                               .weight = 164,
                                               .note = ""}};
    write_pages(book, make_report(book, policy, labs_of(large)), labs_of(large), similar, out);
    // the made results have no times
    const std::vector<BoardRow> rows = {
        {"quick <fox>", 61.5, {"4/4"}, {"1/1"}, {"0.97"}},
        {"wide and patient", 1234.5, {"32/4", "4/32"}, {"1/32"}, {"0.08", "0.11"}}};
    labkit::write_file_atomically(out / "board.html",
                                  board_html({{"lab3", "Corner turning", rows}}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
