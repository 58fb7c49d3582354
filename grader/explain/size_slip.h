// Compile errors about the sizes of an array: what the source shows was meant. Id::none where it shows nothing.
#pragma once
#include "compile/diagnostics.h"
#include "compile/tokens.h"
#include "words/message.h"

namespace labkit::explain {

/// Where an error is, as a parameter.
inline words::Parameter at(const compile::Diagnostic& error) {
  return {"at", words::SourceLine{error.file, error.line}};
}

/// A size that is no constant: with the constant that the file declares for sizes, if it declares one alone that is not on
/// the line already.
words::Message size_that_varies(const compile::Diagnostic& error, const compile::Tokens& tokens);

/// `__shared__ int bins[256] = {0};`: the loop that clears it.
words::Message values_of_shared(const compile::Diagnostic& error, const compile::Tokens& tokens);

/// `tile[row * pitch + column] = ...`, where the tile is declared with two extents.
words::Message one_index_of_two(const compile::Diagnostic& error, const compile::Tokens& tokens);

}  // namespace labkit::explain
