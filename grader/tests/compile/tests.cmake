target_link_libraries(compile_tests PRIVATE libseccomp::libseccomp)  # a kernel without Landlock is made with it
