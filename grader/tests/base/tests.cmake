# With AddressSanitizer g++ 12 takes the parts of a std::regex for uninitialised (GCC bug 105562).
if(LABKIT_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(base_tests PRIVATE -Wno-maybe-uninitialized)
endif()
