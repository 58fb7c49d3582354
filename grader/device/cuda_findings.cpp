#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/text.h"
#include "device/cuda_worker.h"

namespace labkit::device::cuda {
namespace {

using launch::Cause;
using launch::FindingKind;
using words::Id;

struct Fault {
  int code;  ///< CUresult, CUDA Driver API reference, "Data types used by CUDA driver"
  FindingKind kind;
  Cause cause;
  const char* space;
  Id meaning;
  Id fix = Id::none;
};

constexpr Fault kFaults[] = {
    {1, FindingKind::launch, Cause::launch, "", Id::gpu_shape},
    {218, FindingKind::launch, Cause::launch, "", Id::gpu_assembly},
    {700, FindingKind::out_of_bounds, Cause::none, "global", Id::gpu_outside,
     Id::gpu_fix_simulator},
    {701, FindingKind::launch, Cause::launch, "", Id::gpu_shape},
    {702, FindingKind::budget, Cause::budget, "", Id::gpu_display, Id::gpu_fix_loop},
    {710, FindingKind::assertion, Cause::assertion, "", Id::gpu_assertion},
    {714, FindingKind::trap, Cause::trap, "", Id::gpu_stack},
    {715, FindingKind::trap, Cause::trap, "", Id::gpu_illegal_instruction},
    {716, FindingKind::misaligned, Cause::misaligned, "", Id::gpu_misaligned},
    {717, FindingKind::out_of_bounds, Cause::none, "", Id::gpu_other_space},
    {718, FindingKind::trap, Cause::trap, "", Id::gpu_wrong_call},
    {719, FindingKind::trap, Cause::trap, "", Id::gpu_failed, Id::gpu_fix_simulator},
    {720, FindingKind::launch, Cause::launch, "", Id::gpu_shape},
};

words::Message launch_of(const launch::Launch& launch, const std::string& gpu) {
  return {Id::gpu_launch,
          {{"kernel", launch.kernel},
           {"grid", launch::to_string(launch.grid)},
           {"block", launch::to_string(launch.block)},
           {"gpu", gpu}}};
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
    constexpr std::string_view kBefore = "] Assertion `", kAfter = "` failed.";
    const std::size_t folder = line.substr(0, colon).rfind('/') + 1;  // 0 without one
    finding.where = {std::string(line.substr(folder, colon - folder)), number};
    finding.block = block;
    finding.thread = thread;
    const std::size_t begin = line.find(": ", colon) + 2;
    std::string_view function = line.substr(begin, at - begin);
    if (function.ends_with(": ")) function.remove_suffix(2);
    std::string_view expression = rest.substr(kBefore.size());
    if (expression.ends_with(kAfter)) expression.remove_suffix(kAfter.size());
    finding.evidence.insert(finding.evidence.begin(),
                            {Id::assertion_failed,
                             {{"place", finding.where.file + ":" + std::to_string(number)},
                              {"function", std::string(function)},
                              {"block", launch::bracketed(block)},
                              {"thread", launch::bracketed(thread)},
                              {"expression", std::string(expression)}}});
    return true;
  }
  return false;
}

launch::Finding finding_about(const launch::Launch& launch, FindingKind kind, Cause cause,
                              std::vector<words::Message> evidence, Id fix) {
  launch::Finding finding;
  finding.kind = kind;
  finding.kernel = launch.kernel;
  finding.cause = cause;
  finding.evidence = std::move(evidence);
  finding.fix = {fix};
  return finding;
}

}  // namespace

std::optional<launch::Finding> finding_of(const Reply& reply, const launch::Launch& launch,
                                          const std::string& ptx, const std::string& gpu) {
  if (reply.kind == Reply::Kind::endless)
    return finding_about(launch, FindingKind::budget, Cause::budget,
                         {{Id::gpu_endless, {{"seconds", reply.seconds}}}, launch_of(launch, gpu)},
                         Id::gpu_fix_loop);
  const Fault* const fault = std::ranges::find(kFaults, reply.code, &Fault::code);
  if (fault == std::end(kFaults)) return std::nullopt;
  // Refusals come from the launch; an invalid value later on would be ours.
  if (fault->kind == FindingKind::launch && !reply.at_launch) return std::nullopt;
  // PTX is invalid only where somebody wrote it: the compiler's own never is.
  if (fault->meaning == Id::gpu_assembly && ptx.find("// begin inline asm") == ptx.npos)
    return std::nullopt;
  launch::Finding finding =
      finding_about(launch, fault->kind, fault->cause,
                    {{Id::gpu_error, {{"says", reply.words}, {"code", reply.code_name}}},
                     launch_of(launch, gpu),
                     {fault->meaning}},
                    fault->fix);
  finding.space = fault->space;
  if (finding.kind == FindingKind::assertion)
    for (const std::string_view line : split_lines(reply.complaint))
      if (read_assertion(line, finding)) break;
  return finding;
}

launch::Finding crash_finding(const std::string& how, const launch::Launch& launch,
                              const std::string& gpu) {
  return finding_about(launch, FindingKind::launch, Cause::launch,
                       {{Id::gpu_crashed, {{"how", how}}}, launch_of(launch, gpu)},
                       Id::gpu_fix_simulator);
}

launch::Finding spared_finding(const launch::Launch& launch, const std::string& gpu) {
  return finding_about(launch, FindingKind::budget, Cause::budget,
                       {{Id::gpu_left_out}, launch_of(launch, gpu)}, Id::gpu_fix_loop);
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
