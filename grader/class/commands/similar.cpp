#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/grade.h"
#include "class/commands/report.h"

namespace labkit::course {

void add_class_similar(CLI::App& app, ClassCommand& chosen) {
  const auto folder = std::make_shared<std::filesystem::path>();
  CLI::App& command = *app.add_subcommand(
      "similar", "submissions that are more alike than the stub explains: a list to look at");
  command.add_option("DIR", *folder, "the class's folder")->required();
  command.callback([&chosen, folder] {
    chosen = [folder] {
      Gradebook book(gradebook_file(*folder), Gradebook::Mode::existing);
      const Published published = publish_class(book, {}, *folder);
      std::fputs(("\n" + similar_text(published.similar, book.students())).c_str(), stdout);
      return kExitOk;
    };
  });
}

}  // namespace labkit::course
