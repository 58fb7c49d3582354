// What another teaching assistant met in a trial of four weeks in five formats.
#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "class/publish/exports.h"
#include "class_commands.h"
#include "intake_lines.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

std::size_t cases(const Intake& intake) {
  return static_cast<std::size_t>(
      std::ranges::count(intake.remarks, Remark::Kind::several, &Remark::kind));
}

TEST(Sheets, AreReadWhateverTheirLanguageIs) {
  const std::vector<Student> german = parse_roster(
      "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung\n"
      "Teilnehmer/in 401480,Sam Lee,slee1@uni.edu,Keine Abgabe -,,100.00\n"
      "Teilnehmer/in 401600,Sam Lee,slee2@uni.edu,Keine Abgabe -,,100.00\n",
      "lab5.csv");
  ASSERT_EQ(german.size(), 2u);
  EXPECT_EQ(german[1].name, "Sam Lee");
  const std::map<std::string, std::string> keys = {{"email", "slee2@uni.edu"},
                                                   {"moodle_id", "401600"}};
  EXPECT_EQ(german[1].keys, keys);
  const auto dutch = read_csv(
      "ID,Laatst gewijzigd (inzending),Laatst gewijzigd (cijfer)\n"
      "Deelnemer 76,-,\"dinsdag, 3 november 2026, 10:00\"\n"
      "Deelnemer 77,\"maandag, 2 november 2026, 23:59\",\"dinsdag, 3 november 2026, 10:00\"\n",
      "t");
  EXPECT_EQ(moodle_times(dutch).submitted_at.at("77"), 1793660340 + 3600);
  EXPECT_EQ(
      parse_roster("编号,全名\n参与者77,李 小龙\n参与者78,Bo Li\n", "r").at(0).key("moodle_id"),
      "77");
  EXPECT_EQ(parse_roster("ID,Name\nu-77,Cy Wu\nu-78,Bo Li\n", "r").at(0).key("sid"), "u-77");
  const std::vector<Student> sections =
      parse_roster("Kurs,Name,Login\nTeil 1,Bo Li,bli\nTeil 1,Cy Wu,cwu\n", "r.csv");
  EXPECT_EQ(sections.at(1).key("moodle_id"), "") << "a number of participants is nobody else's";
  const std::vector<Student> canvas =
      parse_roster("Student,Canvas ID,SIS Login ID,Email,Group\n\"Li, Bo\",7,bli,b@x.edu,T\n", "r");
  EXPECT_EQ(canvas.at(0).key("canvas_id"), "7");
  EXPECT_EQ(canvas.at(0).key("login"), "bli");
}

TEST(Sheets, OfCanvasWithoutItsColumnsOfTheSisHaveNoPointsPossible) {
  const auto canvas = parse_roster(
      "Student,ID,Section,Lab 3 (9)\n    Points Possible,,,100\n\"Li, Bo\",7,A,\n"
      "\"Student, Test\",8,A,\n",
      "r");
  ASSERT_EQ(canvas.size(), 1u);
  EXPECT_EQ(canvas.at(0).key("canvas_id"), "7");
}

TEST(Copies, ThatABrowserNumberedAreACaseUnlessTheyAreAlike) {
  const std::string other = kernel_of("lab1", "2"), kernel = "labs/lab1_vecadd_coalescing/";
  for (const std::string& second :
       {"ana/kit (1)/" + kernel + "kernel.cu", "ana/kit/" + kernel + "kernel (1).cu"}) {
    const std::string first = "ana/kit/" + kernel + "kernel.cu";
    const auto take = [&](const std::string& source) {
      return take_packed({{second, source}, {first, kL1}, {"bo/lab1.cu", kL1}});
    };
    const Intake two = take(other);
    EXPECT_EQ(cases(two), 1u) << second;
    EXPECT_EQ(submissions(two), (Lines{"ana lab1 " + first, "bo lab1 bo/lab1.cu"}));
    EXPECT_EQ(cases(take(kL1)), 0u) << second;
  }
  EXPECT_EQ(
      cases(take_packed({{"liana_7_501_kernel.cu", kL1}, {"liana_7_502_kernel (1).cu", other}},
                        "Lab 1.zip", {})),
      1u)
      << "Canvas numbers both, though they came together";
  EXPECT_EQ(cases(take_packed({{"liana_7_501_lab1.cu", kL1}, {"liana_7_502_lab1_old.cu", other}},
                              "Lab 1.zip", {})),
            1u)
      << "files of one attempt, whatever their numbers";
  const std::vector<Packed> kept = {{"ana/lab1/kernel.cu", kL1},
                                    {"ana/lab1/.kernel-20261010-101010-00.cu", other},
                                    {"bo/lab1/.kernel-20261010-101010-00.cu", other}};
  const Intake reset = take_packed(kept);
  EXPECT_EQ(cases(reset), 0u);
  EXPECT_EQ(submissions(reset), (Lines{"ana lab1 ana/lab1/kernel.cu"}));
}

