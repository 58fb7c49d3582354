add_executable(registers_table ${CMAKE_CURRENT_LIST_DIR}/registers_table.cpp)
target_link_libraries(registers_table PRIVATE labkit_lab)
target_compile_definitions(registers_table PRIVATE LABKIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
