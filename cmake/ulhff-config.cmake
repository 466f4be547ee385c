# find_package(ulhff) defines ulhff::ulhff, and ulhff::ulhff_reader for programs that only read.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
include(${CMAKE_CURRENT_LIST_DIR}/ulhff-targets.cmake)
