#include <gtest/gtest.h>

#include <stdexcept>

#include "class/intake/roster.h"

namespace labkit::course {
namespace {

std::vector<Student> students() {
  const auto student = [](const std::string& id, const std::string& name,
                          const std::string& email) {
    Student one;
    one.id = id;
    one.name = name;
    if (!email.empty()) one.keys["email"] = email;
    return one;
  };
  std::vector<Student> all = {
      student("garcia-ana", "García Márquez, Ana", "ana@x.edu"),
      student("li-bo", "Li, Bo", "bo@x.edu"), student("li-bo-2", "Li, Bo", "bo.li@x.edu"),
      student("李-伟", "李, 伟", ""), student("petrov", "Петров, Георгий", "gp@x.edu")};
  all[0].keys["canvas_id"] = "4711";
  all[1].keys["login"] = "petrov";  // another's id
  all[4].name += "\x1b[31m";
  return all;
}

std::string found(const std::string& named) {
  const std::vector<Student> all = students();
  try {
    return find_student(all, named).id;
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(FindStudent, ByIdNameMailAndNumber) {
  EXPECT_EQ(found("garcia-ana"), "garcia-ana");
  EXPECT_EQ(found("ana garcia marquez"), "garcia-ana");
  EXPECT_EQ(found("García Márquez, Ana"), "garcia-ana");
  EXPECT_EQ(found("Marquez"), "garcia-ana");
  EXPECT_EQ(found("Bo.Li@X.edu"), "li-bo-2");
  EXPECT_EQ(found("4711"), "garcia-ana");
  EXPECT_EQ(found("李伟"), "李-伟");
  EXPECT_EQ(found("伟 李"), "李-伟");
  EXPECT_EQ(found("ПЕТРОВ"), "petrov");
  EXPECT_EQ(found("petrov"), "petrov") << "an id before another's login";
  EXPECT_EQ(found("li-bo"), "li-bo");
}

TEST(FindStudent, SeveralAndNobodyListWhoIsNear) {
  EXPECT_EQ(found("Bo Li"),
            "\"Bo Li\" may be any of these; name one by its id: li-bo (Li, Bo); li-bo-2 (Li, Bo)");
  EXPECT_EQ(found("petrow"),
            "there is no student \"petrow\"; did you mean petrov? grades.csv lists all");
  EXPECT_EQ(found("zz"), "there is no student \"zz\"; grades.csv lists all");
  EXPECT_EQ(found(""), "there is no student \"\"; grades.csv lists all");
  EXPECT_EQ(found("\x1b]0;x\x07"), "there is no student \"]0;x\"; grades.csv lists all");
}

TEST(Sheets, AreReadInTheEncodingsThatSpreadsheetsWrite) {
  using Rows = std::vector<CsvRow>;
  EXPECT_EQ(read_sheet("Name\tx\nM\xfcller\t1\n", "t").rows,
            (Rows{{"Name", "x"}, {"Müller", "1"}}));
  const std::string utf16 = std::string("\xff\xfe", 2) + std::string("a\0,\0\xe9\0\n\0", 8);
  EXPECT_EQ(read_sheet(utf16, "t").rows, (Rows{{"a", "é"}}));
}

}  // namespace
}  // namespace labkit::course
