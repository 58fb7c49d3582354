// The same, with a directive of compilers.
#include_next "@FOLDER@/alice/lab1.cu"
