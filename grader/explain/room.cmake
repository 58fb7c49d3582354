labkit_find_package(fmt)
target_link_libraries(labkit_explain PRIVATE fmt::fmt)
