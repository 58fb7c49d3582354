// handouts/teaching_assistant.md and the other pages for teaching assistants say nothing that does not
// work: its commands are run as they stand, on docker/sample_class, and nothing that there is goes untold.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "base/csv.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/intake/roster.h"
#include "class_files.h"
#include "compile/compile.h"
#include "process/process.h"
#include "sample_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LABKIT_SOURCE_DIR;

std::string labkit() {
  return (fs::path(process::own_executable()).parent_path() / "labkit").string();
}

process::Result run(std::vector<std::string> argv, const fs::path& folder, double seconds = 60) {
  process::Command command;
  command.argv = std::move(argv);
  command.directory = folder.string();
  command.environment = process::inherited(
      {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
  command.environment.push_back("LABKIT_DEVICE=sim");
  command.limits = {.wall_seconds = seconds};
  return process::run(command);
}

std::string page(const std::string& name) { return read_file(kRoot / name); }

/// The indented lines of a page that call the kit's class commands.
std::vector<std::string> commands_of(const std::string& name) {
  const std::string text = page(name);
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text))
    if (line.starts_with("    ./kit class ")) lines.emplace_back(trim(line));
  return lines;
}

std::string help_of(const std::string& command) {
  std::vector<std::string> argv = {labkit(), "class"};
  if (!command.empty()) argv.push_back(command);
  argv.emplace_back("--help");
  const process::Result result = run(argv, kRoot);
  EXPECT_EQ(result.exit_code, kExitOk) << command;
  return result.out;
}

std::set<std::string> all_of(const std::string& text, const char* pattern) {
  const std::regex wanted(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at)
    found.insert((*at)[1]);
  return found;
}

/// What `labkit class --help` lists.
std::set<std::string> subcommands() {
  const std::string help = help_of("");
  return all_of(help.substr(help.rfind("ubcommands:")), "\n  ([a-z]+) ");
}

TEST(TeachingAssistantsPages, TellEveryCommandAndEveryWayToDecideAndToUpload) {
  const std::string text = page("handouts/teaching_assistant.md");
  const std::set<std::string> commands = subcommands();
  EXPECT_GE(commands.size(), 9u);
  for (const std::string& command : commands)
    EXPECT_NE(text.find("./kit class " + command), std::string::npos) << command;
  for (const char* command : {"set", "report"})
    for (const std::string& option : all_of(help_of(command), "(--[a-z-]+)"))
      if (option != "--help" && option != "--help-all") {
        EXPECT_NE(text.find(option), std::string::npos) << command << " " << option;
      }
}

TEST(TeachingAssistantsPages, NameNoCommandOrOptionThatIsNotThere) {
  const std::set<std::string> commands = subcommands();
  std::map<std::string, std::string> help;
  for (const std::string& command : commands) help[command] = help_of(command);
  std::size_t seen = 0;
  for (const char* name : {"README.md", "docker/README.md", "handouts/teaching_assistant.md"}) {
    const std::string text = page(name);
    for (const std::string_view line : split_lines(text)) {
      const std::string one(line);
      for (const std::string& command : all_of(one, "(?:kit|memory-labs|`) ?class ([a-z]+)\\b")) {
        EXPECT_TRUE(commands.contains(command)) << name << ": " << one;
        ++seen;
        // Of a command line that stands alone, the options too.
        if (!one.starts_with("    ./kit class ")) continue;
        for (const std::string& option : all_of(one, " (--[a-z-]+)"))
          EXPECT_NE(help[command].find(option), std::string::npos) << name << ": " << one;
      }
    }
  }
  EXPECT_GT(seen, 15u);
}

/// Each header that the page says a roster may have lands where it says.
TEST(TeachingAssistantsPages, SayWhichColumnsARosterMayHave) {
  const std::map<std::string, std::string> field_of = {{"Name", ""},
                                                       {"SID", "sid"},
                                                       {"Login", "login"},
                                                       {"Email", "email"},
                                                       {"Canvas ID", "canvas_id"},
                                                       {"Identifier", "moodle_id"},
                                                       {"Group", "group"}};
  std::size_t columns = 0, headers = 0;
  const std::string text = page("handouts/teaching_assistant.md");
  for (const std::string_view line : split_lines(text)) {
    const std::string row(line);
    if (!row.starts_with("| `")) continue;
    const std::size_t end = row.find('|', 1), also = row.find('|', end + 1);
    const std::set<std::string> first = all_of(row.substr(0, end), "`([^`]+)`");
    const auto field = field_of.find(*first.begin());
    if (field == field_of.end()) continue;  // of another table
    ++columns;
    for (const std::string& header : all_of(row.substr(0, also), "`([^`]+)`")) {
      if (header == "First name" || header == "Last name") continue;
      if (header == "ID" && field->first == "Canvas ID") continue;
      ++headers;
      const std::string other = field->first == "Login" ? "Email" : "Login";
      const auto entries = parse_roster(other + "," + header + "\nwho,x 77\n", "roster.csv");
      ASSERT_EQ(entries.size(), 1u) << header;
      const std::string value =
          field->second.empty() ? entries[0].name : entries[0].key(field->second);
      EXPECT_EQ(value, field->first == "Identifier" ? "77" : "x 77") << header;
    }
  }
  EXPECT_EQ(columns, field_of.size());
  EXPECT_GT(headers, 15u);
}

