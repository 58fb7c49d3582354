#include "cli/command_line.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "cli/paths.h"
#include "cli/stop.h"
#include "compile/compile.h"
#include "grade/lab_texts.h"
#include "report/style.h"
#include "timing/timing.h"

namespace labkit::cli {
namespace {

std::string asked_language;  ///< by --language; "": none was

constexpr std::size_t kColumns = 80, kHelpColumn = 26;

/// CLI11 leaves long lines as they are: wrapped, what describes an option stays in its column.
std::string wrapped_help(const std::string& help) {
  std::string text;
  for (const std::string_view line : split_lines(help)) {
    const bool is_option =
        line.starts_with("  ") && line.size() > kHelpColumn && line[kHelpColumn - 1] == ' ';
    const std::size_t at = is_option ? kHelpColumn : 0;
    if (line.size() <= kColumns)
      text += std::string(line) + "\n";
    else
      text += std::string(line.substr(0, at)) +
              report::wrapped(line.substr(at), kColumns, std::string(at, ' ')).substr(at);
  }
  return text;
}

/// What ./kit does itself, as it tells in LABKIT_KIT_COMMANDS ("NAME<tab>ABOUT" a line): so that help, completion and the words for
/// an unknown command have one list.
void add_commands_of_kit(CLI::App& app) {
  const char* set = std::getenv("LABKIT_KIT_COMMANDS");
  const std::string commands = set ? set : "";
  for (const std::string_view line : split_lines(commands))
    if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos && tab > 0)
      app.add_subcommand(std::string(line.substr(0, tab)), std::string(line.substr(tab + 1)))
          ->callback([] { throw CLI::CallForHelp(); });
}

void say_stopped(int signal) {
  constexpr std::string_view kText = "\nlabkit: stopped\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// What to say of a word that is no command where one is asked for: the nearest one; "" if there is none. `words`: what was
/// typed after `app`'s own name.
std::string unknown_command(const CLI::App* app, const std::vector<std::string_view>& words) {
  std::string before;
  for (const std::string_view word : words) {
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || word.empty() || word[0] == '-') return {};
    std::vector<std::string> names;
    for (const CLI::App* command : commands) names.push_back(command->get_name());
    if (const auto at = std::ranges::find(names, word); at != names.end()) {
      app = commands[at - names.begin()];
      before += *at + " ";
      continue;
    }
    std::string nearest;
    std::size_t least = 3;  // two slips of the finger
    for (const std::string& name : names)
      // The nearest must also share more than half of the word.
      if (const std::size_t apart = edit_distance(word.substr(0, 32), name);
          apart < least && 2 * apart <= name.size()) {
        least = apart;
        nearest = name;
      }
    return fmt::format("there is no command '{}{}'; {}", before, report::printable(word),
                       nearest.empty() ? "there are " + joined(names, " ")
                                       : fmt::format("did you mean {}{}?", before, nearest));
  }
  return {};
}

/// Refuses what the environment says of an option if the option would refuse it. CLI11 from 2.4 on passes over
/// a variable that does not fit, which would let a typo choose another device.
void check_environment(const char* variable, const CLI::Validator& allowed) {
  const char* set = std::getenv(variable);
  if (!set || !*set) return;
  std::string value = set;
  if (const std::string why = allowed(value); !why.empty())
    throw CLI::ValidationError(variable, why);
}

}  // namespace

Option Option::required() const { return option_->required(); }
Option Option::with_default() const { return option_->capture_default_str(); }
Option Option::one_at_a_time() const { return option_->allow_extra_args(false); }
Option Option::one_of(const std::vector<std::string>& values) const {
  return option_->check(CLI::IsMember(values));
}
Option Option::existing_file() const { return option_->check(CLI::ExistingFile); }
Option Option::report_place() const { return option_->check(report_place_error); }
Option Option::range(double low, double high) const {
  return option_->check(CLI::Range(low, high));
}
// CLI11 reads "-1" as the largest number there is.
Option Option::not_negative() const { return option_->check(CLI::NonNegativeNumber); }
Option Option::positive() const { return option_->check(CLI::PositiveNumber); }
Option Option::excludes(const Option& other) const { return option_->excludes(other.option_); }

Command Command::subcommand(const std::string& name, const std::string& about) {
  return {*app_->add_subcommand(name, about), *chosen_};
}
void Command::require_subcommand() { app_->require_subcommand(1); }
void Command::footer(const std::string& text) { app_->footer(text); }

template <typename T>
Option Command::option(const std::string& names, T& value, const std::string& about) {
  return app_->add_option(names, value, about);
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, unsigned&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::string>&,
                                const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::uint64_t>&,
                                const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::filesystem::path>&,
                                const std::string&);

Option Command::flag(const std::string& names, bool& value, const std::string& about) {
  return app_->add_flag(names, value, about);
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* one : std::as_const(*app_).get_options())
    for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
  return names;
}

void Command::rest(const std::string& names, std::vector<std::string>& words) {
  app_->prefix_command();
  app_->description(app_->get_description() + "\nArguments: " + names);
  app_->parse_complete_callback([app = app_, &words] { words = app->remaining(); });
}

void Command::run(ChosenCommand body) {
  app_->callback([chosen = chosen_, body = std::move(body)] { *chosen = body; });
}

