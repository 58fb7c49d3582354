labkit_find_package(fmt)
labkit_find_package(tomlplusplus)
target_link_libraries(labkit_explain PRIVATE fmt::fmt tomlplusplus::tomlplusplus)
