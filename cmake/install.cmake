# cmake --install: programs, the library's archives, headers, CMake package and pkg-config file, pages, manuals.
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

# Manual pages, where lowdown is (0.3 MB in Debian): for man(1), what docs/man/ has for readers of the sources.
find_program(LOWDOWN lowdown)
if(LOWDOWN)
  foreach(page ulhff ulhff-fuse)
    set(source ${PROJECT_SOURCE_DIR}/docs/man/${page}.1.md)
    set(output ${PROJECT_BINARY_DIR}/man/${page}.1)
    string(TOUPPER ${page} title)
    add_custom_command(OUTPUT ${output} DEPENDS ${source} VERBATIM
      COMMAND ${LOWDOWN} -s -t man --out-no-smarty -M title=${title} -M section=1
              -M "source=ulhff-fuse ${PROJECT_VERSION}" -M "volume=User commands" -o ${output} ${source})
    list(APPEND pages ${output})
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
  add_custom_target(man ALL DEPENDS ${pages})
  add_dependencies(programs man)
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
