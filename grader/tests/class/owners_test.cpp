#include "class/intake/owners.h"

#include <gtest/gtest.h>

#include "class_files.h"

namespace labkit::course {
namespace {

std::string canvas(std::string_view part) {
  const auto name = parse_canvas_name(part);
  if (!name) return "none";
  return name->name + "|" + name->user_id + name->anonymous_id + "|" + name->attachment_id + "|" +
         name->file + (name->late ? "|late" : "") + (name->typed ? "|typed" : "");
}

TEST(Owners, CanvasNames) {
  EXPECT_EQ(canvas("garciaana_1234_56789_lab3.cu"), "garciaana|1234|56789|lab3.cu");
  EXPECT_EQ(canvas("garciaana_LATE_1234_56789_lab3-1.cu"), "garciaana|1234|56789|lab3-1.cu|late");
  EXPECT_EQ(canvas("李伟_1_2_kernel.cu"), "李伟|1|2|kernel.cu");
  EXPECT_EQ(canvas("de_la_cruzjo_77_88_my_1_2_file.cu"), "de_la_cruzjo|77|88|my_1_2_file.cu");
  EXPECT_EQ(canvas("anon_aB3xZ_99_lab3.cu"), "|aB3xZ|99|lab3.cu");
  EXPECT_EQ(canvas("LATE_anon_aB3xZ_99_lab3.cu"), "|aB3xZ|99|lab3.cu|late");
  EXPECT_EQ(canvas("garciaana_1234_text.html"), "garciaana|1234|||typed");
  EXPECT_EQ(canvas("garciaana_LATE_1234_link.html"), "garciaana|1234|||late|typed");
  EXPECT_EQ(canvas("_LATE_5_6_x.cu"), "|5|6|x.cu|late");
  for (const char* other : {"lab3.cu", "garcia_12_lab3.cu", "garcia_12_34_", "a_b_c_d", ""})
    EXPECT_EQ(canvas(other), "none") << other;
}

std::string moodle(std::string_view part) {
  const auto name = parse_moodle_name(part);
  if (!name) return "none";
  return name->name + "|" + name->id + "|" + name->file + (name->typed ? "|typed" : "");
}

TEST(Owners, MoodleNames) {
  EXPECT_EQ(moodle("Ana García_4711_assignsubmission_file"), "Ana García|4711|");
  EXPECT_EQ(moodle("Ana García_4711_assignsubmission_file_"), "Ana García|4711|");
  EXPECT_EQ(moodle("Ana García_4711_assignsubmission_file_lab3_x.cu"), "Ana García|4711|lab3_x.cu");
  EXPECT_EQ(moodle("Participant_12_assignsubmission_file"), "Participant|12|");
  EXPECT_EQ(moodle("Default group_assignsubmission_file"), "Default group||");
  EXPECT_EQ(moodle("Toni   Marie Noel_657693_assignsubmission_file_"), "Toni   Marie Noel|657693|");
  EXPECT_EQ(moodle("Ana_1_assignsubmission_onlinetext"), "Ana|1||typed");
  EXPECT_EQ(moodle("Ana_1_assignsubmission_onlinetext_onlinetext.html"),
            "Ana|1|onlinetext.html|typed");
  for (const char* other : {"lab3.cu", "_assignsubmission_file", "Ana_1", ""})
    EXPECT_EQ(moodle(other), "none") << other;
}

TEST(Owners, GradescopeMetadata) {
  const auto submissions = parse_gradescope_metadata(R"(---
submission_11:
  :submitters:
  - :name: Ana García
    :sid: '0012'
    :email: ana@x.edu
  - :name: "Bo: the 2nd"
    :sid:
  :created_at: 2026-10-04 22:13:14.123456000 -07:00
  :score: 3.0
  :results:
    tests:
    - {name: a, output: "x: y"}
  :history: []
submission_12:
  :submitters: []
)");
  ASSERT_EQ(submissions.size(), 2u);
  const GradescopeSubmission& first = submissions.at("submission_11");
  ASSERT_EQ(first.owners.size(), 2u);
  EXPECT_EQ(first.owners[0].name, "Ana García");
  EXPECT_EQ(first.owners[0].key("sid"), "0012");
  EXPECT_EQ(first.owners[0].key("email"), "ana@x.edu");
  EXPECT_EQ(first.owners[1].name, "Bo: the 2nd");
  EXPECT_EQ(first.owners[1].key("sid"), "");
  EXPECT_EQ(first.submitted_at, 1791177194);
  EXPECT_TRUE(submissions.at("submission_12").owners.empty());
  EXPECT_THROW(parse_gradescope_metadata("[1, 2"), std::runtime_error);
  EXPECT_THROW(parse_gradescope_metadata("just text"), std::runtime_error);
  EXPECT_THROW(parse_gradescope_metadata(std::string(100'000, '[')), std::runtime_error);
}

TEST(LabNames, FindsTheLabInAName) {
  const LabNames labs(kit_labs());
  for (const char* name :
       {"lab3.cu", "Lab 3", "LAB_03", "lab-3", "alice_lab3_final.cu", "lab3_corner_turning",
        "corner-turning.cu", "CornerTurning.cu", "CS101-Lab 3 - Corner turning-1234"})
    EXPECT_EQ(labs.lab_of(name), "lab3") << name;
  EXPECT_EQ(labs.lab_of("lab4_corner_turning_padded.cu"), "lab4");  // the id is stronger
  for (const char* name :
       {"kernel.cu", "collab3", "lab13", "lab33.cu", "lab", "lab3_and_lab4", "3.cu", "labrador 3"})
    EXPECT_EQ(labs.lab_of(name), "") << name;
}

TEST(LabNames, TakesTheLabOutOfAName) {
  const LabNames labs(kit_labs());
  EXPECT_EQ(labs.without_lab("alice_lab3"), "alice");
  EXPECT_EQ(labs.without_lab("lab3-alice-smith"), "alice-smith");
  EXPECT_EQ(labs.without_lab("alice_lab3_final (2)"), "alice");
  EXPECT_EQ(labs.without_lab("Lab 3 - corner turning submissions"), "");
  EXPECT_EQ(labs.without_lab("lab3"), "");
  EXPECT_EQ(labs.without_lab("12345_lab3"), "12345");
  EXPECT_EQ(labs.without_lab("alice"), "alice");
  EXPECT_EQ(labs.without_lab("李伟_lab3"), "李伟");
}

TEST(LabNames, FindsTheLabInASource) {
  const LabNames labs(kit_labs());
  for (const grade::Manifest& lab : kit_labs()) {
    const auto kernels = labs.kernels_in(kernel_of(lab.id));
    EXPECT_EQ(lab_of_most(kernels), lab.id);
    EXPECT_TRUE(kernels.at(0).touched);
  }
  EXPECT_EQ(lab_of_most(labs.kernels_in("__global__ void other() {}")), "");
  EXPECT_EQ(lab_of_most(labs.kernels_in("// matmul\n")), "");
  EXPECT_FALSE(labs.kernels_in("__global__ void matmul() { /* TODO */ }").at(0).touched);
}

}  // namespace
}  // namespace labkit::course
