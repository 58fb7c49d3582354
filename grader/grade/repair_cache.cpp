#include "grade/repair_cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/kept_file.h"
#include "base/sha256.h"
#include "process/process.h"

namespace labkit::grade {
namespace {

using nlohmann::json;

json json_of(const words::Message& message) {
  json parameters = json::array();
  for (const words::Parameter& one : message.parameters) {
    json value;
    if (const auto* count = std::get_if<std::int64_t>(&one.value))
      value = *count;
    else if (const auto* number = std::get_if<double>(&one.value))
      value = *number;
    else
      value = std::get<std::string>(one.value);  // throws for a line: no change has one
    parameters.push_back({one.name, value});
  }
  return {{"id", words::name_of(message.id)}, {"parameters", std::move(parameters)}};
}

words::Message message_of(const json& from) {
  words::Message message{words::id_from_name(from.at("id").get<std::string>()).value()};
  for (const json& one : from.at("parameters")) {
    const json& value = one.at(1);
    words::Value of = value.is_string()         ? words::Value(value.get<std::string>())
                      : value.is_number_float() ? words::Value(value.get<double>())
                                                : words::Value(value.get<std::int64_t>());
    message.parameters.push_back({one.at(0).get<std::string>(), std::move(of)});
  }
  return message;
}

json json_of(const Repair& repair) {
  json lines = json::array(), why = json::array();
  for (const ChangedLine& one : repair.lines) lines.push_back({one.line, one.before, one.after});
  for (const words::Message& one : repair.why) why.push_back(json_of(one));
  return {{"lines", lines}, {"launches", repair.launches}, {"why", why}};
}

Repair repair_of(const json& from) {
  Repair repair{.lines = {}, .launches = from.at("launches").get<std::uint64_t>(), .why = {}};
  for (const json& one : from.at("lines"))
    repair.lines.push_back({one.at(0).get<std::uint32_t>(), one.at(1).get<std::string>(),
                            one.at(2).get<std::string>()});
  for (const json& one : from.at("why")) repair.why.push_back(message_of(one));
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
  const json all = json::parse(*text);
  for (const auto& [test, repair] : all.items()) repairs.emplace(test, repair_of(repair));
  return repairs;
} catch (const std::exception&) {
  return std::nullopt;  // of another form: searched again
}

void write_repairs(const std::filesystem::path& file, const Repairs& repairs) {
  if (file.empty()) return;
  json all = json::object();
  for (const auto& [test, repair] : repairs) all[test] = json_of(repair);
  write_kept(file, all.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace labkit::grade
