labkit_find_package(GTest) labkit_find_package(fmt) labkit_find_package(tomlplusplus)
    labkit_find_package(nlohmann_json)
        target_link_libraries(labkit_lab PUBLIC GTest::gtest fmt::fmt PRIVATE
                                  tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json)
