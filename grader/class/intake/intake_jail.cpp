#include "base/json_optional.h"
#include "base/text.h"
#include "class/intake/intake.h"
#include "process/jailed.h"

namespace labkit::course {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Root, prefix, format, label, labs, called, holds_several)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Student, id, name, keys, on_roster)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Submission, student, lab, path, source, source_sha256, late,
                                   submitted_at, local_at, lms_order, lms_id, download, group,
                                   problem)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Remark, kind, path, student, text, download, lab)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SameStudent, known, to, both_known)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Intake, roots, students, submissions, remarks, missing,
                                   unassigned, same)

namespace {

/// What is kept (IntakeLimits), once as it is and twice on its way, and what a decompressor holds.
constexpr std::uint64_t kMoreMemoryBytes = std::uint64_t{4} << 30;
/// IntakeLimits::class_expanded_bytes at a slow decompressor's 20 MB a second.
constexpr double kIntakeCpuSeconds = 3600;

/// The C library's: character sets, which libarchive asks for, are modules that it loads.
const std::vector<std::string> kSystem = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/locale", "/usr/share/i18n",
    // a zip's times are the local ones
    "/usr/share/zoneinfo", "/etc/localtime", "/etc/ld.so.cache"};

}  // namespace

Intake import_sandboxed(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<grade::Manifest>& labs, const IntakeOptions& options) {
  process::Jail jail{.work = process::Jail::Work::read_files,
                     .readable = kSystem,
                     .more_memory_bytes = kMoreMemoryBytes,
                     .cpu_seconds = kIntakeCpuSeconds};
  for (const std::filesystem::path& input : inputs) jail.readable.push_back(input.string());
  // CBOR, because names and sources need not be UTF-8
  const std::string bytes = process::run_in_jail(jail, "reading " + joined(inputs), [&] {
    std::string cbor;
    nlohmann::json::to_cbor(nlohmann::json(import_inputs(inputs, labs, options)), cbor);
    return cbor;
  });
  return nlohmann::json::from_cbor(bytes).get<Intake>();
}

}  // namespace labkit::course
