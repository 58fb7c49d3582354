// How long `labkit class grade` takes for a class, in seconds and in core-seconds, and how much memory; that a run which
// is killed at random moments and continued ends with the same gradebook; what it costs more to grade the class in shards;
// and how the memory of merging grows with the class.
//
//   class_bench --students 200 --jobs 2 --kills 10
//   class_bench --students 50 --shards 4 --merged 1000
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/plan.h"
#include "class_folder.h"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// 0 for a process that is gone.
std::uint64_t memory_in(const std::string& proc_file, const char* field) {
  std::ifstream file(proc_file);
  for (std::string word; file >> word;)
    if (word == field) {
      std::uint64_t kilobytes = 0;
      file >> kilobytes;
      return kilobytes << 10;
    }
  return 0;
}

/// Proportional set size: what is shared counts once.
std::uint64_t memory_of(pid_t process) {
  return memory_in(fmt::format("/proc/{}/smaps_rollup", process), "Pss:");
}

/// A process and all below it.
std::vector<pid_t> family_of(pid_t first) {
  std::map<pid_t, std::vector<pid_t>> children;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::stringstream text;
    text << file.rdbuf();
    const std::size_t after = text.str().rfind(") ");  // the name may hold anything
    if (after == std::string::npos) continue;
    std::istringstream rest(text.str().substr(after + 2));
    char state = 0;
    pid_t parent = 0;
    rest >> state >> parent;
    children[parent].push_back(static_cast<pid_t>(std::stol(name)));
  }
  std::vector<pid_t> family = {first};
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const pid_t child : children[family[i]]) family.push_back(child);
  return family;
}

struct Ended {
  double wall_seconds = 0, core_seconds = 0;
  std::vector<std::uint64_t> memory_bytes;  ///< of the whole family, one value a look
  std::uint64_t peak_bytes = 0;             ///< of the process itself, that was resident
  int status = 0;
};

struct Options {
  std::size_t students = 200;
  unsigned jobs = 2, kills = 0, shards = 0;
  std::size_t merged = 0;
  fs::path folder, labkit;
};

