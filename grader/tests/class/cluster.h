// A class graded by shards, and what it is compared with.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "class_commands.h"

namespace labkit::course {

class Cluster : public ClassCommands {
 protected:
  fs::path sharded() const { return folder_ / "sharded"; }
  process::Result plan(const std::string& shards) const {
    return run({"class", "plan", (folder_ / "submissions").string(), "--out", sharded().string(),
                "--seed", "7", "--shards", shards});
  }
  process::Result work(const std::string& shard) const {
    return run({"class", "work", sharded().string(), "--shard", shard});
  }
  process::Result submit(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"class", "submit", sharded().string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  process::Result merge_shards(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"class", "merge", sharded().string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  /// Without what follows "last result ", up to "UTC".
  static std::string without_times(std::string text) {
    constexpr std::string_view kTime = "last result ";
    for (std::size_t at = text.find(kTime); at != text.npos; at = text.find(kTime, at + 1))
      if (const std::size_t end = text.find("UTC", at); end != text.npos && end < at + 40)
        text.erase(at + kTime.size(), end - at - kTime.size());
    return text;
  }
  /// All that a teacher takes from a class's folder, by its place there; without the time of the last result.
  static std::map<std::string, std::string> exported(const fs::path& folder) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().lexically_relative(folder).string();
      if (entry.is_regular_file() && !name.starts_with("gradebook.sqlite") &&
          !name.starts_with("logs/") && !name.starts_with("."))
        all[name] = without_times(read_file(entry.path()));
    }
    return all;
  }
  static std::string first_difference(const std::string& name, const std::string& one,
                                      const std::string& other) {
    const auto at = static_cast<std::size_t>(
        std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
    const std::size_t from = at - std::min<std::size_t>(at, 100);
    return fmt::format("{}:\n{}\n---\n{}", name, one.substr(from, 200), other.substr(from, 200));
  }
  void expect_as_in_one_process() const {
    const auto alone = grade({"--seed", "7"});
    ASSERT_EQ(alone.end, process::End::exited) << alone.out << alone.err;
    ASSERT_EQ(alone.exit_code, kExitOk) << alone.out << alone.err;
    const auto one = exported(out()), many = exported(sharded());
    EXPECT_GT(one.size(), 15u);
    for (const auto& [name, text] : one) {
      ASSERT_TRUE(many.contains(name)) << name;
      ASSERT_TRUE(text == many.at(name)) << first_difference(name, text, many.at(name));
    }
    EXPECT_EQ(one.size(), many.size());
    EXPECT_TRUE(contents(out()) == contents(sharded()));
  }
};

}  // namespace labkit::course
