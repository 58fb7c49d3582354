// For editors: what this declares stands in cuda.h of this folder.
#include "cuda.h"