/// `labkit class WORDS` until it ends, or until it is killed after `kill_after` seconds. `look`: at its memory.
Ended run_class(const Options& options, std::vector<std::string> words, double kill_after,
                bool look) {
  words.insert(words.begin(), {options.labkit, "class"});
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const Clock::time_point begin = Clock::now();
  std::fflush(stdout);  // or the child says it, too
  const pid_t child = ::fork();
  if (child == 0) {
    if (kill_after > 0 && !std::freopen("/dev/null", "w", stdout)) ::_exit(126);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Ended ended;
  struct rusage usage {};
  while (::wait4(child, &ended.status, WNOHANG, &usage) == 0) {
    if (kill_after > 0 && seconds_since(begin) >= kill_after) ::kill(child, SIGKILL);
    ended.peak_bytes =
        std::max(ended.peak_bytes, memory_in(fmt::format("/proc/{}/status", child), "VmHWM:"));
    if (look) {
      std::uint64_t sum = 0;
      for (const pid_t process : family_of(child)) sum += memory_of(process);
      ended.memory_bytes.push_back(sum);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(look ? 250 : 5));
  }
  ended.wall_seconds = seconds_since(begin);
  const auto seconds = [](const struct timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  ended.core_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return ended;
}

std::vector<std::string> import_words(const char* command, const fs::path& input,
                                      const fs::path& out) {
  return {command, input, "--out", out, "--seed", "7", "--device", "sim"};
}

Ended grade(const Options& options, const fs::path& out, double kill_after, bool look) {
  std::vector<std::string> words = import_words("grade", options.folder / "submissions", out);
  words.insert(words.end(), {"--jobs", std::to_string(options.jobs)});
  return run_class(options, words, kill_after, look);
}

/// The same, for what must succeed.
Ended require(const Options& options, const std::vector<std::string>& words) {
  Ended ended = run_class(options, words, 0, false);
  if (!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0)
    throw std::runtime_error(
        fmt::format("class {} ended with status {}", words.front(), ended.status));
  return ended;
}

double peak_mib(const Ended& run) { return static_cast<double>(run.peak_bytes) / (1 << 20); }

/// Plan, work shard by shard, and merge, against `class grade` of the same class.
void bench_shards(const Options& options, const Ended& whole) {
  const fs::path out = options.folder / "sharded";
  double core_seconds =
      require(options, import_words("plan", options.folder / "submissions", out)).core_seconds;
  for (unsigned i = 0; i < options.shards; ++i)
    core_seconds +=
        require(options, {"work", out, "--shard", fmt::format("{}/{}", i, options.shards), "--jobs",
                          std::to_string(options.jobs)})
            .core_seconds;
  core_seconds += require(options, {"merge", out}).core_seconds;
  fmt::print("in {} shards: {:.1f} core-seconds, {:.3f} of class grade's {:.1f}\n", options.shards,
             core_seconds, core_seconds / whole.core_seconds, whole.core_seconds);
}

/// Of a class of so many students, with results of another's.
Ended merge_of(const Options& options, std::size_t students,
               const std::map<std::string, std::vector<std::string>>& results) {
  using labkit::course::PlanFolder;
  const fs::path input = options.folder / fmt::format("class-{}", students),
                 out = options.folder / fmt::format("merged-{}", students);
  labkit::bench::make_class_folder(input, students);
  require(options, import_words("plan", input, out));
  const auto folder = PlanFolder::find(out);
  std::size_t n = 0;
  for (const auto& task : folder->plan().tasks) {
    if (task.is_reference()) continue;  // left to a worker
    const std::vector<std::string>& of_lab = results.at(task.lab);
    folder->put(task, PlanFolder::kDone, of_lab[n++ % of_lab.size()]);
  }
  require(options, {"work", out});
  return require(options, {"merge", out});
}

/// Memory and time of merging a large class against those of the one that was graded; results are that one's.
void bench_merge(const Options& options) {
  using labkit::course::Gradebook;
  std::map<std::string, std::vector<std::string>> results;  // by lab
  {
    const Gradebook book(options.folder / "grades" / "gradebook.sqlite", Gradebook::Mode::existing);
    for (const auto& entry : book.entries())
      if (const auto outcome = entry.graded ? book.outcome(entry.job->id) : std::nullopt)
        results[entry.lab].push_back(outcome->json);
  }
  const Ended small = merge_of(options, options.students, results),
              large = merge_of(options, options.merged, results);
  fmt::print(
      "merge of {} students: {:.0f} MiB at most, {:.1f} core-seconds; of {}: {:.0f} MiB, {:.1f}; "
      "memory times {:.2f}, students times {:.1f}\n",
      options.students, peak_mib(small), small.core_seconds, options.merged, peak_mib(large),
      large.core_seconds, peak_mib(large) / peak_mib(small),
      static_cast<double>(options.merged) / static_cast<double>(options.students));
}

/// All that a grade depends on and says.
std::map<std::string, std::string> contents_of(const fs::path& out) {
  using labkit::course::Gradebook;
  const Gradebook book(out / "gradebook.sqlite", Gradebook::Mode::existing);
  std::map<std::string, std::string> contents;
  for (const auto& entry : book.entries()) {
    std::string& text = contents[entry.student + " " + entry.lab];
    text = fmt::format("{} {} {} {}\n", entry.submitted, entry.graded, entry.verdict, entry.points);
    if (!entry.job) continue;
    text += fmt::format("{} {}\n", static_cast<int>(entry.job->state), entry.job->source_sha256);
    if (const auto outcome = book.outcome(entry.job->id)) text += outcome->json + outcome->receipt;
  }
  return contents;
}

void tell(const Ended& run, std::size_t jobs) {
  const auto count = static_cast<double>(jobs);
  fmt::print("{} jobs: {:.1f} s, {:.2f} jobs/s; {:.1f} core-seconds, {:.3f} a job\n", jobs,
             run.wall_seconds, count / run.wall_seconds, run.core_seconds,
             run.core_seconds / count);
  if (run.memory_bytes.size() < 3) return;
  const std::size_t third = run.memory_bytes.size() / 3;
  const auto peak = [](auto begin, auto end) {
    return static_cast<double>(*std::max_element(begin, end)) / (1 << 20);
  };
  const auto begin = run.memory_bytes.begin();
  const auto at = [&](std::size_t n) { return begin + static_cast<std::ptrdiff_t>(n); };
  fmt::print(
      "memory of all processes together: {:.0f} MiB at most ({:.0f}, {:.0f}, {:.0f} in the "
      "thirds of the run)\n",
      peak(begin, run.memory_bytes.end()), peak(begin, at(third)), peak(at(third), at(2 * third)),
      peak(at(2 * third), run.memory_bytes.end()));
}

int bench(const Options& options) {
  fs::remove_all(options.folder);
  const std::size_t jobs =
      labkit::bench::make_class_folder(options.folder / "submissions", options.students);
  const Ended run = grade(options, options.folder / "grades", 0, true);
  if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0) {
    fmt::print("class grade ended with status {}\n", run.status);
    return 1;
  }
  tell(run, jobs);
  if (options.shards > 0) bench_shards(options, run);
  if (options.merged > 0) bench_merge(options);
  if (options.kills == 0) return 0;

  std::mt19937_64 random(options.students);
  double core_seconds = 0;
  for (unsigned i = 0; i < options.kills; ++i) {
    // So that all kills together fall within one undisturbed run.
    const double part = static_cast<double>(random() % 1000) / 1000;
    const double after = 0.01 + 2 * part * run.wall_seconds / (options.kills + 1);
    const Ended killed = grade(options, options.folder / "killed", after, false);
    core_seconds += killed.core_seconds;
    fmt::print("killed after {:.2f} s{}\n", killed.wall_seconds,
               WIFSIGNALED(killed.status) ? "" : ": it had ended");
  }
  const Ended last = grade(options, options.folder / "killed", 0, false);
  if (!WIFEXITED(last.status) || WEXITSTATUS(last.status) != 0) {
    fmt::print("the continued run ended with status {}\n", last.status);
    return 1;
  }
  const auto before = contents_of(options.folder / "grades"),
             after = contents_of(options.folder / "killed");
  std::size_t differing = before.size() != after.size();
  for (const auto& [name, text] : before)
    if (const auto at = after.find(name); at == after.end() || at->second != text) {
      fmt::print("differs: {}\n", name);
      differing += 1;
    }
  fmt::print(
      "after {} kills: {} entries, {} differ; {:.1f} core-seconds in all, {:.1f} undisturbed\n",
      options.kills, after.size(), differing, core_seconds + last.core_seconds, run.core_seconds);
  return differing == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Grades a made-up class and tells what it took.", "class_bench");
  app.add_option("--students", options.students, "each with up to six labs")->capture_default_str();
  app.add_option("--jobs", options.jobs)->capture_default_str();
  app.add_option("--kills", options.kills, "also a run that is killed so often, and compared")
      ->capture_default_str();
  app.add_option("--shards", options.shards,
                 "also the same class planned, graded in so many shards and merged");
  app.add_option("--merged", options.merged,
                 "also the merging of a class of so many students, with results of the first one");
  options.folder = fs::temp_directory_path() / "labkit_class_bench";
  app.add_option("--folder", options.folder, "made anew")->capture_default_str();
  options.labkit = fs::canonical("/proc/self/exe").parent_path() / "labkit";
  CLI11_PARSE(app, argc, argv);
  try {
    return bench(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "class_bench: {}\n", error.what());
    return 3;
  }
}
