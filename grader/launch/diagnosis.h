// Why something is wrong or slow, as data: the cause, the line, what was seen, one fix. The words are in words/english.
#pragma once
#include <vector>

#include "launch/cause.h"
#include "words/message.h"

namespace labkit::launch {

struct Diagnosis {
  Cause cause = Cause::none;
  words::SourceLine where;               ///< line 0: no single line
  std::vector<words::Message> evidence;  ///< in the order in which it is read
  words::Message fix;
};

}  // namespace labkit::launch
