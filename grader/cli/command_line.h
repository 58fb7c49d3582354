// Commands and their options, declared without CLI11's header, which takes seconds to compile. And from exceptions to exit
// codes, in one place for every program of the kit.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT: CLI11's name
class App;
class Option;
}  // namespace CLI

namespace labkit::cli {

/// What is to be run once the command line is parsed; set by the command that was named.
using ChosenCommand = std::function<int()>;

/// One option of a command. Each function says more of it.
class Option {
 public:
  Option(CLI::Option* option) : option_(option) {}  // NOLINT: what CLI11 calls an option
  Option required() const;
  /// --help shows the value that the variable has now.
  Option with_default() const;
  /// A value each time, so that what follows is another argument.
  Option one_at_a_time() const;
  Option one_of(const std::vector<std::string>& values) const;
  Option existing_file() const;
  /// A file that a report can be written to, or "-" for stdout.
  Option report_place() const;
  Option range(double low, double high) const;
  Option not_negative() const;
  Option positive() const;
  Option excludes(const Option& other) const;

 private:
  CLI::Option* option_;
};

/// A command. Variables must outlive the parsing.
class Command {
 public:
  Command(CLI::App& app, ChosenCommand& chosen) : app_(&app), chosen_(&chosen) {}
  operator CLI::App&() const { return *app_; }  // NOLINT: what CLI11 calls a command
  Command subcommand(const std::string& name, const std::string& about);
  /// One of its subcommands must be named.
  void require_subcommand();
  /// Below the options in --help.
  void footer(const std::string& text);
  /// `names` without "--": an argument by its place. T: a string, a path, a number, an optional number, or a list of strings
  /// or paths.
  template <typename T>
  Option option(const std::string& names, T& value, const std::string& about);
  Option flag(const std::string& names, bool& value, const std::string& about);
  /// "--kernel" and the like, of those so far.
  std::vector<std::string> option_names() const;
  /// From the first word on that is no option of this command: all that is left, options of somebody else's among it.
  void rest(const std::string& names, std::vector<std::string>& words);
  ChosenCommand& chosen() const { return *chosen_; }
  /// What to do where this command is named.
  void run(ChosenCommand body);

 private:
  CLI::App* app_;
  ChosenCommand* chosen_;
};

/// "LAB", or several of them.
void add_lab(Command command, std::string& lab);
void add_labs(Command command, std::vector<std::string>& labs);
void add_seed(Command command, std::uint64_t& seed, const std::string& about = "of the inputs");

struct DeviceChoice {
  std::string device = "auto";  ///< auto, cuda or sim
  int gpu_id = -1;              ///< as the driver numbers them; -1: the first that is free
};
/// --device and --gpu-id; what the command line does not say, LABKIT_DEVICE and LABKIT_GPU_ID may.
void add_device_options(CLI::App& app, DeviceChoice& choice);

/// --language, of commands for students; every other command speaks English.
void add_language_option(CLI::App& app);
/// What that says, or else the environment; reads the texts of labs in that language. Once the command line is parsed.
void choose_language(const CLI::App& app);
/// For the commands that are suggested: " --language zh" if that was asked for here; the environment asks for itself.
std::string language_argument();

/// --gpu, the profile of the simulator; one that there is not is refused naming those there are. To grade with, only
/// one that was measured: the gates hold for no other.
void add_gpu_profile_option(CLI::App& app, std::string& gpu);
/// The same to look at: any profile, or kEveryGpu.
void add_any_gpu_profile_option(CLI::App& app, std::string& gpu);
inline constexpr const char* kEveryGpu = "all";

/// Parses the command line, runs `body`, and ends with its exit code. --help and --version end with
/// 0, a wrong command line with kExitUsage, labkit::Error and any other exception with
/// kExitOurError; stderr then says "Error: ..." and "Fix: ...". Where `error_fd` is given and not below 0,
/// the error is written there too, as base/error.h has it: for the program that started this one.
int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
            const int* error_fd = nullptr);

/// The program labkit; `add` adds its commands. A command that is not known is named with the nearest that is.
int run_commands(int argc, char** argv, const std::function<void(Command)>& add);

}  // namespace labkit::cli
