list(APPEND CMAKE_MODULE_PATH ${dir})
labkit_find_package(nettle)
labkit_find_package(nlohmann_json)
labkit_find_package(utf8proc)
target_link_libraries(labkit_base PRIVATE nettle::nettle utf8proc::utf8proc nlohmann_json::nlohmann_json)
# Each alone, so that the students' program, which calls none of it, is linked without it (0.1 MB).
set_source_files_properties(${dir}/unicode.cpp ${dir}/safe_path.cpp ${dir}/path_names.cpp ${dir}/worded_time.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
