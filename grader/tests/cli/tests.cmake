labkit_find_package(nlohmann_json)
labkit_find_package(SQLiteCpp)
target_link_libraries(cli_tests PRIVATE nlohmann_json::nlohmann_json SQLiteCpp)
add_dependencies(cli_tests labkit lab1_check lab3_check)  # the tests run them

# The sample class of docker/ in each format, packed by what the tests of course pack it with.
target_link_libraries(cli_tests PRIVATE labkit_sample_class)
target_include_directories(cli_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../course)
target_sources(cli_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../course/browser.cpp)

labkit_find_package(yaml-cpp)  # the workflow for GitHub Classroom
target_link_libraries(cli_tests PRIVATE yaml-cpp)
target_compile_definitions(cli_tests PRIVATE LABKIT_CTEST="${CMAKE_CTEST_COMMAND}")
