labkit_find_package(nlohmann_json)
target_link_libraries(report_tests PRIVATE nlohmann_json::nlohmann_json)
target_sources(report_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/html_check.cpp)
