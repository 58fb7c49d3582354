#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "cli/class.h"
#include "cli/class_grade.h"
#include "cli/class_report.h"

namespace labkit::cli {

void add_class_similar(CLI::App& app, ClassCommand& chosen) {
  const auto folder = std::make_shared<std::filesystem::path>();
  CLI::App& command = *app.add_subcommand(
      "similar", "submissions that are more alike than the stub explains: a list to look at");
  command.add_option("DIR", *folder, "the class's folder")->required();
  command.callback([&chosen, folder] {
    chosen = [folder] {
      course::Gradebook book(gradebook_file(*folder), course::Gradebook::Mode::existing);
      const course::Published published = publish_class(book, {}, *folder);
      std::fputs(("\n" + course::similar_text(published.similar, book.students())).c_str(), stdout);
      return kExitOk;
    };
  });
}

}  // namespace labkit::cli
