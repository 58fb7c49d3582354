#include "grade/repair_cache.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/kept_file.h"
#include "base/sha256.h"
#include "process/process.h"
#include "words/message_json.h"

namespace labkit::grade {
namespace {

using words::Json;

Json json_of(const Repair& repair) {
  Json lines = Json::array(), why = Json::array();
  for (const ChangedLine& one : repair.lines)
    lines.push_back(Json::array({one.line, one.before, one.after}));
  for (const words::Message& one : repair.why) why.push_back(words::json_of(one));
  return {{"lines", lines}, {"launches", repair.launches}, {"why", why}};
}

Repair repair_of(const Json& from) {
  Repair repair{.lines = {}, .launches = from.at("launches").get<std::uint64_t>(), .why = {}};
  for (const Json& one : from.at("lines"))
    repair.lines.push_back({one.at(0).get<std::uint32_t>(), one.at(1).get<std::string>(),
                            one.at(2).get<std::string>()});
  for (const Json& one : from.at("why")) words::read(one, repair.why.emplace_back());
  return repair;
}

}  // namespace

std::filesystem::path repairs_file(const Grading& grading) {
  if (grading.options.cache_directory.empty()) return {};
  std::string all = fmt::format("{}|{}|{}|{}|{}", process::own_version(), grading.manifest.id,
                                read_file(grading.manifest.directory / "lab.toml"),
                                grading.submission.compiler, grading.options.seed);
  for (const KeptTest& kept : grading.kept)  // a GPU's verdicts may differ from the simulator's
    all += fmt::format("|{} {} {} {}", kept.test->name, kept.wants_repair,
                       kept.result->verdict.text(), kept.result->launches);
  return grading.options.cache_directory / "repairs" /
         (sha256_hex(all + "|" + grading.submission.source) + ".json");
}

std::optional<Repairs> read_repairs(const std::filesystem::path& file) try {
  const std::optional<std::string> text = file.empty() ? std::nullopt : read_kept(file);
  if (!text) return std::nullopt;
  Repairs repairs;
  const Json all = Json::parse(*text);
  for (const auto& [test, repair] : all.items()) repairs.emplace(test, repair_of(repair));
  return repairs;
} catch (const Json::exception&) {
  return std::nullopt;  // of another form: searched again
} catch (const std::invalid_argument&) {
  return std::nullopt;
}

void write_repairs(const std::filesystem::path& file, const Repairs& repairs) {
  if (file.empty()) return;
  Json all = Json::object();
  for (const auto& [test, repair] : repairs) all[test] = json_of(repair);
  write_kept(file, all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace labkit::grade
