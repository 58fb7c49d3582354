// `labkit run`: a whole CUDA program, with a GPU that is simulated.
#include "program/run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/work_folder.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/stop.h"
#include "compile/outline.h"
#include "compile/tokens.h"
#include "grade/profile.h"
#include "report/explain_html.h"
#include "report/program.h"
#include "timing/timing.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::vector<std::string> words;  ///< the program, and its arguments
  std::vector<std::string> own;    ///< names of the options below
  program::BuildOptions build;
  program::SessionOptions session;
  std::string json, html, launches;
  bool no_model = false;
};

/// "3", "1-3" or "5-".
void read_launches(const std::string& text, program::SessionOptions& options) {
  if (text.empty()) return;
  const auto wrong = [&] {
    throw std::invalid_argument("--launches '" + text + "': wants a number, or two like 1-3");
  };
  const std::size_t dash = text.find('-');
  const auto read = [&](const std::string& number) {
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      wrong();
    return std::stoull(number);
  };
  options.first_launch = read(text.substr(0, dash));
  const std::string last = dash == std::string::npos ? text : text.substr(dash + 1);
  if (!last.empty()) options.last_launch = read(last);
  if (options.first_launch == 0 || options.last_launch < options.first_launch) wrong();
}

/// The page of the kernel on which most time is spent; "" where none has its counters.
std::string page_of(const program::Report& report, const std::string& file,
                    const std::string& source) {
  const program::LaunchRow* most = nullptr;
  for (const program::LaunchRow& row : report.launches)
    if (row.outcome && (most == nullptr || row.time_us > most->time_us)) most = &row;
  if (most == nullptr) return "";
  grade::Profile profile;
  profile.file = file;
  profile.kernel = most->kernel;
  profile.grid = most->grid;
  profile.block = most->block;
  profile.dynamic_shared_bytes = static_cast<std::uint32_t>(most->dynamic_shared_bytes);
  profile.device = {.name = "sim",
                    .gpu = report.gpu,
                    .title = "simulator; times are predicted for " + report.title};
  profile.simulated = true;
  profile.outcome = *most->outcome;
  report::ExplainOptions explain;
  explain.command = command_name() + " run --html";
  return report::explain_html(profile, source, explain);
}

bool is_host_code(const fs::path& file) {
  const std::vector<std::string> endings = {".cpp", ".cc", ".cxx", ".c"};
  return std::ranges::count(endings, file.extension().string()) != 0;
}

/// Another file may have it.
bool has_main(const std::string& source, const std::vector<std::string>& others) {
  const compile::Tokens tokens(source);
  const auto functions = compile::declared_functions(tokens);
  return !others.empty() || std::ranges::count(functions, "main") != 0;
}

/// Options of ours that the program gets, unless `--` says that they are for it.
void tell_late_options(const std::vector<std::string>& own,
                       const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (std::ranges::count(own, word.substr(0, word.find('='))) == 0) continue;
    std::fprintf(stderr, "%s\n",
                 words::text(words::Id::program_late_options,
                             {{"option", word}, {"command", command_name() + " run"}})
                     .c_str());
    return;
  }
}

