labkit_find_package(GTest)
labkit_find_package(fmt)
labkit_find_package(tomlplusplus)
target_link_libraries(labkit_lab PUBLIC GTest::gtest fmt::fmt PRIVATE tomlplusplus::tomlplusplus)
