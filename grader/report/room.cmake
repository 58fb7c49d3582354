labkit_find_package(fmt)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_report PRIVATE fmt::fmt nlohmann_json::nlohmann_json utf8proc::utf8proc)

# The pages' styles and scripts, built in: a page is one file and the kit needs none of its own when it runs.
foreach(asset base.css class.css student.css explain.css film.css base.js class.js pictures.js film.js explain.js)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dir}/html/${asset})
  string(REPLACE "." "_" asset_name ${asset})
  file(READ ${dir}/html/${asset} LABKIT_HTML_${asset_name})
endforeach()
configure_file(${dir}/html/assets.h.in ${CMAKE_BINARY_DIR}/generated/report/html_assets.h @ONLY)
target_include_directories(labkit_report PRIVATE ${CMAKE_BINARY_DIR}/generated)