int run_program(const RunOptions& options) {
  program::SessionOptions session = options.session;
  session.model = !options.no_model;
  read_launches(options.launches, session);
  if (options.words.empty())
    throw std::invalid_argument("name a .cu file, or a program: labkit run prog.cu");
  const fs::path file = options.words.front();
  if (options.words.front().starts_with('-'))
    throw std::invalid_argument("there is no option " + options.words.front());
  if (fs::is_directory(file)) throw std::invalid_argument(file.string() + " is a folder");
  if (!fs::is_regular_file(file)) throw std::invalid_argument("there is no file " + file.string());
  const std::vector<std::string> arguments(options.words.begin() + 1, options.words.end());

  tell_late_options(options.own, arguments);
  const WorkFolder folder;
  fs::path program = file;
  std::string compiler;
  if (file.extension() == ".cu") {
    const program::Built built = program::build(file, folder.path(), options.build);
    std::fputs(built.log.c_str(), stderr);
    if (built.program.empty()) {
      if (!has_main(read_file(file), options.build.sources))
        std::fprintf(stderr, "%s has no main(). `%s profile` launches a kernel of such a file.\n",
                     file.c_str(), command_name().c_str());
      return kExitVerdict;
    }
    program = built.program;
    compiler = built.compiler;
    session.source = read_file(file);
  } else if (is_host_code(file)) {
    throw UsageError(file.string() + " is host code alone",
                     "name the .cu, and this file as another: " + command_name() +
                         " run --source " + file.string() + " prog.cu");
  } else {
    program::require_shared_runtime(program);
  }
  const StopOnSignals stopping;
  program::Report report = program::run(program, arguments, session, stop_flag());
  report.program = file.filename().string();
  report.compiler = compiler;

  if (!options.html.empty())
    write_output_file(options.html, page_of(report, file.filename().string(), session.source));
  if (options.json == "-")
    report::print(report::program_json(report));
  else if (!options.json.empty())
    write_output_file(options.json, report::program_json(report));
  // behind the program's own output, and apart from it where that goes to a file
  std::FILE* const to = ::isatty(STDOUT_FILENO) != 0 ? stdout : stderr;
  std::fputs(("\n" + report::program_text(report, report::style_for(to))).c_str(), to);
  std::fflush(nullptr);
  if (report.stopped) {  // a launch may still be under way
    folder.remove();
    std::_Exit(128 + SIGINT);
  }
  if (report.signal != 0) return 128 + report.signal;
  if (report.exit_code != 0) return report.exit_code;
  return report.has_errors() ? kExitVerdict : kExitOk;
}

}  // namespace

void add_run(Command labkit) {
  const auto options = std::make_shared<RunOptions>();
  Command command =
      labkit.subcommand("run", "run a whole CUDA program without a GPU, and say what it did");
  command.footer(
      "Options stand before PROGRAM; what follows it are its own arguments.\nExamples:\n  " +
      command_name() + " run prog.cu 1024\n  " + command_name() +
      " run --check ./a.out     built with: nvcc -cudart shared -lineinfo");
  command.rest("PROGRAM [ARGUMENT...]", options->words);
  command.flag("--check", options->session.check,
               "look for races, bad accesses and values that nobody wrote");
  command.flag("--no-model", options->no_model, "neither count nor predict: faster");
  command.option("--html", options->html, "write a page about the costliest kernel to this file")
      .report_place();
  command.option("--json", options->json, "write JSON to this file; -: to the terminal")
      .report_place();
  command.option("--kernel", options->session.kernel,
                 "look only at kernels whose name has this in it");
  command.option("--launches", options->launches, "look only at these, like 1-3");
  command.option("--gpu", options->session.gpu, "the GPU whose times are predicted")
      .one_of(timing::profile_names())
      .with_default();
  command.option("--source", options->build.sources, "another .cu or .cpp file of the program")
      .one_at_a_time();
  command.option("--compiler", options->build.compiler, "of a .cu")
      .one_of({"auto", "nvcc", "clang"})
      .with_default();
  command.option("--include", options->build.include, "a folder of headers").one_at_a_time();
  command.option("--define", options->build.define, "a macro, like N=1024").one_at_a_time();
  command.option("--option", options->build.options, "an option for the compiler").one_at_a_time();
  command.option("--threads", options->session.threads,
                 "of the simulator; 0: all the process may use");
  command
      .option("--budget", options->session.budget,
              "stop a kernel as endless when one of its blocks has cost so much: 32 for each "
              "instruction of a warp, more for shuffles, atomics and scattered addresses; 0: never")
      .not_negative()
      .with_default();
  add_language_option(command);
  options->own = command.option_names();
  command.run([options] { return run_program(*options); });
}

}  // namespace labkit::cli
