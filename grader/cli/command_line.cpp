#include "cli/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
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
#include "report/style.h"

namespace labkit::cli {
namespace {

constexpr std::size_t kColumns = 80, kHelpColumn = 26;

struct Ended {
  Error error;
  int exit_code = kExitOurError;
};

/// Of the exception that is being handled.
Ended describe_exception() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error, kExitUsage};
  } catch (const Error& error) {
    return {error};
  } catch (const std::invalid_argument& error) {
    // by convention of the layers below: what the command line said
    return {Error(error.what(), {}, error_id::kUsage), kExitUsage};
  } catch (const std::bad_alloc&) {
    return {Error("out of memory", "use smaller buffers, or a machine with more memory",
                  error_id::kOutOfMemory)};
  } catch (const std::exception& error) {
    return {Error(std::string("the kit failed: ") + error.what(),
                  "report this with the command that shows it: it is a fault of the kit",
                  error_id::kBug)};
  }
}

/// What cannot be written is missed by the parent, which then says how this program ended.
void write_error(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::write(fd, text.data() + at, text.size() - at);
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

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

/// What to say of a word that is no command where one is asked for: the nearest one; "" if it is one. `words`: what was typed
/// after `app`'s own name.
std::string unknown_command(const CLI::App& app, const std::vector<std::string_view>& words,
                            std::size_t first = 0) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty() || first == words.size()) return {};
  const std::string_view word = words[first];
  if (word.empty() || word[0] == '-') return {};
  std::string nearest, known;
  std::size_t least = 3;  // two slips of the finger
  for (const CLI::App* command : commands) {
    const std::string& name = command->get_name();
    if (name == word) return unknown_command(*command, words, first + 1);
    known += " " + name;
    // The nearest must also share more than half of the word.
    const std::size_t apart = edit_distance(word.substr(0, 32), name);
    if (apart < least && 2 * apart <= name.size()) {
      least = apart;
      nearest = name;
    }
  }
  std::string before;
  for (std::size_t i = 0; i < first; ++i) before += fmt::format("{} ", words[i]);
  return fmt::format(
      "there is no command '{}{}'; {}", before, report::printable(word),
      nearest.empty() ? "there are" + known : fmt::format("did you mean {}{}?", before, nearest));
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::with_default() {
  option_->capture_default_str();
  return *this;
}
Option& Option::one_at_a_time() {
  option_->allow_extra_args(false);
  return *this;
}
Option& Option::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}
Option& Option::report_place() {
  option_->check(report_place_error);
  return *this;
}
Option& Option::range(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}
Option& Option::not_negative() {  // CLI11 reads "-1" as the largest number there is
  option_->check(CLI::NonNegativeNumber);
  return *this;
}
Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}
Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}
Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::subcommand(const std::string& name, const std::string& about) {
  return {*app_->add_subcommand(name, about), *chosen_};
}
void Command::require_subcommand() { app_->require_subcommand(1); }
void Command::footer(const std::string& text) { app_->footer(text); }

template <typename T>
Option Command::option(const std::string& names, T& value, const std::string& about) {
  return Option(app_->add_option(names, value, about));
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, unsigned&, const std::string&);
template Option Command::option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::optional<std::uint64_t>&,
                                const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::filesystem::path>&,
                                const std::string&);

Option Command::flag(const std::string& names, bool& value, const std::string& about) {
  return Option(app_->add_flag(names, value, about));
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
  try {
    const int code = body();
    // What nobody could read was not said: a full disk must not look like a pass.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("stdout cannot be written", "free some disk space, or send it elsewhere",
                  error_id::kCannotWrite);
    return code;
  } catch (...) {
    const Ended ended = describe_exception();
    std::fputs(report::error_text("Error", ended.error, report::style_for(stderr)).c_str(), stderr);
    if (error_fd != nullptr && *error_fd >= 0) write_error(*error_fd, error_json(ended.error));
    return ended.exit_code;
  }
}

int run_commands(int argc, char** argv, const std::function<void(Command)>& add) {
  CLI::App app("CUDA memory labs, graded on any machine.", command_name());
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("labkit ") + LABKIT_VERSION);
  app.get_formatter()->column_width(kHelpColumn);
  ChosenCommand chosen;
  add({app, chosen});
  if (const std::string complaint = unknown_command(app, {argv + 1, argv + std::max(1, argc)});
      !complaint.empty()) {
    std::fputs(report::wrapped(command_name() + ": " + complaint, kColumns, "").c_str(), stderr);
    return kExitUsage;
  }
  return guarded(app, argc, argv, [&] {
    const FileLimitIsAnError limit;
    return chosen();
  });
}

}  // namespace labkit::cli
