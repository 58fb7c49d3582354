// labkit's end of the socket: a GPU that is simulated, for one program.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "program/device_memory.h"
#include "program/memory_finding.h"
#include "program/protocol.h"
#include "program/report.h"
#include "timing/timing.h"

namespace labkit::program {

/// A block that executes more counts as endless: 3 billion instructions of its warps, which take a GPU half a second or more, and
/// the simulator seconds.
inline constexpr std::uint64_t kBudget = 100'000'000'000;

struct SessionOptions {
  std::string gpu = "h200";  ///< profile whose times are predicted
  bool model = true;         ///< predict times and count
  bool check = false;        ///< all sanitizers
  std::string kernel;        ///< only kernels whose name contains it are looked at; "": all
  std::uint64_t first_launch = 1, last_launch = ~std::uint64_t{0};  ///< only these are looked at
  std::uint64_t budget = kBudget;  ///< of each block of a launch (simt/limits.h); 0: no limit
  unsigned threads = 0;
  std::string
      source;  ///< text of the .cu that was compiled, for the names of parameters; "": not known
  std::filesystem::path program;  ///< for the lines of its calls
};

class Session {
 public:
  explicit Session(SessionOptions options);
  ~Session();

  int memory_file() const { return memory_.file(); }

  struct Response {
    bool is_wanted = true;  ///< false: the program waits for none
    std::int32_t error = kSuccess;
    std::vector<std::byte> bytes = {};
  };
  Response answer(Op op, std::span<const std::byte> request);

  /// What there is so far. May be called while answer() runs a launch, from another thread.
  Report report() const;
  /// The launch that is simulated now, for more than a moment; nullopt: none is.
  struct UnderWay {
    std::uint64_t launch = 0;
    std::string kernel;
    double seconds = 0;
  };
  std::optional<UnderWay> under_way() const;
  /// The program has ended: what it did not free, and did not fetch, is told. `is_success`: with exit code 0.
  void finish(bool is_success);

 private:
  struct Module;
  struct Repeatable;
  Response add_module(std::span<const std::byte> fat_binary);
  Response describe_kernel(std::span<const std::byte> request);
  Response find_variable(std::span<const std::byte> request);
  Response allocate(const AllocateRequest& request);
  Response launch(std::span<const std::byte> request);
  Response describe_device() const;
  void add_copy(const CopiedRequest& copied);
  void add_incident(const IncidentRequest& one, const std::string& function);
  bool check_few_bytes(const MovedRequest& copy, const std::string& function);
  void copied_from_device(const MovedRequest& copy, const std::string& function);
  void note(Incident incident);
  /// A launch that cannot be, and why.
  Response refuse(const std::string& kernel, std::vector<words::Message> why, words::Message fix,
                  std::int32_t error);
  /// The launch that could not be, if there is one that is not told. `is_error`: the program did not look at the error.
  void tell_refused(bool is_error);

  /// Parsed when it is first asked for; null where there is no such module.
  Module* module(std::uint32_t number);
  std::size_t add_row(LaunchRow row);  ///< the number of its row
  /// Arrays are called as the kernel's parameters.
  std::vector<LaunchArgument> name_arguments(const std::string& kernel,
                                             std::span<const std::byte> parameters,
                                             const simt::Program& program);
  /// Of a copy or memset: whether sizeof() of a pointer was taken for that of what it points to.
  void check_size(std::uint64_t address, std::uint64_t bytes, std::uint64_t caller,
                  const std::string& function);
  /// Of a copy: whether the array of the host is smaller.
  void check_host_array(std::uint64_t bytes, std::uint64_t caller, const std::string& function,
                        bool is_to_host);
  /// Of the structures that the launch is given.
  void mark_padding(const std::string& entry, const std::string& kernel);
  /// What memset() filled is taken for numbers of several bytes.
  void check_fill(const std::string& kernel);
  /// An allocation that is too small for a kernel and for copies is one matter.
  void forget_copies_into(const words::SourceLine& allocation);
  void tell_leaks();
  std::pair<std::vector<words::Message>, words::Message> too_small_for_copy(
      const IncidentRequest& copy);

  SessionOptions options_;
  const timing::GpuProfile& gpu_;
  DeviceMemory memory_;
  HostLines lines_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::uint64_t changes_ = 0;                ///< how often memory may have changed
  std::unique_ptr<Repeatable> repeatable_;   ///< the last launch
  std::uint64_t caller_ = 0;                 ///< of the call that is told about
  std::set<std::uint64_t> checked_callers_;  ///< by check_size()
  std::map<std::string, std::vector<std::vector<bool>>> padding_;     ///< by entry and parameter
  std::set<std::pair<std::uint64_t, std::uint64_t>> checked_arrays_;  ///< caller, bytes
  std::uint64_t last_launch_ = 0;                                     ///< its caller
  std::size_t last_row_ = 0;                                          ///< in the report
  std::vector<LaunchArgument> last_arguments_;
  bool has_output_ = false;  ///< a kernel has changed memory
  bool is_seen_elsewhere_ =
      false;  ///< by what a kernel prints, or in memory that the host can read
  /// The last launch that could not be, until it is told; its count is 0 until the program has its error.
  std::optional<Incident> refused_;
  /// The call that is under way, and the last that failed, have a note that says why.
  bool is_noted_ = false, failure_is_noted_ = false;
  mutable std::mutex report_mutex_;
  std::optional<UnderWay> under_way_;
  std::chrono::steady_clock::time_point began_;
  Report report_;
};

}  // namespace labkit::program
