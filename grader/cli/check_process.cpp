// Starts lab_check (check_program.cpp) on one file of one lab, and reads its result as JSON (report/lab_json.cpp).
#include "cli/check_process.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <stdexcept>
#include <thread>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/at_work.h"
#include "cli/paths.h"
#include "explain/words.h"
#include "process/process.h"
#include "report/json.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

/// A lab takes a few seconds; the limits of compiler and simulator add up to less than this.
constexpr double kMaxSeconds = 300;
/// With a GPU: others may be measuring on it, each for up to half a minute, and it may have to cool.
constexpr double kMaxSecondsWithGpu = 1800;

/// A file in the temporary folder that is gone again when this is.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path folder) {
    static std::atomic<unsigned> next{0};
    std::error_code none;
    if (folder.empty()) folder = std::filesystem::temp_directory_path(none);
    if (none) {
      const char* named = std::getenv("TMPDIR");
      throw Error(fmt::format("there is no folder for temporary files: TMPDIR is {}",
                              named ? named : "not set, and /tmp cannot be used"),
                  "unset TMPDIR, or let it name a folder that you may write to");
    }
    path_ = folder / fmt::format("labkit-{}-{}.json", getpid(), next++);
    std::filesystem::remove(path_, none);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A file in memory that a check program writes its error to: a full disk must not hide why it failed.
