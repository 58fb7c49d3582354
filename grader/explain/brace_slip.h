// A brace that is never closed: the compiler notices it at the next function, or at the end of the file.
#pragma once
#include <string>

#include "compile/tokens.h"
#include "words/message.h"

namespace labkit::explain {

/// Which one it is, by the indentation; none where as many close as open, where the indentation does not tell, or where lines
/// are compiled under a condition (#if).
words::Message open_brace(const std::string& file, const compile::Tokens& tokens);

}  // namespace labkit::explain