TEST(TeachingAssistantsPages, EveryCommandWorksInItsOrderOnTheSampleClass) {
  try {
    compile::find_nvrtc();
  } catch (const compile::NoNvrtc&) {
    GTEST_SKIP() << "skipped: there is no NVRTC";
  }
  const TemporaryFolder folder;
  const fs::path here = folder.path();
  pack_sample_class(kRoot, here / "class");
  fs::rename(here / "class/canvas", here / "downloads");
  fs::rename(here / "class/roster.csv", here / "roster.csv");
  std::string canvas =
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (11),Lab 3 (13)\n"
      "    Points Possible,,,,,100,100\n";
  for (int i = 0; i < 12; ++i) canvas += "X," + std::to_string(101 + i) + ",,,,,\n";
  write_file_atomically(here / "gradebook.csv", canvas);
  for (const char* lab : {"lab1.csv", "lab3.csv"})
    write_file_atomically(here / lab, "Identifier,Full name,Grade\nParticipant 4700,Ana,\n");
  write_file_atomically(here / "kit", "#!/bin/sh\nexec '" + labkit() + "' \"$@\"\n");
  fs::permissions(here / "kit", fs::perms::owner_all);

  const std::vector<std::string> commands = commands_of("handouts/teaching_assistant.md");
  ASSERT_GT(commands.size(), 12u);
  std::map<std::string, std::string> said;
  for (const std::string& command : commands) {
    const process::Result result = run({"/bin/sh", "-c", command}, here, 280);
    ASSERT_EQ(result.exit_code, kExitOk) << command << "\n" << result.out << result.err;
    said[command] = result.out;
  }
  for (const auto& [command, out] : said) {
    if (command.find("replay") != std::string::npos) {
      EXPECT_NE(out.find("the same result, bit for bit"), std::string::npos) << out;
    }
    if (command.find("class grade ") != std::string::npos) {
      EXPECT_NE(out.find("For Canvas:"), std::string::npos) << out;
    }
  }
  const Csv grades = read_csv(read_file(here / "grades/grades.csv"), "grades.csv");
  std::map<std::string, std::string> names, lab1, lab3;
  for (std::size_t row = 1; row < grades.rows.size(); ++row) {
    names[grades.cell(row, 0)] = grades.cell(row, 1);
    lab1[grades.cell(row, 0)] = grades.cell(row, grades.column({"lab1"}));
    lab3[grades.cell(row, 0)] = grades.cell(row, grades.column({"lab3"}));
  }
  EXPECT_EQ(lab3["agarcia"], "97");
  EXPECT_EQ(lab3["bli"], "100");
  EXPECT_EQ(lab1["jdoe"], "") << "taken back, and blank again";
  EXPECT_NE(read_file(here / "grades/canvas.csv").find("X,101,,,,100,97"), std::string::npos);

  // What is given to students: nothing of the teacher's, of others, or of the disk.
  std::vector<std::string> secrets = {"second time", "Prof. Ode",       here.string(),
                                      "downloads/",  "submissions.zip", "index.html"};
  const std::string index = read_file(here / "grades/index.html");
  const std::size_t seed = index.find("; seed ");
  ASSERT_NE(seed, std::string::npos);
  secrets.push_back(
      index.substr(seed + 7, index.find_first_not_of("0123456789", seed + 7) - seed - 7));
  ASSERT_GT(secrets.back().size(), 8u);
  std::size_t pages = 0;
  for (const auto& at : fs::directory_iterator(here / "grades/students")) {
    ++pages;
    const std::string html = read_file(at.path());
    for (const std::string& secret : secrets)
      EXPECT_EQ(html.find(secret), std::string::npos) << at.path() << " holds " << secret;
    for (const auto& [student, name] : names)
      if (at.path().stem() != student) {
        EXPECT_EQ(html.find(name), std::string::npos) << at.path() << " names " << name;
      }
  }
  EXPECT_EQ(pages, 12u);
}

}  // namespace
}  // namespace labkit::course
