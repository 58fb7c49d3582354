// Stored results for the pages: whatever version of the kit wrote them. Private to course/.
#pragma once
#include <string>

#include "grade/result.h"

namespace labkit::course {

/// A result as a gradebook keeps it, but for the path of the file, of which the name alone stays. Keys that an older kit did not write get their defaults. Throws
/// labkit::Error if the text is no result, or one that today's kit cannot understand.
lab::LabResult read_stored_result(const std::string& json, const std::string& name);

/// The test that gave the lab its verdict; null if none did.
const lab::TestResult* deciding_test(const lab::LabResult& result);

/// Why it is no pass, in one line; "" for a pass.
std::string why_in_a_line(const lab::LabResult& result);

}  // namespace labkit::course
