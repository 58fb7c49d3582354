// Compile errors about what only the host knows: what the source shows was meant. Id::none where it shows nothing.
#pragma once
#include "compile/diagnostics.h"
#include "compile/tokens.h"
#include "words/message.h"

namespace labkit::explain {

/// A function or a variable that a kernel uses, and that is declared for the host alone.
words::Message used_on_the_host_only(const compile::Diagnostic& error,
                                     const compile::Tokens& tokens);

}  // namespace labkit::explain