void add_lab(Command command, std::string& lab) {
  command.option("LAB", lab, "lab1, lab2, ...").required();
}
void add_labs(Command command, std::vector<std::string>& labs) {
  command.option("LAB", labs, "lab1, lab2, ...; all if none is named");
}
void add_seed(Command command, std::uint64_t& seed, const std::string& about) {
  command.option("--seed", seed, about).not_negative().with_default();
}

void add_device_options(CLI::App& app, DeviceChoice& choice) {
  const CLI::Validator devices = CLI::IsMember(std::vector<std::string>{"auto", "cuda", "sim"});
  const CLI::Validator ids = CLI::Range(-1, 1023);
  app.preparse_callback([devices, ids](std::size_t) {
    check_environment("LABKIT_DEVICE", devices);
    check_environment("LABKIT_GPU_ID", ids);
  });
  app.add_option_function<std::string>(
         "--compiler",
         // by the environment, so that programs that are started have it, too
         [](const std::string& name) { ::setenv(compile::kCompilerSetting, name.c_str(), 1); },
         "nvrtc: the CUDA Toolkit's; clang; auto: NVRTC where there is one, clang otherwise")
      ->check(CLI::IsMember(std::vector<std::string>{"auto", "nvrtc", "clang"}))
      ->envname(compile::kCompilerSetting)
      ->default_str("auto");
  app.add_option("--device", choice.device,
                 "cuda: the simulator and a GPU beside it; sim: the simulator alone; auto: a GPU "
                 "where there is one")
      ->check(devices)
      ->envname("LABKIT_DEVICE")
      ->capture_default_str();
  app.add_option("--gpu-id", choice.gpu_id,
                 "which GPU, as the driver numbers them; -1: the first that is free")
      ->check(ids)
      ->envname("LABKIT_GPU_ID")
      ->capture_default_str();
}

void add_language_option(CLI::App& app) {
  app.add_option("--language", "of what is said: en, or zh (Simplified Chinese); default: by LANG")
      ->check(CLI::IsMember(std::vector<std::string>{"en", "zh"}));
}

std::string language_argument() {
  return asked_language.empty() ? "" : " --language " + asked_language;
}

void choose_language(const CLI::App& app) {
  const CLI::Option* const option = app.get_option_no_throw("--language");
  if (option == nullptr) return;
  const words::Language language =
      option->count() > 0 ? words::language_from_code(option->as<std::string>()).value()
                          : words::language_of_environment();
  if (option->count() > 0) asked_language = words::code_of(language);
  words::use_language(language);
  if (language != words::Language::english)
    words::add_texts(grade::read_lab_texts(root_directory() / "labs", words::code_of(language)));
}

void add_gpu_profile_option(CLI::App& app, std::string& gpu) {
  app.add_option("--gpu", gpu, "the GPU whose times are predicted and graded")
      ->check(CLI::IsMember(timing::measured_profile_names()))
      ->capture_default_str();
}

void add_any_gpu_profile_option(CLI::App& app, std::string& gpu) {
  std::vector<std::string> names = timing::profile_names();
  names.push_back(kEveryGpu);
  app.add_option("--gpu", gpu, "the GPU whose times are predicted; all: on each, side by side")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
            const int* error_fd) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    std::cout << wrapped_help(out.str());
    std::cerr << wrapped_help(err.str());
    return code == 0 ? kExitOk : kExitUsage;
  }
  const auto failed = [&](const Error& error, int code = kExitOurError) {
    std::fputs(report::error_text("Error", error, report::style_for(stderr)).c_str(), stderr);
    if (error_fd != nullptr && *error_fd >= 0) {
      const std::string json = error_json(error);
      // What cannot be written is missed by the parent, which then says how this program ended.
      [[maybe_unused]] const ssize_t written = ::write(*error_fd, json.data(), json.size());
    }
    return code;
  };
  try {
    const int code = body();
    // What nobody could read was not said: a full disk must not look like a pass.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("stdout cannot be written", "free some disk space, or send it elsewhere",
                  error_id::kCannotWrite);
    return code;
  } catch (const UsageError& error) {
    return failed(error, kExitUsage);
  } catch (const Error& error) {
    return failed(error);
  } catch (const std::invalid_argument& error) {
    // by convention of the layers below: what the command line said
    return failed(Error(error.what(), {}, error_id::kUsage), kExitUsage);
  } catch (const std::bad_alloc&) {
    return failed(Error("out of memory", "use smaller buffers, or a machine with more memory",
                        error_id::kOutOfMemory));
  } catch (const std::exception& error) {
    return failed(Error(std::string("the kit failed: ") + error.what(),
                        "report this with the command that shows it: it is a fault of the kit",
                        error_id::kBug));
  }
}

int run_commands(int argc, char** argv, const std::function<void(Command)>& add) {
  CLI::App app("CUDA memory labs, graded on any machine.", command_name());
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("labkit ") + LABKIT_VERSION);
  app.get_formatter()->column_width(kHelpColumn);
  ChosenCommand chosen;
  add({app, chosen});
  add_commands_of_kit(app);
  if (const std::string complaint = unknown_command(&app, {argv + 1, argv + std::max(1, argc)});
      !complaint.empty()) {
    std::fputs(report::wrapped(command_name() + ": " + complaint, kColumns, "").c_str(), stderr);
    return kExitUsage;
  }
  return guarded(app, argc, argv, [&] {
    const FileLimitIsAnError limit;
    const SignalAction interrupt(SIGINT, say_stopped, SA_NODEFER);
    for (const CLI::App* const command : app.get_subcommands()) choose_language(*command);
    return chosen();
  });
}

}  // namespace labkit::cli
