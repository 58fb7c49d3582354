// The same, through a link in the own folder.
#include "link.h"
