list(APPEND CMAKE_MODULE_PATH ${dir})
labkit_find_package(nettle)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_base PRIVATE nettle::nettle nlohmann_json::nlohmann_json)
