// The other languages beside English: that their rows fit, and what they lack.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "words/render.h"

namespace labkit::words {
namespace {

namespace fs = std::filesystem;

const fs::path kWords = fs::path(LABKIT_SOURCE_DIR) / "grader/words";

class Translation : public testing::Test {
 protected:
  ~Translation() override { use_language(Language::english); }
};

/// The fields of a row: all that it may have, and those that it shows and does not only count with ("n?line|lines").
struct Fields {
  std::set<std::string> all, shown;
};

Fields fields_of(std::string_view row) {
  Fields fields;
  for (std::size_t at = row.find('{'); at != std::string_view::npos; at = row.find('{', at)) {
    if (row.substr(at, 2) == "{{") {
      at += 2;
      continue;
    }
    const auto close = row.find('}', at);
    const std::string_view field = row.substr(at + 1, close - at - 1);
    const std::string name(field.substr(0, field.find_first_of("?~&@")));
    fields.all.insert(name);
    if (field.find('?') == std::string_view::npos) fields.shown.insert(name);
    at = close;
  }
  return fields;
}

std::vector<Id> ids_in(const fs::path& file) {
  constexpr std::string_view kBegin = "MESSAGE(";
  std::vector<Id> ids;
  const std::string text = read_file(file);
  for (const std::string_view line : split_lines(text))
    if (line.starts_with(kBegin))
      if (const auto id = id_from_name(line.substr(kBegin.size(), line.find(',') - kBegin.size())))
        ids.push_back(*id);
  return ids;
}

TEST_F(Translation, HasTheParametersOfTheEnglish) {
  for (std::uint16_t number = 1; is_id(number); ++number) {
    const auto id = static_cast<Id>(number);
    const std::string_view row = row_of(id, Language::chinese);
    if (row.empty()) continue;
    const Fields own = fields_of(row), english = fields_of(row_of(id, Language::english));
    for (const std::string& name : own.all)
      EXPECT_TRUE(english.all.contains(name)) << name_of(id) << " has no {" << name << "}";
    for (const std::string& name : english.shown)
      EXPECT_TRUE(own.all.contains(name)) << name_of(id) << " leaves out {" << name << "}";
    EXPECT_FALSE(row.starts_with(' ') || row.ends_with(' ')) << row;
    EXPECT_EQ(row.find("  "), std::string_view::npos) << row;
  }
}

// Who changes an English file and does not know the language deletes the line "// Complete." of its translation.
TEST_F(Translation, LacksNothingWhereItClaimsToBeComplete) {
  std::size_t claims = 0;
  for (const auto& entry : fs::directory_iterator(kWords / "english")) {
    const fs::path name = entry.path().filename();
    if (name == "all.def") continue;
    const fs::path file = kWords / "chinese" / name;
    const bool claims_all = fs::exists(file) && read_file(file).starts_with("// Complete.\n");
    claims += claims_all;
    for (const Id id : ids_in(entry.path())) {
      if (!row_of(id, Language::chinese).empty()) continue;
      if (claims_all)
        ADD_FAILURE() << file << " lacks " << name_of(id);
      else
        std::printf("%s lacks %s\n", file.c_str(), std::string(name_of(id)).c_str());
    }
  }
  EXPECT_GT(claims, 10u);
}

TEST_F(Translation, IsRenderedOnceItIsChosen) {
  const Message message = {Id::race_fix_barrier_between,
                           {{"barrier", "__syncthreads()"},
                            {"above", SourceLine{"kernel.cu", 12}},
                            {"below", SourceLine{}}}};
  const Message stopped = {Id::budget_stopped, {{"instructions", count(31'250'000)}}};
  EXPECT_EQ(render(stopped), "Too much work: stopped after about 31 million warp instructions.");
  use_language(Language::chinese);
  EXPECT_EQ(render(message),
            "在第 12 行和该行之间加 __syncthreads()，不要放在只有部分线程进入的 `if` 里。");
  EXPECT_EQ(render(stopped), "工作量太大：执行了相当于 3125 万 条线程束指令的工作后被停止。");
  EXPECT_EQ(render(std::vector{stopped, message}), render(stopped) + render(message));
  EXPECT_EQ(text(Id::points_of, {{"points", "3"}, {"most", "4"}}), "4 分中的 3 分");
}

TEST_F(Translation, OfALabIsFoundByItsEnglish) {
  EXPECT_EQ(translated("A title of no lab"), "A title of no lab");
  add_texts({{"A title of no lab", "标题"}});
  EXPECT_EQ(translated("A title of no lab"), "标题");
}

TEST_F(Translation, IsChosenByTheEnvironmentAsPosixHasIt) {
  const auto in = [](const char* all, const char* messages, const char* lang) {
    ::setenv("LC_ALL", all, 1);
    ::setenv("LC_MESSAGES", messages, 1);
    ::setenv("LANG", lang, 1);
    return language_of_environment();
  };
  for (const char* const chinese :
       {"zh_CN.UTF-8", "zh_CN.utf8", "zh_SG.UTF-8", "zh-Hans", "zh_Hans_CN.UTF-8@x", "zh_CN", "zh"})
    EXPECT_EQ(in("", "", chinese), Language::chinese) << chinese;
  // another script, another encoding, another language
  for (const char* const other :
       {"zh_TW.UTF-8", "zh_CN.GB18030", "de_DE.UTF-8", "C.UTF-8", "C", ""})
    EXPECT_EQ(in("", "", other), Language::english) << other;
  EXPECT_EQ(in("", "zh_CN.UTF-8", "de_DE.UTF-8"), Language::chinese);
  EXPECT_EQ(in("en_US.UTF-8", "zh_CN.UTF-8", "zh_CN.UTF-8"), Language::english);
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) ::unsetenv(name);
}

}  // namespace
}  // namespace labkit::words
