// `labkit class replay`, as it is typed: what it vouches for, and what it does not.
#include <gtest/gtest.h>

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
    const fs::path file = out() / "receipts/edited.json";
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
    EXPECT_SAYS(same, "The same result, bit for bit");
    EXPECT_SAYS(same, "holds this receipt, field for field");
  }
  // Away from its gradebook it asks for it.
  const fs::path receipt = folder_ / "ana.json";
  fs::copy_file(kept(), receipt);
  const auto lost = replay(receipt);
  EXPECT_EQ(lost.exit_code, kExitUsage);
  EXPECT_SAYS(lost, "Name the class's folder with --class.");
  EXPECT_SAYS(replay(receipt, {"--out", out().string()}), "holds this receipt, field for field");
}

TEST_F(ClassReplay, AnEditedReceiptIsToldFieldByField) {
  attempt("ana", solution("correct/tile.cu"));
  attempt("bo", solution("wrong/tile_not_turned.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  const std::string points = "/outcome/tests/0/points";
  const OrderedJson before =
      OrderedJson::parse(read_file(kept())).at(OrderedJson::json_pointer(points));
  const struct {
    std::map<std::string, OrderedJson> values;
    std::vector<std::string> said;
  } cases[] = {
      {{{"/student", "bo"}}, {"student: \"ana\" -> \"bo\""}},
      {{{"/student", "zoe"}, {"/path", "zoe/lab3.cu"}},
       {"student: \"ana\" -> \"zoe\"", "path: \"ana/lab3.cu\" -> \"zoe/lab3.cu\""}},
      {{{"/lab", "lab4"}}, {"lab: \"lab3\" -> \"lab4\""}},
      {{{points, 7}}, {fmt::format("points: {} -> 7", before.dump())}},
      {{{"/jail", "none"}, {"/late_days", 0}}, {"jail: ", "late_days: nothing -> 0"}},
  };
  for (const auto& one : cases) {
    const auto ran = replay(edited(one.values));
    EXPECT_EQ(ran.exit_code, kExitVerdict) << ran.out << ran.err;
    EXPECT_SAYS(ran, "differs from the receipt in");
    for (const std::string& line : one.said) EXPECT_SAYS(ran, line);
    EXPECT_SAYS(ran, "ana lab3: pass then, pass now") << "the one that is kept";
    EXPECT_FALSE(says(ran, "field for field"));
  }
  // Of a field that is there twice, a reader sees one, and a parser the other.
  std::string twice = read_file(kept());
  twice.insert(twice.find('{') + 1, "\n  \"student\": \"bo\",");
  const fs::path file = out() / "receipts/twice.json";
  write_file_atomically(file, twice);
  const auto refused = replay(file);
  EXPECT_EQ(refused.exit_code, kExitVerdict);
  EXPECT_SAYS(refused, "its values are the same, not its text");
}

TEST_F(ClassReplay, AReceiptThatTheGradebookDoesNotKeepIsNotVouchedFor) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  const fs::path receipt = edited({{"/student", "zoe"}});
  const fs::path other = folder_ / "other";
  attempt("bo", solution("wrong/tile_not_turned.cu"));
  fs::remove_all(folder_ / "submissions/ana");
  ASSERT_EQ(run({"class", "grade", (folder_ / "submissions").string(), "--out", other.string()})
                .exit_code,
            kExitOk);
  const auto ran = replay(receipt, {"--class", other.string()});
  EXPECT_EQ(ran.exit_code, kExitVerdict) << ran.out << ran.err;
  EXPECT_SAYS(ran, "keeps no receipt like this one, nor of its source");
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
  EXPECT_SAYS(without, "The same result, bit for bit");
  // Graded without, they are estimated, and a replay with ptxas says that they are others.
  fs::remove_all(out());
  ASSERT_EQ(grade({}, {"LABKIT_PTXAS=off"}).exit_code, kExitOk);
  EXPECT_EQ(run({"class", "replay", kept().string()}, {"LABKIT_PTXAS=off"}).exit_code, kExitOk);
  const auto with = replay(kept());
  EXPECT_EQ(with.exit_code, kExitVerdict);
  EXPECT_SAYS(with, "registers, estimated: true -> false");
}

TEST_F(ClassReplay, OneThatComesOutOtherwiseSaysWhere) {
  attempt("ana", solution("correct/tile.cu"));
  ASSERT_EQ(grade().exit_code, kExitOk);
  grade_otherwise({{"/result_sha256", "0"},
                   {"/outcome/points", 99},
                   {"/kit/version", "0.0.9"},
                   {"/compiler_clock", "another"},
                   {"/lab_files/measurement_sha256", "0"}});
  const auto ran = replay(kept());
  EXPECT_EQ(ran.exit_code, kExitVerdict);
  EXPECT_SAYS(ran, "points: 99 -> 100");
  EXPECT_SAYS(ran, "kit, version: \"0.0.9\" -> ");
  EXPECT_SAYS(ran, "lab_files, measurement_sha256: \"0\" -> ");
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
  EXPECT_SAYS(same, "The same result, bit for bit");
  EXPECT_FALSE(says(same, "clock"));
}

}  // namespace
}  // namespace labkit::course
