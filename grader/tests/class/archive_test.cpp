// Archives that mean well, and archives that do not.
#include "class/intake/archive.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "class/intake/collect.h"
#include "class_files.h"

namespace labkit::course {
namespace {

using Kind = Packed::Kind;

std::vector<Found> collect_bytes(const std::string& bytes, const std::string& name,
                                 const IntakeLimits& limits = {}) {
  const TemporaryFolder folder;
  return collect(folder.write(name, bytes), limits);
}

/// "path: text" of a source, "path! why" of what was refused.
std::vector<std::string> lines(const std::vector<Found>& found) {
  std::vector<std::string> all;
  for (const Found& one : found) {
    if (one.kind == Found::Kind::source || one.kind == Found::Kind::metadata)
      all.push_back(one.path() + ": " + one.text.substr(0, 20));
    if (one.kind == Found::Kind::refused) all.push_back(one.path() + "! " + one.why);
    if (one.kind == Found::Kind::other) all.push_back(one.path());
  }
  return all;
}
using Lines = std::vector<std::string>;

class EveryArchive : public testing::TestWithParam<const char*> {};

TEST_P(EveryArchive, GivesItsFiles) {
  const std::string bytes = pack({{"alice", "", Kind::folder},
                                  {"alice/lab3.cu", "three"},
                                  {"alice/Ärger 李.cu", "four"},
                                  {"alice/report.pdf", "%PDF"}},
                                 {.ending = GetParam()});
  EXPECT_EQ(lines(collect_bytes(bytes, std::string("class") + GetParam())),
            (Lines{"alice/lab3.cu: three", "alice/Ärger 李.cu: four", "alice/report.pdf"}));
}

TEST_P(EveryArchive, TruncatedKeepsWhatCameBefore) {
  std::string noise;  // that no filter makes small
  for (unsigned i = 0, word = 1; i < 60'000; ++i)
    noise += static_cast<char>((word = word * 1664525 + 1013904223) >> 24);
  const std::string bytes = pack({{"a/lab1.cu", "one"}, {"b/lab2.cu", noise}, {"c/lab3.cu", noise}},
                                 {.ending = GetParam()});
  // Inside of another archive, so that the fault is that archive's alone.
  const std::string cut = bytes.substr(0, bytes.size() * 3 / 4);
  const std::string outer = pack({{"x" + std::string(GetParam()), cut}, {"y/lab1.cu", "after"}});
  const Lines got = lines(collect_bytes(outer, "class.zip"));
  ASSERT_GE(got.size(), 2u);
  EXPECT_EQ(got.back(), "y/lab1.cu: after");
  EXPECT_NE(got[got.size() - 2].find("! it is "), std::string::npos) << got[got.size() - 2];
}

INSTANTIATE_TEST_SUITE_P(Endings, EveryArchive,
                         testing::Values(".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz",
                                         ".tar.zst", ".tar.lz4", ".tar.Z"),
                         [](const auto& info) {
                           std::string name = info.param + 1;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

TEST(Archive, PathsThatLeadOutAreRefused) {
  for (const char* ending : {".zip", ".tar"}) {
    const std::string bytes = pack({{"../bob/lab3.cu", "x"},
                                    {"/etc/lab3.cu", "x"},
                                    {"a/../../lab3.cu", "x"},
                                    {"ok/lab3.cu", "good"}},
                                   {.ending = ending});
    EXPECT_EQ(lines(collect_bytes(bytes, std::string("c") + ending)),
              (Lines{"bob/lab3.cu! its path leads out of the folder (..)",
                     "etc/lab3.cu! its path is absolute",
                     "a/lab3.cu! its path leads out of the folder (..)",
                     "lab3.cu! its path leads out of the folder (..)", "ok/lab3.cu: good"}));
  }
}

TEST(Archive, LinksAndPipesAreRefused) {
  const std::string bytes = pack({{"m/lab1.cu", "", Kind::symlink, "/etc/passwd"},
                                  {"m/lab2.cu", "", Kind::hardlink, "../../etc/shadow"},
                                  {"m/lab3.cu", "", Kind::fifo},
                                  {"m/lab4.cu", "good"}},
                                 {.ending = ".tar"});
  EXPECT_EQ(lines(collect_bytes(bytes, "c.tar")),
            (Lines{"m/lab1.cu! it is a link: links are not followed",
                   "m/lab2.cu! it is a link: links are not followed",
                   "m/lab3.cu! it is neither a file nor a folder", "m/lab4.cu: good"}));
  EXPECT_EQ(lines(collect_bytes(pack({{"m/lab1.cu", "", Kind::symlink, "/etc/passwd"}}), "c.zip")),
            (Lines{"m/lab1.cu! it is a link: links are not followed"}));
}

TEST(Archive, EncryptedMembersAreRefusedAndTheRestGoesOn) {
  const std::string secret = pack({{"lab3.cu", "x"}}, {.password = "p"});
  EXPECT_EQ(lines(collect_bytes(pack({{"a.zip", secret}, {"b/lab3.cu", "good"}}), "c.zip")),
            (Lines{"a.zip/lab3.cu! it is encrypted", "b/lab3.cu: good"}));
}

TEST(Archive, BombsAreCutOff) {
  IntakeLimits limits;
  limits.nested_expanded_bytes = 1 << 20;
  limits.nested_archive_bytes = 1 << 20;
  limits.inner_members = 50;
  const std::string zeros(8 << 20, '\0');
  // A tar must be unpacked to be passed over; of a zip the large member is jumped over.
  const std::string tar = pack({{"lab3.cu", "before"}, {"zeros.bin", zeros}, {"lab4.cu", "after"}},
                               {.ending = ".tar.gz"});
  const std::string zip = pack({{"zeros.bin", zeros}, {"zeros.cu", zeros}, {"lab4.cu", "after"}});
  std::vector<Packed> many;
  many.reserve(60);
  for (int i = 0; i < 60; ++i) many.push_back({"f" + std::to_string(i) + ".cu", "x"});
  std::string matryoshka = pack({{"lab3.cu", "deep"}});
  for (int i = 0; i < 5; ++i) matryoshka = pack({{"in.zip", matryoshka}});
  const std::string outer = pack({{"a.tar.gz", tar},
                                  {"b.zip", zip},
                                  {"c.zip", pack(many)},
                                  {"d.zip", matryoshka},
                                  {"e.zip", std::string(2 << 20, 'x')},
                                  {"good/lab3.cu", "good"}});
  const Lines got = lines(collect_bytes(outer, "class.zip", limits));
  ASSERT_EQ(got.size(), 3 + 3 + 51 + 1 + 1 + 1u);
  EXPECT_EQ(got[0], "a.tar.gz/lab3.cu: before");
  EXPECT_EQ(got[1], "a.tar.gz/zeros.bin");
  EXPECT_EQ(got[2], "a.tar.gz! it unpacks to more than 1 MiB: taken for a bomb");
  EXPECT_EQ(got[3], "b.zip/zeros.bin");
  EXPECT_EQ(got[4], "b.zip/zeros.cu! it is larger than 1 MiB");
  EXPECT_EQ(got[5], "b.zip/lab4.cu: after");
  EXPECT_EQ(got[56], "c.zip! it holds more than 50 files");
  EXPECT_EQ(got[57],
            "d.zip/in.zip/in.zip/in.zip! an archive inside of archives, nested too deep: it is not "
            "opened");
  EXPECT_EQ(got[58], "e.zip! an archive inside of an archive, larger than 1 MiB: it is not opened");
  EXPECT_EQ(got[59], "good/lab3.cu: good");
}

TEST(Archive, SourcesThatTogetherAreTooMuchAreRefused) {
  IntakeLimits limits;
  limits.inner_kept_bytes = 1000;
  const std::string inner =
      pack({{"a.cu", std::string(600, 'x')}, {"b.cu", std::string(600, 'y')}});
  EXPECT_EQ(lines(collect_bytes(pack({{"m.zip", inner}}), "c.zip", limits)),
            (Lines{"m.zip/a.cu: xxxxxxxxxxxxxxxxxxxx",
                   "m.zip/b.cu! the sources submitted together are too large to be held"}));
}

/// What the class's own zip, as a file of these bytes, is refused with; "" if it is read.
std::string refusal(const std::string& bytes) {
  try {
    collect_bytes(bytes, "class.zip");
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.substr(what.find(": ") + 2);
  }
  return {};
}

const std::vector<Packed> kTwo = {{"a/lab3.cu", "first"}, {"b/lab3.cu", "second"}};
const Lines kTwoLines = {"a/lab3.cu: first", "b/lab3.cu: second"};

TEST(Archive, Zip64IsRead) {
  const std::string bytes = pack(kTwo, {.zip64 = true});
  ASSERT_NE(bytes.find("PK\6\6"), std::string::npos);
  EXPECT_EQ(lines(collect_bytes(bytes, "c.zip")), kTwoLines);
  EXPECT_EQ(refusal(bytes.substr(0, bytes.size() - 30)), "it is broken: its end is missing");
}

TEST(Archive, AZipMayHaveAComment) {
  std::string bytes = pack(kTwo);
  const std::string comment = "packed by hand; a decoy: PK\5\6 and no record";
  bytes[bytes.size() - 2] = static_cast<char>(comment.size());
  EXPECT_EQ(lines(collect_bytes(bytes + comment, "c.zip")), kTwoLines);
}

TEST(Archive, ADamagedMemberRefusesItsArchiveAndNoOther) {
  std::string bytes =
      pack({{"a/lab3.cu", "first"}, {"b/lab3.cu", std::string(5000, 'q')}, {"c/lab3.cu", "third"}});
  // The deflated text begins after the name and the extra field of the local header.
  const std::size_t name = bytes.find("b/lab3.cu");
  const auto extra = static_cast<unsigned char>(bytes[name - 2]);
  const std::size_t data = name + std::string("b/lab3.cu").size() + extra;
  for (std::size_t i = data; i < data + 6; ++i) bytes[i] = static_cast<char>(bytes[i] ^ 0x5a);
  EXPECT_EQ(refusal(bytes).find("it is broken: "), 0u) << "download it again";
  const Lines got = lines(collect_bytes(pack({{"x.zip", bytes}, {"y/lab3.cu", "good"}}), "c.zip"));
  ASSERT_EQ(got.size(), 3u);
  EXPECT_EQ(got[1].find("x.zip! it is broken: "), 0u) << got[1];
  EXPECT_EQ(got[2], "y/lab3.cu: good");
}

TEST(Archive, AProgramThatUnpacksItselfIsRefusedByName) {
  for (const std::string& start : {std::string("MZ"), std::string("\x7f") + "ELF"})
    EXPECT_EQ(refusal(start + std::string(5000, '\1') + pack(kTwo)),
              "it is a program, which may unpack itself");
}

/// Also where the record of another archive's directory ends it: nobody must vanish with what was cut off.
TEST(Archive, WhatIsCutOrLiesBehindAnotherIsRefused) {
  const std::string zip = pack(kTwo), other = pack({{"c/lab3.cu", "third"}});
  const std::string cut = zip.substr(0, zip.find("PK\3\4", 4));
  for (const std::string& bytes :
       {other + zip, cut, cut + other, cut + pack(kTwo, {.zip64 = true})}) {
    EXPECT_EQ(refusal(bytes), "it is broken: its end is missing");
    EXPECT_EQ(lines(collect_bytes(pack({{"x.zip", bytes}}), "c.zip")),
              Lines{"x.zip! it is broken: its end is missing"});
  }
}

TEST(Archive, EmptyAndForeignOnesAreNamed) {
  const std::string outer = pack({{"a.zip", pack({})},
                                  {"b.zip", ""},
                                  {"c.zip", "no zip at all"},
                                  {"d.7z", "x"},
                                  {"e.rar", "x"},
                                  {"f.cu.gz", "x"}});
  const Lines got = lines(collect_bytes(outer, "class.zip"));
  ASSERT_EQ(got.size(), 6u);
  EXPECT_EQ(got[0], "a.zip! the archive is empty");
  EXPECT_EQ(got[1], "b.zip! the archive is empty");
  EXPECT_EQ(got[2].find("c.zip! it is no readable zip or tar: "), 0u) << got[2];
  for (std::size_t i = 3; i < 6; ++i)
    EXPECT_NE(got[i].find("! it is no readable zip or tar: "), std::string::npos) << got[i];
}

TEST(Archive, NamesOfAllEncodingsAreRead) {
  // From an old Windows (CP437) and a newer one (Windows-1252), neither saying so.
  const std::string old_name = "J\x81rgen.cu", new_name = "Mu\xf1oz.cu";
  EXPECT_EQ(
      lines(collect_bytes(pack({{old_name, "1"}, {new_name, "2"}}, {.utf8_flag = false}), "c.zip")),
      (Lines{"Jürgen.cu: 1", "Muñoz.cu: 2"}));
  EXPECT_EQ(lines(collect_bytes(pack({{old_name, "1"}}, {.ending = ".tar", .utf8_flag = false}),
                                "c.tar")),
            (Lines{"Jürgen.cu: 1"}));
}

TEST(Archive, LitterIsPassedOver) {
  EXPECT_EQ(lines(collect_bytes(pack({{"__MACOSX/a/._lab3.cu", "x"},
                                      {"a/.DS_Store", "x"},
                                      {"a/.git/config", "x"},
                                      {"a/lab3.cu", "good"}}),
                                "c.zip")),
            (Lines{"a/lab3.cu: good"}));
}

TEST(Folder, LinksPipesAndUnreadableFilesAreRefused) {
  const TemporaryFolder folder;
  folder.write("a/lab1.cu", "good");
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "a/lab2.cu");
  std::filesystem::create_directory_symlink("/etc", folder.path() / "b");
  folder.write("c/lab3.cu", std::string(2 << 20, 'x'));
  std::filesystem::create_directory(folder.path() / "d");
  ASSERT_EQ(::mkfifo((folder.path() / "e.cu").c_str(), 0600), 0);
  EXPECT_EQ(lines(collect(folder.path())),
            (Lines{"a/lab1.cu: good", "a/lab2.cu! it is a link: links are not followed",
                   "b! it is a link: links are not followed", "c/lab3.cu! it is larger than 1 MiB",
                   "e.cu! it is neither a file nor a folder"}));
}

TEST(Folder, WhatIsNotThereIsOurError) {
  EXPECT_THROW(collect("/nowhere/at/all"), Error);
  const TemporaryFolder folder;
  EXPECT_THROW(collect(folder.write("a.rar", "x")), Error);
  EXPECT_THROW(collect(folder.write("a.zip", "no zip")), Error);
}

TEST(Archive, KnowsEndings) {
  EXPECT_EQ(without_archive_ending("alice.TAR.GZ"), "alice");
  EXPECT_EQ(without_archive_ending("alice"), "alice");
  EXPECT_TRUE(names_archive("a.tgz"));
  EXPECT_FALSE(names_archive(".zip"));
  EXPECT_EQ(source_likeness("lab3.CU"), 2);
  EXPECT_EQ(source_likeness("lab3.cu.txt"), 1);
  EXPECT_EQ(source_likeness("lab3"), 1);
  EXPECT_EQ(source_likeness("report.pdf"), 0);
}

}  // namespace
}  // namespace labkit::course
