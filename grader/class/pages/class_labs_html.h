// The labs' part of the class page: for each lab how points and bandwidth are spread, and who failed
// what and why. Private to report/.
#pragma once
#include "class/pages/class_html.h"

namespace labkit::course {

html::Markup class_labs(const ClassPage& page);

}  // namespace labkit::course
