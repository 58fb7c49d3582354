#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/grade.h"
#include "class/policy/policy_text.h"
#include "class/publish/publish.h"
#include "report/style.h"

namespace labkit::course {
namespace {

int run_policy(const std::filesystem::path& folder) {
  if (folder.empty()) {
    std::fputs(sample_policy(), stdout);
    return kExitOk;
  }
  const Gradebook book(gradebook_file(folder), Gradebook::Mode::look);
  const std::string text = kept_policy_text(book);
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

}  // namespace labkit::course
