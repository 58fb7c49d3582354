list(APPEND CMAKE_MODULE_PATH ${dir})
labkit_find_package(libseccomp)
target_link_libraries(labkit_process PRIVATE libseccomp::libseccomp)
