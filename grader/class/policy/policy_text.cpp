#include "class/policy/policy_text.h"

#include "class/publish/publish_kept.h"

namespace labkit::course {

const char* sample_policy() {
  return R"toml(# A policy for `class grade ... --policy policy.toml` (or `class report DIR --policy ...`, which
# grades nothing again). It is kept with the class until another is given. As it stands here it changes
# nothing: late work costs nothing, and what was not handed in is blank.

missing = "blank"         # a lab that a student did not hand in: "blank", or "zero"
decimals = 2              # of points in the sheets and on the pages, 0 to 6
jail = "lenient"          # "strict": grade nothing where the compiler's jail is not whole (see `doctor`)

[late]
percent_per_day = 0       # taken off for each day begun, 0 to 100
of = "earned"             # percent of the points earned, or of those "possible"
max_percent = 100         # never more than this is taken off, 0 to 100
grace_minutes = 0         # up to so late nothing is taken off; beyond it, days count from the due time
unknown_days = 1          # how many days late is what the LMS calls late without saying when, 0 to 1000
# close_after_days = 7    # what is later than that gives 0; without this line nothing is ever too late

# When each lab was due, with the zone. Needed only where the LMS tells when something was handed in
# (Gradescope does; of Canvas only that it was late is known).
[due]
# lab1 = 2026-10-01T23:59:00-07:00
# lab2 = 2026-10-08T23:59:00-07:00
)toml";
}

std::string kept_policy_text(const Gradebook& book) { return kept_file(book, kPolicySetting).text; }

}  // namespace labkit::course
