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

# clang as a second compiler: its sources, and the library by which it goes into the jail (clang/preload.cpp). That one runs inside
# of clang, so it is built without sanitizers, and shows clang only what stands in for the C library.
target_sources(labkit_compile PRIVATE ${dir}/clang/elements.cpp ${dir}/clang/find.cpp ${dir}/clang/lines.cpp ${dir}/clang/run.cpp)
add_library(labkit-clang-jail MODULE ${dir}/clang/preload.cpp ${CMAKE_CURRENT_SOURCE_DIR}/process/jail.cpp)
set_target_properties(labkit-clang-jail PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
  CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF)
target_compile_options(labkit-clang-jail PRIVATE -Wall -Wextra -Werror)
target_include_directories(labkit-clang-jail PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_options(labkit-clang-jail PRIVATE -Wl,--version-script=${dir}/clang/preload.map)
target_link_libraries(labkit-clang-jail PRIVATE libseccomp::libseccomp)
add_dependencies(labkit_compile labkit-clang-jail)

# What stands in for CUDA's headers, as rows of text (headers.cpp).
file(GLOB clang_headers CONFIGURE_DEPENDS ${dir}/clang/include/*.h)
set(LABKIT_CLANG_HEADERS "")
foreach(header ${clang_headers})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  get_filename_component(name ${header} NAME)
  set(names "\"${name}\"")
  if(name STREQUAL "cooperative_groups.h")
    string(APPEND names ", \"cooperative_groups/reduce.h\"")
  elseif(name STREQUAL "cuda_pipeline.h")
    string(APPEND names ", \"cuda_pipeline_primitives.h\"")
  endif()
  string(APPEND LABKIT_CLANG_HEADERS "{{${names}}, R\"cuda(${text})cuda\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/compile/clang/headers.def CONTENT "@LABKIT_CLANG_HEADERS@" @ONLY)
target_include_directories(labkit_compile PRIVATE ${CMAKE_BINARY_DIR}/generated)
