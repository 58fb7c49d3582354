// Halves as the lanes read them, for code that works on one number at a time.
#pragma once
#define LABKIT_SIMD on_host
#include "simt/lanes/half.h"
