#include "cli/hint_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace labkit::cli {
namespace {

constexpr int kVersion = 1;

}  // namespace

HintState::HintState(std::filesystem::path directory, const std::string& lab_id)
    : path_(std::move(directory) / (lab_id + ".json")) {
  std::error_code unknown;
  if (!std::filesystem::exists(path_, unknown)) return;
  try {
    read(read_file(path_));
  } catch (const std::exception&) {
    shown_.clear();
    key_.clear();
    result_.clear();
    mended =
        fmt::format("{} could not be read; the hints of {} begin anew.", path_.string(), lab_id);
  }
}

void HintState::read(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  if (json.at("version") != kVersion) throw Error("another version");
  for (const auto& one : json.at("shown"))
    shown_[{one.at("file"), one.at("defect")}] = one.at("tiers").get<std::size_t>();
  key_ = json.at("key");
  result_ = json.at("result");
}

std::size_t HintState::shown(const std::string& file, const std::string& defect) const {
  const auto at = shown_.find({file, defect});
  return at == shown_.end() ? 0 : at->second;
}

void HintState::set_shown(const std::string& file, const std::string& defect, std::size_t count) {
  shown_[{file, defect}] = count;
}

void HintState::forget(const std::string& file) {
  std::erase_if(shown_, [&](const auto& entry) { return entry.first.first == file; });
}

std::string HintState::result(const std::string& key) const {
  return key == key_ ? result_ : std::string{};
}

void HintState::set_result(const std::string& key, std::string json) {
  key_ = key;
  result_ = std::move(json);
}

void HintState::write() const {
  nlohmann::json json;
  json["version"] = kVersion;
  json["shown"] = nlohmann::json::array();
  for (const auto& [at, tiers] : shown_)
    json["shown"].push_back({{"file", at.first}, {"defect", at.second}, {"tiers", tiers}});
  json["key"] = key_;
  json["result"] = result_;
  write_file_atomically(path_, json.dump(1) + "\n");
}

}  // namespace labkit::cli
