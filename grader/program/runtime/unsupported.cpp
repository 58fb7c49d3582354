// Functions of the runtime that are refused by name. A program that calls one hears cudaErrorNotSupported.
#include "program/runtime/state.h"

#define UNSUPPORTED(name) \
  extern "C" cudaError_t name() { return labkit::program::State::get().unsupported(#name); }
#include "program/runtime/unsupported.def"
