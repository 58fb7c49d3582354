labkit_find_package(fmt)
labkit_find_package(nlohmann_json)
labkit_find_package(tomlplusplus)
labkit_find_package(LibArchive)
labkit_find_package(ICU COMPONENTS uc)
labkit_find_package(yaml-cpp)
labkit_find_package(SQLiteCpp)
target_link_libraries(labkit_course PRIVATE fmt::fmt nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus
                                            LibArchive::LibArchive ICU::uc yaml-cpp SQLiteCpp)
