labkit_find_package(nlohmann_json)
target_link_libraries(labkit_compile PRIVATE nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})

# The worker runs under an address-space limit, which AddressSanitizer's shadow memory would break: it stands alone, and is
# built without sanitizers, with the jail's source instead of its room.
add_executable(labkit-nvrtc ${dir}/worker/main.cpp ${dir}/machine_code.cpp ${dir}/diagnostics.cpp ${CMAKE_CURRENT_SOURCE_DIR}/base/text.cpp ${CMAKE_CURRENT_SOURCE_DIR}/base/error.cpp ${CMAKE_CURRENT_SOURCE_DIR}/process/jail.cpp)
labkit_compile_together(labkit-nvrtc)
target_compile_options(labkit-nvrtc PRIVATE -Wall -Wextra -Werror)
target_include_directories(labkit-nvrtc PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(labkit-nvrtc PRIVATE nlohmann_json::nlohmann_json libseccomp::libseccomp ${CMAKE_DL_LIBS})
# By these NVRTC sees a fixed time, folder and process number (worker/main.cpp). No other symbol: what both have inline would mix.
foreach(symbol time gettimeofday clock_gettime getcwd getpid)
  target_link_options(labkit-nvrtc PRIVATE -Wl,--export-dynamic-symbol=${symbol})
endforeach()
# Whatever links compile() needs the worker beside it at run time.
add_dependencies(labkit_compile labkit-nvrtc)
