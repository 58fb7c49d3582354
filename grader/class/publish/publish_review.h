// review.txt: what wants a teacher's eye, in plain sentences. Private to publish.
#pragma once
#include <string>
#include <vector>

#include "class/policy/tally.h"
#include "class/publish/exports.h"
#include "class/publish/review_cases.h"
#include "class/similar/similar.h"

namespace labkit::course {

/// The report's cases first, counted; then what is good to know beside that: who is missing, who is alike, what
/// `uploads` have to say (a sentence each), what was decided.
std::string review_text(const Report& report, const std::vector<Entry>& entries,
                        const std::vector<Remark>& remarks,
                        const std::vector<SimilarGroup>& similar,
                        const std::vector<std::string>& uploads);

}  // namespace labkit::course