class AnotherTrial : public PublishTest {
 protected:
  /// One download after the other, as `class grade` imports them.
  void week(const std::vector<Packed>& entries, const std::string& roster) {
    IntakeOptions options = all_labs();
    options.roster_text = "Name,Login\n" + roster;
    options.known = book_.students(true);
    import_inputs(take_packed(entries, "clones.zip", options));
  }
  std::string shown() const {
    std::string all;
    for (const Student& one : book_.students()) all += one.shown() + "\n";
    return all;
  }
  static Intake with_remark(Intake intake, const std::string& path, const std::string& text) {
    Root root;
    root.label = root.called = "Lab 1.zip";
    root.labs = {"lab1"};
    intake.roots = {root};
    for (const Student& one : intake.students)
      if (!text.empty())
        intake.remarks.push_back({Remark::Kind::refused, path, one.id, text, root.called});
    return intake;
  }
};

TEST_F(AnotherTrial, ClonesOfWhoLeftTheRosterAreStillTheirs) {
  const std::string lab1 = "/labs/lab1_vecadd_coalescing/kernel.cu",
                    all = "Ana A,ana\nBob Birch,bob\nCy Wu,cwu\n", left = "Ana A,ana\n",
                    who = "ana (Ana A)\nbob (Bob Birch)\ncwu (Cy Wu)\n";
  for (const std::string& file : {lab1, std::string("/lab1.cu")}) {
    const auto clones = [&](const std::string& assignment) {
      std::vector<Packed> files;
      for (const char* login : {"ana", "bob", "cwu"})
        files.push_back({"cs101-" + assignment + "-" + login + file, kernel_of("lab1", login)});
      return files;
    };
    week(clones("lab1"), all);
    week(clones("week2"), all);
    ASSERT_EQ(shown(), who);
    week(clones("lab1"), left);
    EXPECT_EQ(shown(), who) << file;
    week(clones("week2"), left);
    EXPECT_EQ(shown(), who) << file;
  }
}

TEST_F(AnotherTrial, ASettledCaseIsNoneAgainAfterAnOlderDownload) {
  const Intake broken = with_remark(made_class(1, {}), "a.zip", "it is cut short"),
               good = with_remark(made_class(1, {"lab1"}), "", "");
  import_inputs(broken);
  EXPECT_EQ(book_.remarks().size(), 1u);
  import_inputs(broken);
  EXPECT_EQ(book_.remarks().size(), 1u) << "not settled yet";
  import_inputs(good);
  EXPECT_TRUE(book_.remarks().empty());
  import_inputs(broken);
  EXPECT_TRUE(book_.remarks().empty());
  import_inputs(with_remark(made_class(1, {}), "b.zip", "it is encrypted"));
  EXPECT_EQ(book_.remarks().size(), 1u);
}

TEST_F(AnotherTrial, TheZeroOfWhatWasMissingIsAmongTheGradesThatChange) {
  Intake first = made_class(3, {"lab1"});
  first.submissions.erase(first.submissions.begin() + 1);
  import_inputs(first);
  PublishOptions options;
  options.policy = folder_.write("p.toml", "missing = \"zero\"\n");
  publish_now(options);
  book_.put_class(made_class(3, {"lab1"}), true);
  book_.plan(made_conditions());
  grade_all(book_);
  const Changes added = changes_to(book_, kit_labs());
  EXPECT_EQ(joined(added.changed), "s1 lab1: 0, missing -> 60");
  EXPECT_TRUE(added.is_harmless()) << "it only adds";
  Intake other = made_class(1, {"lab1"});
  other.submissions[0].source = "else";
  other.submissions[0].source_sha256 = sha256_hex("else");
  book_.put_class(other, true);
  EXPECT_EQ(changes_to(book_, kit_labs()).changed.size(), 2u);
  EXPECT_FALSE(changes_to(book_, kit_labs()).is_harmless());
}

TEST_F(AnotherTrial, CasesOfOneReasonAreCountedEachOnThePageAndTheTerminal) {
  import_inputs(with_remark(made_class(3, {"lab1"}), "", "it is encrypted"));
  EXPECT_EQ(publish_now().to_review, 3u);
  EXPECT_NE(text_of("index.html").find(">To review (3)</h2>"), std::string::npos);
}

class AssistantsSlips : public ClassCommands {};

TEST_F(AssistantsSlips, AreAskedAboutBeforeAnythingIsGraded) {
  const auto clone = [&](const fs::path& place) {
    write_file_atomically(folder_ / place / "labs/lab3_corner_turning/kernel.cu",
                          "__global__ void corner_turn( {");
  };
  for (const char* name : {"cs101-lab3-ana", "cs101-lab4-ana", "cs101-week2-ana"})
    clone(fs::path("all") / name);
  const auto grade = [&](const std::string& input, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"class", "grade", (folder_ / input).string(), "--out",
                                      out().string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto mixed = grade("all", {});
  EXPECT_EQ(mixed.exit_code, kExitUsage);
  EXPECT_SAYS(mixed, "Put each assignment's folders into a folder of its own");
  clone("lab4/ana");
  const auto slip = grade("lab4", {"--assignment", "lab3"});
  EXPECT_EQ(slip.exit_code, kExitUsage);
  EXPECT_SAYS(slip, "--assignment \"lab3\" fits none of the downloads");
  EXPECT_SAYS(slip, "--assignment \"lab4=lab3\"");
  EXPECT_EQ(grade("lab4", {"--assignment", "lab4=lab3"}).exit_code, kExitOk);
  EXPECT_EQ(verdicts().size(), 1u);
}

}  // namespace
}  // namespace labkit::course
