# Loops over owners of memory cells, 32 at a time.
set_source_files_properties(${dir}/suspicion.cpp PROPERTIES COMPILE_OPTIONS -O3)
