// The tests of one lab on a student's page. Private to report/.
#pragma once
#include "class/pages/student_html.h"

namespace labkit::course {

html::Markup student_tests(const StudentLab& lab, const html::Places& places, int decimals);

}  // namespace labkit::course
