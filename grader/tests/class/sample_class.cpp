#include "sample_class.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "base/csv.h"
#include "base/files.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class_files.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDue = 1790000000;  // 2026-09-21 14:13:20 UTC

struct Handed {
  std::string lab, name, bytes;
};
struct Made {
  std::string login, name;
  std::size_t number = 0;
  std::map<std::string, std::int64_t> late_minutes;
  std::vector<Handed> files;

  std::string canvas_id() const { return std::to_string(101 + number); }
  std::string sid() const { return fmt::format("S{:04}", 17 * (number + 1)); }
  std::string email() const { return login + "@example.edu"; }
  /// "García Márquez, Ana" as Moodle shows it.
  std::string full_name() const {
    const std::size_t comma = name.find(", ");
    return comma == std::string::npos ? name : name.substr(comma + 2) + " " + name.substr(0, comma);
  }
};

std::string bytes_of(const std::string& what, const fs::path& root) {
  const auto source = [&](std::size_t from) { return read_file(root / what.substr(from)); };
  if (what == "empty") return {};
  if (what == "huge") return std::string(2 << 20, ' ');
  if (what == "no_zip") return "This is not a zip.\n";
  if (what.starts_with("zip:")) return pack({{"work/kernel.cu", source(4)}});
  if (what.starts_with("up:"))
    return pack({{"lab1.cu", source(3)}, {"../agarcia/lab1.cu", "// not hers\n"}});
  if (what == "link") {
    PackOptions tar;
    tar.ending = ".tar.gz";
    return pack({{"lab1.cu", "", Packed::Kind::symlink, "/etc/passwd"}}, tar);
  }
  if (what == "bomb") return pack({{"lab3.cu", std::string(64 << 20, '\0')}});
  if (what == "deep") {
    std::string inner = pack({{"lab3.cu", "// deep\n"}});
    for (int i = 0; i < 6; ++i) inner = pack({{"again.zip", inner}});
    return inner;
  }
  return source(0);
}

std::vector<Made> read_class(const fs::path& root) {
  const toml::table table = toml::parse(read_file(root / "docker/sample_class/class.toml"));
  std::vector<Made> students;
  for (const toml::node& node : *table["student"].as_array()) {
    const toml::table& entry = *node.as_table();
    Made student;
    student.number = students.size();
    student.login = entry["login"].value<std::string>().value();
    student.name = entry["name"].value<std::string>().value();
    if (const toml::table* late = entry["late"].as_table())
      for (const auto& [lab, minutes] : *late)
        student.late_minutes[std::string(lab.str())] = minutes.value<std::int64_t>().value();
    for (const toml::node& file : *entry["files"].as_array()) {
      const toml::array& row = *file.as_array();
      student.files.push_back({row[0].value<std::string>().value(),
                               row[2].value<std::string>().value(),
                               bytes_of(row[1].value<std::string>().value(), root)});
    }
    students.push_back(std::move(student));
  }
  return students;
}

/// What file names of the LMSs leave out of a name.
std::string squashed(const std::string& name) { return replace_all(slug(name), "-", ""); }
std::string without_quotes(std::string name) { return replace_all(std::move(name), "\"", ""); }

std::vector<Packed> canvas(const std::vector<Made>& students, const std::string& lab) {
  std::vector<Packed> files;
  std::size_t attachment = 9000;
  for (const Made& student : students)
    for (const Handed& file : student.files)
      if (++attachment; file.lab == lab)
        files.push_back(
            {fmt::format("{}{}_{}_{}_{}", squashed(student.name),
                         student.late_minutes.contains(lab) ? "_LATE" : "", student.canvas_id(),
                         attachment, fs::path(file.name).filename().string()),
             file.bytes});
  return files;
}

std::vector<Packed> moodle(const std::vector<Made>& students, const std::string& lab) {
  std::vector<Packed> files;
  for (const Made& student : students)
    for (const Handed& file : student.files)
      if (file.lab == lab)
        files.push_back(
            {fmt::format("{}_{}_assignsubmission_file/{}", without_quotes(student.full_name()),
                         (lab == "lab1" ? 4700 : 5700) + student.number, file.name),
             file.bytes});
  return files;
}

std::vector<Packed> gradescope(const std::vector<Made>& students, const std::string& lab) {
  const std::string top = fmt::format("assignment_{}_export/", lab == "lab1" ? 11 : 13);
  std::string metadata = "---\n";
  std::vector<Packed> files;
  for (const Made& student : students) {
    const std::string submission =
        fmt::format("submission_{}", (lab == "lab1" ? 1000 : 3000) + student.number);
    bool any = false;
    for (const Handed& file : student.files) {
      if (file.lab != lab) continue;
      files.push_back({top + submission + "/" + file.name, file.bytes});
      any = true;
    }
    if (!any) continue;
    const auto late = student.late_minutes.find(lab);
    const std::int64_t minutes = late == student.late_minutes.end() ? -90 : late->second;
    const std::int64_t day = kDue / 86400 * 86400, at = kDue + minutes * 60;
    metadata += fmt::format(
        "{}:\n  :submitters:\n  - :name: '{}'\n    :sid: {}\n    :email: {}\n"
        "  :created_at: 2026-09-{:02} {:02}:{:02}:{:02}.000000000 Z\n",
        submission, replace_all(student.full_name(), "'", "''"), student.sid(), student.email(),
        21 + (at - day) / 86400, (at - day) % 86400 / 3600, at % 3600 / 60, at % 60);
  }
  files.insert(files.begin(), {top + "submission_metadata.yml", metadata});
  return files;
}

}  // namespace

std::vector<PackedClass> pack_sample_class(const fs::path& root, const fs::path& out) {
  const std::vector<Made> students = read_class(root);
  std::vector<Packed> plain;
  for (const Made& student : students)
    for (const Handed& file : student.files)
      plain.push_back({"submissions/" + student.login + "/" + file.name, file.bytes});
  for (const Packed& file : plain) write_file_atomically(out / "plain" / file.name, file.contents);
  write_file_atomically(out / "zip" / "submissions.zip", pack(plain));
  PackOptions tar;
  tar.ending = ".tar.gz";
  write_file_atomically(out / "tar" / "submissions.tar.gz", pack(plain, tar));
  for (const std::string lab : {"lab1", "lab3"}) {
    const std::string number = lab.substr(3);
    write_file_atomically(out / "canvas" / fmt::format("Lab {} submissions.zip", number),
                          pack(canvas(students, lab)));
    write_file_atomically(out / "moodle" / fmt::format("GPU-Lab {}-{}77.zip", number, number),
                          pack(moodle(students, lab)));
    write_file_atomically(out / "gradescope" / fmt::format("Lab_{}.zip", number),
                          pack(gradescope(students, lab)));
  }
  std::vector<CsvRow> roster = {{"Name", "Login", "SID", "Email", "Canvas ID"}};
  for (const Made& student : students)
    roster.push_back(
        {student.name, student.login, student.sid(), student.email(), student.canvas_id()});
  write_file_atomically(out / "roster.csv", write_csv(roster));
  return {{"plain", out / "plain" / "submissions"},
          {"zip", out / "zip" / "submissions.zip"},
          {"tar", out / "tar" / "submissions.tar.gz"},
          {"canvas", out / "canvas"},
          {"moodle", out / "moodle"},
          {"gradescope", out / "gradescope"}};
}

}  // namespace labkit::course
