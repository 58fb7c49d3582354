// `labkit class replay`, as it is typed: what it vouches for, and what it does not.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "class_commands.h"

namespace labkit::course {
namespace {

using OrderedJson = nlohmann::ordered_json;

class ClassReplay : public ClassCommands {
 protected:
  fs::path kept() const { return out() / "receipts/ana/lab3.json"; }
  /// Ana's receipt with other values, beside it.
  fs::path edited(const std::map<std::string, OrderedJson>& values) const {
    OrderedJson receipt = OrderedJson::parse(read_file(kept()));
    for (const auto& [at, value] : values) receipt[OrderedJson::json_pointer(at)] = value;
    const fs::path file = out() / "receipts/ana/edited.json";
    write_file_atomically(file, receipt.dump(2) + "\n");
    return file;
  }
  /// Makes the gradebook keep such a receipt of Ana's, as if another kit had graded her.
  void grade_otherwise(const std::map<std::string, OrderedJson>& values) const {
    const std::string receipt = read_file(edited(values));
    {
      Gradebook book(out() / "gradebook.sqlite");
      const std::string result = book.outcome(book.entries().at(0).job->id).value().json;
      book.grade_again("ana", "lab3");
      book.finish(book.to_do().at(0).id, {result, receipt});
    }
    ASSERT_EQ(run({"class", "report", out().string()}).exit_code, kExitOk);
  }
  process::Result replay(const fs::path& receipt, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"class", "replay", receipt.string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

TEST_F(ClassReplay, AReceiptIsReplayedBitForBit) {
  small_class();
  ASSERT_EQ(grade().exit_code, kExitOk);
  for (const char* student : {"ana", "bo", "cy"}) {
    const auto same = replay(out() / "receipts" / student / "lab3.json");
    EXPECT_EQ(same.exit_code, kExitOk) << same.out << same.err;
    EXPECT_SAYS(same, std::string(student) + " lab3: the same result, bit for bit");
  }
  // Away from its gradebook it asks for it.
  const fs::path receipt = folder_ / "ana.json";
  fs::copy_file(kept(), receipt);
  const auto lost = replay(receipt);
  EXPECT_EQ(lost.exit_code, kExitUsage);
  EXPECT_SAYS(lost, "Name the class's folder with --class.");
  EXPECT_SAYS(replay(receipt, {"--out", out().string()}), "ana lab3: the same result, bit for bit");
}

TEST_F(ClassReplay, OnlyAReceiptThatTheGradebookKeepsIsVouchedFor) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  std::string twice = read_file(kept());
  twice.insert(twice.find('{') + 1, "\n  \"student\": \"bo\",");
  const fs::path file = out() / "receipts/ana/twice.json";
  write_file_atomically(file, twice);
  write_file_atomically(out() / "receipts/ana/none.json", "# kit");
  for (const fs::path& receipt :
       {edited({{"/student", "bo"}}), edited({{"/outcome/tests/0/points", 7}}),
        edited({{"/late_days", 0}}), file, out() / "receipts/ana/none.json"}) {
    const auto ran = replay(receipt);
    EXPECT_EQ(ran.exit_code, kExitVerdict) << ran.out << ran.err;
    EXPECT_SAYS(ran, "keeps no such receipt: it is another class's, or no longer as it was made");
    EXPECT_FALSE(says(ran, "bit for bit"));
  }
}

TEST_F(ClassReplay, WhatAGpuMeasuredIsLeftToGrade) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((out() / "gradebook.sqlite").c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, "UPDATE job SET device = 'NVIDIA H200'", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(db);
  const auto ran = replay(kept());
  EXPECT_EQ(ran.exit_code, kExitUsage) << ran.out << ran.err;
  EXPECT_SAYS(ran, "ana lab3 was graded on NVIDIA H200, whose times differ each time");
  EXPECT_SAYS(ran, "grade lab3 --file FILE --device cuda");
}

// What ptxas counted when it was graded counts, whether or not it can be asked again.
TEST_F(ClassReplay, RegistersAreThoseOfTheReceiptWhereNoneAreCounted) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  const OrderedJson receipt = OrderedJson::parse(read_file(kept()));
  std::string graded;
  for (const OrderedJson& test : receipt.at("outcome").at("tests"))
    if (test.contains("registers")) {
      graded = test.at("name");
      EXPECT_FALSE(test.at("registers").at("estimated").get<bool>());
      EXPECT_NE(test.at("registers").at("by").get<std::string>().find("'s ptxas for sm_90"),
                std::string::npos);
    }
  ASSERT_NE(graded, "");
  EXPECT_FALSE(says(replay(kept()), "registers"));
  const auto without = run({"class", "replay", kept().string()}, {"LABKIT_PTXAS=off"});
  EXPECT_EQ(without.exit_code, kExitOk) << without.out << without.err;
  EXPECT_SAYS(without, "the same result, bit for bit");
  // Graded without, they are estimated, and a replay with ptxas says that they are others.
  fs::remove_all(out());
  ASSERT_EQ(grade({}, {"LABKIT_PTXAS=off"}).exit_code, kExitOk);
  EXPECT_EQ(run({"class", "replay", kept().string()}, {"LABKIT_PTXAS=off"}).exit_code, kExitOk);
  const auto with = replay(kept());
  EXPECT_EQ(with.exit_code, kExitVerdict);
  EXPECT_SAYS(with, "registers/estimated: true -> false");
}

TEST_F(ClassReplay, OneThatComesOutOtherwiseSaysWhere) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  grade_otherwise({{"/outcome/points", 99},
                   {"/kit/version", "0.0.9"},
                   {"/compiler_clock", "another"},
                   {"/lab_files/measurement_sha256", "0"}});
  const auto ran = replay(kept());
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_SAYS(ran, "outcome/points: 99 -> 100");
  EXPECT_SAYS(ran, "kit/version: \"0.0.9\" -> ");
  EXPECT_SAYS(ran, "lab_files/measurement_sha256: \"0\" -> ");
  EXPECT_SAYS(ran, "compiler_clock: \"another\" -> \"2000-01-01 00:00:00 UTC\"");
}

// A kernel that asks for the time gets the same grade whenever it is graded.
TEST_F(ClassReplay, TheClockThatTheCompilerSeesIsTheReceipts) {
  attempt("ana",
          "constexpr char kNow[] = __TIME__ __DATE__;\n"
          "static_assert(kNow[7] == '0' && kNow[8] == 'J' && kNow[18] == '0');\n" +
              solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  EXPECT_EQ(OrderedJson::parse(read_file(kept())).at("compiler_clock"), "2000-01-01 00:00:00 UTC");
  const auto same = replay(kept());
  EXPECT_SAYS(same, "the same result, bit for bit");
  EXPECT_FALSE(says(same, "clock"));
}

}  // namespace
}  // namespace labkit::course
