#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "cli/class.h"
#include "cli/class_grade.h"
#include "course/policy_text.h"
#include "course/publish.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

int run_policy(const std::filesystem::path& folder) {
  if (folder.empty()) {
    std::fputs(course::sample_policy(), stdout);
    return kExitOk;
  }
  const course::Gradebook book(gradebook_file(folder), course::Gradebook::Mode::look);
  const std::string text = course::kept_policy_text(book);
  std::fputs(text.empty() ? "# No policy was given: what `class policy` prints without DIR holds.\n"
                          : report::printable(text).c_str(),
             stdout);
  return kExitOk;
}

}  // namespace

void add_class_policy(CLI::App& app, ClassCommand& chosen) {
  const auto folder = std::make_shared<std::filesystem::path>();
  CLI::App& command = *app.add_subcommand(
      "policy", "print a policy with every key explained, to begin your own from: > policy.toml");
  command.add_option("DIR", *folder, "a class's folder: print the policy that holds there instead");
  command.callback([&chosen, folder] { chosen = [folder] { return run_policy(*folder); }; });
}

}  // namespace labkit::cli
