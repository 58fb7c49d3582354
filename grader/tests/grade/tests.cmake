add_executable(registers_table ${CMAKE_CURRENT_LIST_DIR}/registers_table.cpp)
target_link_libraries(registers_table PRIVATE labkit_grade)
labkit_compile_as_tests(registers_table)
target_compile_definitions(registers_table PRIVATE LABKIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# The fake driver of the device's tests, which come first.
add_dependencies(grade_tests fake_cuda)
target_compile_definitions(grade_tests PRIVATE LABKIT_FAKE_CUDA="$<TARGET_FILE:fake_cuda>")