class ErrorFile {
 public:
  ErrorFile() {
    if (fd() < 0) throw Error(std::string("cannot make a file in memory: ") + std::strerror(errno));
  }
  int fd() const { return file_.get(); }
  /// What was written so far.
  std::string text() const {
    constexpr std::size_t kMost = 1u << 20;
    std::string text(kMost, '\0');
    const ssize_t got = ::pread(fd(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
  }

 private:
  const Descriptor file_{::memfd_create("labkit-error", MFD_CLOEXEC)};
};

/// What of this program's environment a check program sees.
const std::vector<std::string> kPassedOn = {"PATH",
                                            "HOME",
                                            "TMPDIR",
                                            "LD_LIBRARY_PATH",
                                            "CUDA_HOME",
                                            "CUDA_PATH",
                                            "LABKIT_NVRTC",
                                            "LABKIT_CACHE",
                                            "LABKIT_COMMAND",
                                            "LABKIT_ROOT",
                                            "LABKIT_LIBCUDA",
                                            "LABKIT_LIBNVML",
                                            "LABKIT_LIBEXEC",
                                            "LABKIT_LOCK_DIR",
                                            "LABKIT_JAIL",
                                            "LABKIT_COMPILER",
                                            "LABKIT_CLANG",
                                            "LABKIT_PTXAS",
                                            "CUDA_VISIBLE_DEVICES",
                                            "CUDA_DEVICE_ORDER",
                                            "ASAN_OPTIONS",
                                            "UBSAN_OPTIONS"};

/// The check program at work on that file; `json` is where its result goes, empty for nowhere.
process::Command command_of(const grade::Manifest& lab, const GradeRequest& request,
                            const std::filesystem::path& json) {
  process::Command command;
  command.argv = {check_program().string()};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command.argv.insert(command.argv.end(), {option, value});
  };
  add("--lab", lab.id);
  add("--device", request.device.device);
  add("--gpu-id", std::to_string(request.device.gpu_id));
  add("--gpu", request.gpu);
  add("--seed", std::to_string(request.seed));
  add("--threads", std::to_string(request.threads));
  add("--error-fd", std::to_string(process::kFirstKept));
  add("--json", json.string());
  add("--html", request.html.string());
  add("--file", request.file.string());
  add("--language", std::string(words::code_of(words::language())));
  if (request.may_be_missing) command.argv.emplace_back("--may-be-missing");
  if (request.details) command.argv.emplace_back("--details");
  if (request.values) command.argv.emplace_back("--values");
  for (const std::filesystem::path& solution : request.values_of)
    add("--values-of", solution.string());
  if (!request.tests.empty()) command.argv.push_back("--gtest_filter=" + request.tests);
  command.environment = process::inherited(kPassedOn);
  if (!request.cache_directory.empty()) {
    // A copy's time is that of every class: it is computed once, where the kit can keep it.
    const std::filesystem::path kept = cache_directory();
    if (::access(kept.c_str(), W_OK) == 0) add("--copies", kept.string());
    std::erase_if(command.environment,
                  [](const std::string& entry) { return entry.starts_with("LABKIT_CACHE="); });
    command.environment.push_back("LABKIT_CACHE=" + request.cache_directory.string());
  }
  // A lab fills and frees the same hundreds of MB for each of its tests: kept, and in huge pages, they
  // are not cleared anew each time, which was half of lab 1's and lab 6's core-seconds.
  if (const auto given = process::inherited({"GLIBC_TUNABLES"}); !given.empty())
    command.environment.push_back(given.front());
  else
    command.environment.emplace_back(
        "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:"
        "glibc.malloc.trim_threshold=4294967296");
  command.limits.wall_seconds = request.device.device == "sim" ? kMaxSeconds : kMaxSecondsWithGpu;
  command.limits.cpu_seconds = request.cpu_seconds;
  command.limits.address_space_bytes = request.address_space_bytes;
  command.limits.output_bytes = 16u << 20;
  command.stop = request.stop;
  return command;
}

/// Runs it until it says a verdict, whichever.
process::Result run_to_a_verdict(const grade::Manifest& lab, process::Command command) {
  const ErrorFile error_file;
  command.keep = {error_file.fd()};
  process::Result result = process::run(command);
  if (result.end == process::End::stopped) throw Stopped();
  if (result.end == process::End::exited) {
    for (const int verdict : {kExitOk, kExitVerdict, kExitInconclusive})
      if (result.exit_code == verdict) return result;
    if (const std::optional<Error> error = read_error_json(error_file.text())) throw Error(*error);
  }
  const std::string_view printed = trim(result.err);
  throw Error(
      fmt::format("{} came to no verdict: {}{}{}", lab.id,
                  process::describe(result, command.limits), printed.empty() ? "" : ": ", printed),
      {}, error_id::kNoVerdict);
}

/// Waits in a thread for the file that the check program writes before it looks for a repair.
class WaitForJudged {
 public:
  WaitForJudged(const std::filesystem::path& file,
                const std::function<void(grade::LabResult)>& judged)
      : thread_([&file, &judged](const std::stop_token& end) {
          constexpr std::chrono::milliseconds kLook{20};
          std::error_code none;
          while (!end.stop_requested() && !std::filesystem::exists(file, none))
            std::this_thread::sleep_for(kLook);
          if (!end.stop_requested()) tell(file, judged);
        }) {}

 private:
  /// What cannot be read is told by the result at the end.
  static void tell(const std::filesystem::path& file,
                   const std::function<void(grade::LabResult)>& judged) try {
    judged(report::read_lab_json(read_file(file), "the verdict"));
  } catch (const Error&) {
  }
  std::jthread thread_;
};

}  // namespace

void add_request(Command command, GradeRequest& request, const char* file) {
  if (file) command.option("--file", request.file, file).existing_file();
  add_device_options(command, request.device);
  add_gpu_profile_option(command, request.gpu);
  add_seed(command, request.seed);
  command.option("--threads", request.threads, "of the simulator; 0: all there are").with_default();
}

std::string grading_text(const std::string& lab) {
  return words::text(words::Id::grading_lab, {{"lab", lab}});
}

std::string looking_text(const grade::LabResult& result) {
  return words::text(words::Id::looking_for_change,
                     {{"lab", result.lab},
                      {"verdict", explain::verdict_words(result)},
                      {"points", words::text(words::Id::points_of,
                                             {{"points", explain::number(result.points)},
                                              {"most", explain::number(result.max_points)}})}});
}

