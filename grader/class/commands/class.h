// `labkit class ...`: a whole class's submissions. What its commands share.
#pragma once
#include <CLI/App.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "class/grading/plan.h"
#include "class/publish/publish.h"
#include "cli/commands.h"

namespace labkit::course {

using ClassCommand = cli::ChosenCommand;

/// Stopped by Ctrl-C or SIGTERM, with everything kept: the exit code that shells use.
inline constexpr int kExitStopped = 130;

/// Adds `class` with its subcommands to labkit's.
void add_class_commands(cli::Command labkit);

/// A subcommand being added: where its options go.
template <typename Options>
struct Subcommand {
  CLI::App& app;
  Options& options;
};
/// Adds a subcommand that runs `run`.
template <typename Options>
Subcommand<Options> add_command(CLI::App& parent, ClassCommand& chosen, const char* name,
                                const char* about, int (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  CLI::App& app = *parent.add_subcommand(name, about);
  app.callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
  return {app, *options};
}

// Each adds its subcommands, and is in <command>.cpp.
void add_class_grade(CLI::App& app, ClassCommand& chosen);
void add_class_plan(CLI::App& app, ClassCommand& chosen);
void add_class_work(CLI::App& app, ClassCommand& chosen);
void add_class_merge(CLI::App& app, ClassCommand& chosen);
void add_class_submit(CLI::App& app, ClassCommand& chosen);
void add_class_status(CLI::App& app, ClassCommand& chosen);
void add_class_replay(CLI::App& app, ClassCommand& chosen);
void add_class_reports(CLI::App& app,
                       ClassCommand& chosen);  ///< report, undo, rescore, policy
void add_class_set(CLI::App& app, ClassCommand& chosen);
void add_class_show(CLI::App& app, ClassCommand& chosen);

/// The gradebook of a class's folder.
std::filesystem::path gradebook_file(const std::filesystem::path& folder);
/// DIR, required.
void add_folder(CLI::App& command, std::filesystem::path& folder);
/// The plan of the class in `folder`. nullopt, and says so, if there is nothing left of it to do. Throws UsageError if there is
/// no class.
std::optional<PlanFolder> find_plan(const std::filesystem::path& folder);
/// --policy, --canvas-gradebook, --moodle-worksheet.
void add_publish_options(CLI::App& command, PublishOptions& options);
/// publish() into `folder`, and prints what was written and kept, then outputs_text().
void publish_class(Gradebook& book, const PublishOptions& options,
                   const std::filesystem::path& folder);
/// The lab with that id or name in any spelling. Throws std::invalid_argument listing those there are.
const grade::Manifest& find_lab(const std::vector<grade::Manifest>& labs, const std::string& named);

// Settings in a gradebook; publish() has its own.
inline constexpr const char* kDeviceSetting = "device";  ///< "sim", or a GPU's name
inline constexpr const char* kSeedSetting = "seed";      ///< decimal
inline constexpr const char* kRosterSetting = "roster";  ///< kept_file()

}  // namespace labkit::course
