# ulhff_libfuse: the system's libfuse, or (ULHFF_LIBFUSE=bundled) a newer one, built statically from its release
# tarball, for FUSE over io_uring on systems whose own is older than 3.18.
set(ULHFF_LIBFUSE "system" CACHE STRING "libfuse to link: system or bundled")
set_property(CACHE ULHFF_LIBFUSE PROPERTY STRINGS system bundled)
set(ULHFF_LIBFUSE_TARBALL "https://deb.debian.org/debian/pool/main/f/fuse3/fuse3_3.18.3.orig.tar.gz"
    CACHE STRING "Path or URL of libfuse 3.18.3's release tarball, for ULHFF_LIBFUSE=bundled")

add_library(ulhff_libfuse INTERFACE)
if(ULHFF_LIBFUSE STREQUAL "system")
  pkg_check_modules(FUSE3 REQUIRED IMPORTED_TARGET fuse3)
  target_link_libraries(ulhff_libfuse INTERFACE PkgConfig::FUSE3)
elseif(ULHFF_LIBFUSE STREQUAL "bundled")
  include(ExternalProject)
  find_program(MESON meson REQUIRED)
  pkg_check_modules(URING REQUIRED IMPORTED_TARGET liburing)
  find_library(NUMA_LIBRARY numa REQUIRED)
  # Its prefix tells libfuse where fusermount3 and fuse.conf are; nothing is installed there.
  ExternalProject_Add(libfuse
    URL ${ULHFF_LIBFUSE_TARBALL}
    URL_HASH SHA256=bcd19582c5e30f7fe45dd86a5540e998590aa01903afc7ebcbeea6c8ac5421ee
    DOWNLOAD_EXTRACT_TIMESTAMP OFF
    STEP_TARGETS download
    PREFIX ${PROJECT_BINARY_DIR}/libfuse
    PATCH_COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/patch_libfuse.cmake
    CONFIGURE_COMMAND ${MESON} setup <BINARY_DIR> <SOURCE_DIR> --prefix=/usr --sysconfdir=/etc
      --buildtype=release --default-library=static -Dutils=false -Dexamples=false -Dtests=false -Denable-io-uring=true
    BUILD_COMMAND ninja -C <BINARY_DIR>
    INSTALL_COMMAND ""
    BUILD_BYPRODUCTS <BINARY_DIR>/lib/libfuse3.a)
  ExternalProject_Get_Property(libfuse SOURCE_DIR BINARY_DIR)
  add_dependencies(ulhff_libfuse libfuse)
  target_compile_definitions(ulhff_libfuse INTERFACE ULHFF_RINGS_TAKE_ANY_THREAD)
  target_include_directories(ulhff_libfuse SYSTEM INTERFACE ${SOURCE_DIR}/include ${BINARY_DIR})
  target_link_libraries(ulhff_libfuse INTERFACE
    ${BINARY_DIR}/lib/libfuse3.a PkgConfig::URING ${NUMA_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
else()
  message(FATAL_ERROR "ULHFF_LIBFUSE is '${ULHFF_LIBFUSE}': use system or bundled")
endif()
