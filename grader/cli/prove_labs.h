// `labkit lab check [LAB...]`: lints the labs' content like code. Every stub is untouched,
// compiles and has its TODOs; every correct solution passes every gate by kMargin at least; every
// wrong one gets exactly the verdict and the defect its first comment declares, at the lines it marks, and
// misses a declared gate by kMargin at least; every gate is missed by somebody; every class of
// defects of solutions/classes.toml that fits has a wrong solution.
#pragma once
#include <string>
#include <vector>

#include "cli/check_process.h"
#include "explain/hints.h"
#include "grade/calibration.h"
#include "grade/known_figures.h"

namespace labkit::cli {

inline constexpr double kMargin = grade::kGateMargin;
inline constexpr std::size_t kMinWrong = 5;
/// Of a budget, by a correct solution: who answers in a way of his own may take twice as long.
inline constexpr double kMostBudgetShare = 0.5;

/// A solution's bonus tests count here: the lab's verdict, or where that is a pass, of the bonus test that did not pass.
grade::Verdict verdict_with_bonus(const grade::LabResult& result);

/// Complaints about one graded solution; empty if it is as it must be.
std::vector<std::string> judge_correct(const grade::LabResult& result);
std::vector<std::string> judge_wrong(const grade::LabResult& result, const std::string& source);
/// A wrong solution fails for its own reason: there is a hint for its defect, and if its first comment declares one
/// (`// defect: ...`, explain/defect.h), it is that one, and the lines that the report names are those marked with `// <--`
/// (with clang, those of `// clang lines: 8 32`, if there are any).
std::vector<std::string> judge_reason(const grade::LabResult& result, const std::string& source,
                                      const explain::Hints& hints);
/// A limit for a ratio must stand as low as grade/calibration.h says: a right answer in a style that nobody thought of may be
/// slower than all that are here. `right`: the ratios of the right answers, `stopped`: of those that only this gate stops.
/// The complaint, or "".
std::string judge_limit(const grade::Gate& gate, const std::vector<double>& right,
                        const std::vector<double>& stopped);
/// Every class of defects has a wrong solution, or a reason why it does not fit the lab, and not both. A lab that says
/// nothing of classes is left out.
std::vector<std::string> judge_classes(const grade::Manifest& lab);
/// Complaints about a lab's files, but for what grading finds; without those about the stub if
/// `with_stub` is false.
std::vector<std::string> judge_files(const grade::Manifest& lab, bool with_stub = true);
/// All kernels of the lab's kernel.cu are still empty.
bool is_stub(const grade::Manifest& lab);

/// What of figures.toml a result of the answer in `file` ("correct/tile.cu") does not bear out. Predicted figures may
/// differ by kPredictedTolerance, and are compared for the same GPU only.
inline constexpr double kPredictedTolerance = 0.01;
std::vector<std::string> judge_known(const grade::Manifest& lab, const grade::KnownFigures& known,
                                     const std::string& file, const grade::LabResult& result);

}  // namespace labkit::cli
