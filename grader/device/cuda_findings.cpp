#include "device/cuda_findings.h"

#include <cstdio>
#include <regex>

namespace labkit::device::cuda {
namespace {

using launch::FindingKind;

struct Fault {
  int code;  ///< CUresult, CUDA Driver API reference, "Data types used by CUDA driver"
  FindingKind kind;
  const char* space;
  const char* advice;
};

constexpr char kBounds[] =
    "An index or a pointer leads outside of every buffer. The simulator names the line and the "
    "thread: --device sim.";
constexpr char kShape[] =
    "The launch asks for more than the GPU has: threads a block, registers, or shared memory.";

constexpr Fault kFaults[] = {
    {1, FindingKind::launch, "", kShape},
    {700, FindingKind::out_of_bounds, "global", kBounds},
    {701, FindingKind::launch, "", kShape},
    {702, FindingKind::budget, "",
     "The GPU also drives a display, whose driver ends what keeps it waiting. Is there a loop that "
     "never ends?"},
    {710, FindingKind::assertion, "", "An assert() in the kernel does not hold."},
    {714, FindingKind::trap, "",
     "The GPU's call stack is broken: recursion too deep, or a return address overwritten."},
    {715, FindingKind::trap, "", "The kernel ran into __trap() or code that is none."},
    {716, FindingKind::misaligned, "",
     "An address is no multiple of the size of what is read or written there, as a float4 at an "
     "odd "
     "float."},
    {717, FindingKind::out_of_bounds, "",
     "A pointer into shared or local memory was used as one into global memory, or the other way."},
    {718, FindingKind::trap, "", "A call through a function pointer went to no function."},
    {719, FindingKind::trap, "",
     "The kernel ended itself, or broke in a way that the GPU does not tell apart: __trap(), an "
     "address outside of shared memory, a broken barrier. The simulator may know more: --device "
     "sim."},
    {720, FindingKind::launch, "", kShape},
};

std::string launch_line(const launch::Launch& launch, const std::string& gpu) {
  return "    in the launch of " + launch.kernel + ", grid " + launch::to_string(launch.grid) +
         ", block " + launch::to_string(launch.block) + ", on " + gpu;
}

/// "/a/b/kernel.cu:12: void k(int *): block: [1,0,0], thread: [3,0,0] Assertion `x < 4` failed."
void read_assertion(const std::string& complaint, launch::Finding& finding) {
  static const std::regex pattern(
      R"(([^\n]*?):(\d+): [^\n]*?block: \[(\d+),(\d+),(\d+)\], thread: \[(\d+),(\d+),(\d+)\] Assertion [^\n]*)");
  std::smatch match;
  if (!std::regex_search(complaint, match, pattern)) return;
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint32_t>(std::strtoul(match[i].str().c_str(), nullptr, 10));
  };
  const std::string file = match[1].str();
  finding.where = {file.substr(file.rfind('/') + 1), number(2)};
  finding.block = {number(3), number(4), number(5)};
  finding.thread = {number(6), number(7), number(8)};
  finding.text =
      match[0].str().substr(file.size() - finding.where.file.size()) + "\n" + finding.text;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

}  // namespace

std::optional<launch::Finding> finding_of(const Reply& reply, const launch::Launch& launch,
                                          const std::string& ptx, const std::string& gpu) {
  launch::Finding finding;
  finding.kernel = launch.kernel;
  if (reply.kind == Reply::Kind::endless) {
    finding.kind = FindingKind::budget;
    finding.text = "The kernel was stopped: it had not ended after " + seconds_text(reply.seconds) +
                   "\n" + launch_line(launch, gpu) + "\n    Is there a loop that never ends?";
    return finding;
  }
  std::string advice;
  if (reply.code == 218) {  // CUDA_ERROR_INVALID_PTX: the compiler's own is always valid
    if (ptx.find("// begin inline asm") == std::string::npos) return std::nullopt;
    finding.kind = FindingKind::launch;
    advice = "The assembly in an asm() statement is not valid PTX for this GPU.";
  } else {
    const Fault* fault = nullptr;
    for (const Fault& known : kFaults)
      if (known.code == reply.code) fault = &known;
    // Refusals come from the launch; an invalid value later on would be ours.
    if (fault == nullptr || (fault->kind == FindingKind::launch && !reply.at_launch))
      return std::nullopt;
    finding.kind = fault->kind;
    finding.space = fault->space;
    advice = fault->advice;
  }
  finding.text =
      reply.words + " (" + reply.code_name + ")\n" + launch_line(launch, gpu) + "\n    " + advice;
  if (finding.kind == FindingKind::assertion) read_assertion(reply.complaint, finding);
  return finding;
}

launch::Finding crash_finding(const std::string& how, const launch::Launch& launch,
                              const std::string& gpu) {
  launch::Finding finding;
  finding.kind = FindingKind::launch;
  finding.kernel = launch.kernel;
  finding.text = "The CUDA driver crashed twice while the kernel ran: its process was " + how +
                 "\n" + launch_line(launch, gpu) +
                 "\n    The simulator may know more: --device sim.";
  return finding;
}

launch::Finding spared_finding(const launch::Launch& launch, const std::string& gpu) {
  launch::Finding finding;
  finding.kind = FindingKind::budget;
  finding.kernel = launch.kernel;
  finding.text = "The kernel was not launched here: it had not ended in another launch\n" +
                 launch_line(launch, gpu) + "\n    Is there a loop that never ends?";
  return finding;
}

std::string mend_of_code(int code) {
  switch (code) {
    case 2:  // CUDA_ERROR_OUT_OF_MEMORY
      return "Free memory on the GPU (nvidia-smi shows who has it), or use smaller inputs.";
    case 214:  // CUDA_ERROR_ECC_UNCORRECTABLE
      return "The GPU's memory has a fault: reset the GPU or replace it (nvidia-smi -q -d ECC).";
    default:
      return "See whether nvidia-smi works, and run it again; --device sim needs no GPU.";
  }
}

}  // namespace labkit::device::cuda
