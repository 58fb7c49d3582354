labkit_find_package(tomlplusplus)
target_link_libraries(labkit_timing PRIVATE tomlplusplus::tomlplusplus)

# The profiles travel in the program: it works from any directory and cannot lose them. profile.cpp includes their texts.
file(GLOB labkit_profiles CONFIGURE_DEPENDS ${dir}/profiles/*.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${labkit_profiles})
set(labkit_profile_texts "")
foreach(profile ${labkit_profiles})
  get_filename_component(profile_name ${profile} NAME_WE)
  file(READ ${profile} profile_text)
  string(APPEND labkit_profile_texts "{\"${profile_name}\", R\"labkit(${profile_text})labkit\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/timing/profiles.inc CONTENT "${labkit_profile_texts}" @ONLY)
target_include_directories(labkit_timing PRIVATE ${CMAKE_BINARY_DIR})
