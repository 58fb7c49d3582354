// A class of three files on disk (Alice's, a secret, and the attacker's), and lab 1's check program
// on the attacker's.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "process/process.h"

namespace labkit::attacks {

struct Graded {
  process::Result run;
  nlohmann::json json;  ///< null if it wrote none
  std::string all;      ///< all that it said, anywhere
  std::string verdict() const { return json.is_null() ? "none" : json["verdict"]; }
  double points() const { return json.is_null() ? -1 : json["points"].get<double>(); }
  /// What the lab's result says before any test.
  std::string message() const;
  /// Of one test of the lab, without the name of its suite: its verdict.
  std::string test(const std::string& name) const;
};

struct How {
  std::uint64_t seed = 1;
  std::string device = "sim";
  std::string lab = "lab1";
  std::string tests = {};  ///< GoogleTest filter; empty: all
  std::vector<std::string> environment = {};
};

class Attack : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  /// Grades data/<name>.cu as the attacker's lab1.cu. In it @FOLDER@ stands for the folder in which
  /// alice/lab1.cu lies, @ROOT@ for that of the kit; `with` gives more of the kind.
  Graded grade(const std::string& name, const How& how = {},
               const std::vector<std::pair<std::string, std::string>>& with = {});
  /// The same, and that it gives `verdict` with `points`, and tells nothing of the files around it.
  Graded expect(const std::string& name, const std::string& verdict, double points,
                const How& how = {});

  std::filesystem::path folder_;
};

/// What only the files hold that must not be seen. A failure names it.
void expect_nothing_leaked(const Graded& graded, const std::filesystem::path& folder);

}  // namespace labkit::attacks
