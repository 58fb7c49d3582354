labkit_find_package(fmt)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_report PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
