#include <gtest/gtest.h>

#include "base/safe_path.h"
#include "base/text.h"
#include "base/unicode.h"

namespace labkit::course {
namespace {

TEST(Names, DecodesWhatZipFilesHold) {
  EXPECT_EQ(decode_name("J\xc3\xbcrgen"), "Jürgen");             // UTF-8
  EXPECT_EQ(decode_name("J\x81rgen Mu\xa4oz"), "Jürgen Muñoz");  // CP437
  EXPECT_EQ(decode_name("J\xfcrgen Mu\xf1oz"), "Jürgen Muñoz");  // Windows-1252
}

TEST(Names, ComparesPeople) {
  EXPECT_EQ(fold_name("Müller, Ana-Sofía"), fold_name("MULLER ana sofia"));
  EXPECT_EQ(fold_words("Ana Müller"), fold_words("Müller, Ana"));
  EXPECT_NE(fold_name("Ana"), fold_name("Anna"));
  EXPECT_EQ(fold_name("Ame\xcc\x81lie"), fold_name("Amélie"));  // as macOS writes it
  EXPECT_NE(fold_name("李伟"), fold_name("李薇"));
  // Vowel signs of other scripts are no accents.
  EXPECT_NE(fold_name("कि"), fold_name("की"));
}

TEST(Names, ReadsEncodedText) {
  using namespace std::literals;
  EXPECT_EQ(decode_text("\xef\xbb\xbfMüller"), "Müller");
  EXPECT_EQ(decode_text("\xff\xfeM\0\xfc\0"sv), "Mü");
  EXPECT_EQ(decode_text("\xfe\xff\0M\0\xfc"sv), "Mü");
  EXPECT_EQ(decode_text("\xff\xfe\x40\xd8\x0b\xdc"sv), "𠀋");                     // a pair
  EXPECT_EQ(decode_text("\xff\xfe\x40\xd8M\0x"sv), "\xef\xbf\xbdM\xef\xbf\xbd");  // halves
  EXPECT_EQ(decode_text("caf\xe9 \x96 5 \x80"), "café – 5 €");                    // Windows-1252
}

TEST(Names, FoldsAsUnicodeHasIt) {
  EXPECT_EQ(fold_case("STRASSE"), fold_case("straße"));
  EXPECT_EQ(fold_case("ﬁle"), "file");  // a ligature
  EXPECT_EQ(fold_case("a\xc2\xad"
                      "b"),
            "ab");  // a soft hyphen
  EXPECT_EQ(fold_case("ΟΔΟΣ"), fold_case("οδος"));
  EXPECT_EQ(fold_case("bad\xff"), "bad\xef\xbf\xbd");
  EXPECT_EQ(fold_name("Nguyễn"), "nguyen");
  EXPECT_EQ(fold_name("ﾀﾅｶ"), fold_name("タナカ"));  // half-width
  EXPECT_EQ(fold_name("각"), fold_name("각"));       // composed and not
}

TEST(Names, CleansWhatIsShown) {
  EXPECT_EQ(clean_name("a\x1b[31mb\nc"), "a [31mb c");
  EXPECT_EQ(clean_name("lab3\xe2\x80\xaeuc.exe"), "lab3 uc.exe");  // right-to-left override
  EXPECT_EQ(clean_name("  Ame\xcc\x81lie "), "Amélie");
  EXPECT_EQ(clean_name("bad\xff"), "bad\xef\xbf\xbd");
}

TEST(Names, MakesSlugs) {
  EXPECT_EQ(slug("Müller, Ana"), "müller-ana");
  EXPECT_EQ(slug("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(slug("李 伟"), "李-伟");
  EXPECT_EQ(slug("!!"), "x");
  EXPECT_EQ(slug("İpek"), "ipek");
  for (const auto& [one, other] : {std::pair("Straße", "STRASSE"),
                                   {"jos\xc3\xa9", "JOSE\xcc\x81"},
                                   {"ΟΔΟΣ", "οδος"},
                                   {"ﬁle", "file"},
                                   {"a\nb", "a:b"}})
    EXPECT_EQ(slug(one), slug(other)) << "a disk may take them for one";
  for (const char* device : {"con", "NUL", "com1", "Lpt9"})
    EXPECT_EQ(slug(device).back(), 'x') << device;
  EXPECT_EQ(slug("com10"), "com10");
  EXPECT_LE(slug(std::string(5000, 'a')).size(), 80u);
}

TEST(Names, TakesPathsApart) {
  EXPECT_EQ(take_apart("./alice//lab3.cu", false).parts,
            (std::vector<std::string>{"alice", "lab3.cu"}));
  EXPECT_EQ(take_apart("alice\\lab3.cu", true).parts,
            (std::vector<std::string>{"alice", "lab3.cu"}));
  EXPECT_EQ(take_apart("alice\\lab3.cu", false).parts,
            (std::vector<std::string>{"alice\\lab3.cu"}));
  const auto refusal = [](std::string_view path) { return take_apart(path, true).refusal; };
  EXPECT_EQ(refusal("../x"), "its path leads out of the folder (..)");
  EXPECT_EQ(refusal("a/../../x"), "its path leads out of the folder (..)");
  EXPECT_EQ(refusal("a\\..\\..\\x"), "its path leads out of the folder (..)");
  EXPECT_EQ(refusal("/etc/passwd"), "its path is absolute");
  EXPECT_EQ(refusal("\\\\server\\share"), "its path is absolute");
  EXPECT_EQ(refusal("C:\\x"), "its path names a drive");
  EXPECT_EQ(refusal(""), "its path is empty");
  EXPECT_EQ(refusal(std::string(300, 'a')), "a part of its path is longer than 255 bytes");
  EXPECT_EQ(refusal(std::string(2000, '/') + "a"), "its path is longer than 1024 bytes");
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "a/";
  EXPECT_EQ(refusal(deep), "it lies too many folders deep");
}

TEST(Names, CutsBetweenCharacters) {
  EXPECT_EQ(cut_utf8("aé", 2), "a");
  EXPECT_EQ(cut_utf8("aé", 3), "aé");
}

}  // namespace
}  // namespace labkit::course
