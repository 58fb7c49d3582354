// The same, with directives that search elsewhere, and with the name hidden in macros.
#define JOIN(a) <@FOLDER@/alice/a>
#ifdef NEXT
#include_next <@FOLDER@/alice/lab1.cu>
#else
#include JOIN(lab1.cu)
#endif
