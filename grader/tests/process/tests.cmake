target_link_libraries(process_tests PRIVATE libseccomp::libseccomp)  # what an older kernel lacks is taken away with it