std::filesystem::path file_of(const grade::Manifest& lab, const GradeRequest& request) {
  return request.file.empty() ? lab.directory / "kernel.cu" : request.file;
}

void require_ready(const grade::Manifest& lab, const GradeRequest& request) {
  process::Command command = command_of(lab, request, {});
  command.argv.push_back("--ready");
  run_to_a_verdict(lab, command);
}

grade::LabResult grade_file(const grade::Manifest& lab, const GradeRequest& request) {
  const TemporaryFile json(request.work_directory), registers(request.work_directory),
      judged(request.work_directory);
  const std::filesystem::path file = file_of(lab, request);
  std::error_code none;
  const std::string source =
      request.details && std::filesystem::is_regular_file(file, none) ? read_file(file) : "";
  process::Command command = command_of(lab, request, json.path());
  if (!request.recorded_registers.empty()) {
    write_file_atomically(registers.path(), request.recorded_registers);
    command.argv.insert(command.argv.end(), {"--registers", registers.path().string()});
  }
  std::optional<WaitForJudged> wait;
  if (request.judged) {
    command.argv.insert(command.argv.end(), {"--judged-json", judged.path().string()});
    wait.emplace(judged.path(), request.judged);
  }
  const process::Result result = run_to_a_verdict(lab, command);
  wait.reset();
  grade::LabResult graded = report::read_lab_json(read_file(json.path()), lab.id + "'s result");
  if (graded.verdict.passed() != result.ok() ||
      graded.verdict.inconclusive() != (result.exit_code == kExitInconclusive))
    throw Error(fmt::format("{}: exit code {} does not fit the verdict {}", lab.id,
                            result.exit_code, graded.verdict.text()),
                "report this: it is a fault of the kit", error_id::kBug);
  graded.source = source;
  return graded;
}

grade::LabResult grade_file(const grade::Manifest& lab, GradeRequest request,
                            const std::string& work) {
  request.details = true;
  AtWork at_work(work);
  request.judged = [&](const grade::LabResult& result) { at_work.now(looking_text(result)); };
  return grade_file(lab, request);
}

Graded try_grading(const grade::Manifest& lab, const GradeRequest& request) {
  try {
    return {.result = grade_file(lab, request), .trouble = {}};
  } catch (const Error& error) {
    return {.result = {}, .trouble = error};
  } catch (const std::exception& error) {
    return {.result = {}, .trouble = Error(error.what())};
  }
}

std::vector<Graded> grade_files(const grade::Manifest& lab,
                                const std::vector<std::filesystem::path>& files,
                                const GradeRequest& request) {
  std::vector<Graded> graded(files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      GradeRequest one = request;
      one.file = files[i];
      one.threads = 1;
      graded[i] = try_grading(lab, one);
    }
  };
  std::vector<std::thread> workers;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < cores && i < files.size(); ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  return graded;
}

std::vector<grade::Manifest> select_labs(const std::vector<std::string>& names) {
  std::vector<grade::Manifest> all = grade::find_labs(root_directory());
  if (names.empty()) return all;
  std::vector<grade::Manifest> selected;
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(all, [&](const grade::Manifest& lab) {
      return name == lab.id || "lab" + name == lab.id || name == lab.folder;
    });
    if (found == all.end())
      throw std::invalid_argument(
          fmt::format("there is no lab '{}'; there are {}", name,
                      joined(all | std::views::transform(&grade::Manifest::id), " ")));
    selected.push_back(*found);
  }
  return selected;
}

std::vector<std::filesystem::path> solution_files(const grade::Manifest& lab,
                                                  const std::string& kind) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;  // no folder, no solutions
  for (const auto& entry : std::filesystem::directory_iterator(
           root_directory() / "solutions" / lab.folder / kind, ignored))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace labkit::cli
