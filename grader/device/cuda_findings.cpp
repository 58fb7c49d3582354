#include "device/cuda_findings.h"

#include <charconv>
#include <cstdio>
#include <string_view>

#include "base/text.h"

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

/// Takes `before` and the number behind it off the text.
bool take(std::string_view& text, std::string_view before, std::uint32_t& number) {
  if (!text.starts_with(before)) return false;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data() + before.size(), end, number);
  if (problem != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view before, launch::Dim3& place) {
  return take(text, before, place.x) && take(text, ",", place.y) && take(text, ",", place.z);
}

/// "/a/b/kernel.cu:12: void k(int *): block: [1,0,0], thread: [3,0,0] Assertion `x < 4` failed."
bool read_assertion(std::string_view line, launch::Finding& finding) {
  std::uint32_t number = 0;
  std::size_t colon = line.find(':');
  for (; colon != std::string_view::npos; colon = line.find(':', colon + 1))
    if (std::string_view rest = line.substr(colon);
        take(rest, ":", number) && rest.starts_with(": "))
      break;
  if (colon == std::string_view::npos) return false;
  constexpr std::string_view kBlock = "block: [";
  for (std::size_t at = line.find(kBlock, colon); at != std::string_view::npos;
       at = line.find(kBlock, at + 1)) {
    std::string_view rest = line.substr(at);
    launch::Dim3 block, thread;
    if (!take(rest, kBlock, block) || !take(rest, "], thread: [", thread) ||
        !rest.starts_with("] Assertion "))
      continue;
    const std::size_t folder = line.substr(0, colon).rfind('/') + 1;  // 0 without one
    finding.where = {std::string(line.substr(folder, colon - folder)), number};
    finding.block = block;
    finding.thread = thread;
    finding.text = std::string(line.substr(folder)) + "\n" + finding.text;
    return true;
  }
  return false;
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
  if (finding.kind == FindingKind::assertion)
    for (const std::string_view line : split_lines(reply.complaint))
      if (read_assertion(line, finding)) break;
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

std::string remedy_of_code(int code) {
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
