# cmake --install: programs, the library's archives and headers, its CMake package and pkg-config file, the pages.
include(CMakePackageConfigHelpers)

install(TARGETS ulhff-fuse ulhff_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

install(TARGETS ulhff ulhff_reader ulhff_writer ulhff_base EXPORT ulhff
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ulhff FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ulhff)
install(EXPORT ulhff NAMESPACE ulhff:: DESTINATION ${package_dir} FILE ulhff-targets.cmake)
write_basic_package_version_file(ulhff-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/ulhff-config.cmake ${PROJECT_BINARY_DIR}/ulhff-config-version.cmake
        DESTINATION ${package_dir})

# Counted from the .pc file, so that an installed tree may be moved.
file(RELATIVE_PATH ULHFF_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/ulhff.pc.in ulhff.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ulhff.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL FILES_MATCHING PATTERN "*.md")
