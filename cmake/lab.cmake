# SPDX-License-Identifier: Apache-2.0
# libtensix-lab: what one does with a machine. lab/<room>/*.c, public headers in
# include/tensix-lab/, on the public headers of libtensix.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
file(GLOB lab_sources CONFIGURE_DEPENDS lab/*/*.c)
file(GLOB lab_headers CONFIGURE_DEPENDS include/tensix-lab/*.h)
add_library(tensix_lab_objects OBJECT ${lab_sources})
target_include_directories(tensix_lab_objects PRIVATE include lab)
target_compile_definitions(tensix_lab_objects PRIVATE TXL_BUILDING_SHARED)
target_compile_options(tensix_lab_objects PRIVATE ${tx_warnings} -ffp-contract=off)
set_target_properties(tensix_lab_objects PROPERTIES
  C_VISIBILITY_PRESET hidden
  POSITION_INDEPENDENT_CODE ON)
add_library_forms(tensix_lab tensix-lab txl)
target_include_directories(tensix_lab_inside PUBLIC lab)
target_link_libraries(tensix_lab_inside PUBLIC tensix_inside)
if(NOT EMSCRIPTEN)
  target_link_libraries(tensix_lab_static PUBLIC tensix_static)
  target_link_libraries(tensix_lab_shared PUBLIC tensix_shared)
  set_target_properties(tensix_lab_shared PROPERTIES
    INSTALL_RPATH $ORIGIN
    BUILD_WITH_INSTALL_RPATH ON) # the wheel takes it from the build
endif()

# lab_uses(TARGET LIBRARY...): the lab library is compiled and linked with TARGET, which is
# LIBRARY... to whoever links the installed archive.
set(lab_private_libraries)
function(lab_uses target)
  target_link_libraries(tensix_lab_objects PRIVATE ${target})
  target_link_libraries(tensix_lab_inside PUBLIC ${target})
  if(NOT EMSCRIPTEN)
    target_link_libraries(tensix_lab_shared PRIVATE ${target})
    target_link_libraries(tensix_lab_static INTERFACE
      $<BUILD_INTERFACE:${target}> $<INSTALL_INTERFACE:${ARGN}>)
  endif()
  set(lab_private_libraries ${lab_private_libraries} ${ARGN} PARENT_SCOPE)
endfunction()
foreach(name jansson zlib mpfr gmp)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${name})
  lab_uses(PkgConfig::${name} "${${name}_LIBRARIES}")
endforeach()

# The hash table is one header, without a library (lab/base/hash.c).
find_path(uthash_include uthash.h HINTS ${jansson_INCLUDE_DIRS} NO_CMAKE_FIND_ROOT_PATH)
if(NOT uthash_include)
  message(FATAL_ERROR "uthash.h is missing (make deps, or Debian's package uthash-dev)")
endif()
target_include_directories(tensix_lab_objects SYSTEM PRIVATE ${uthash_include})

# Rooms where no loop runs long: to optimize them takes four tenths of their compiler's time, and
# nobody waits for what they do.
file(GLOB lab_seldom CONFIGURE_DEPENDS lab/debug/*.c lab/gdb/*.c lab/lsp/*.c lab/lint/*.c
  lab/explain/*.c lab/isa/*.c lab/opt/*.c lab/page/*.c lab/past/*.c lab/expand/*.c lab/silicon/*.c
  lab/vectors/*.c lab/trace/*.c)
set_property(SOURCE ${lab_seldom} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)

# Style and views of pages as C strings: lab/page/trace_view.js is page_trace_view_js.
file(GLOB page_files CONFIGURE_DEPENDS lab/page/*.css lab/page/*.js)
set(page_names)
foreach(file ${page_files})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  list(APPEND page_names name=page_${name} ${file})
endforeach()
add_custom_command(OUTPUT page_files.c
  COMMAND awk -f ${CMAKE_SOURCE_DIR}/cmake/embed.awk ${page_names} > page_files.c
  DEPENDS ${page_files} cmake/embed.awk VERBATIM)
target_sources(tensix_lab_objects PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_files.c)
add_custom_target(generated_lab DEPENDS page_files.c)
add_dependencies(tensix_lab_objects generated_lab)
add_dependencies(generated generated_lab)

# The loops of the references, one source for each level of the CPU.
function(reference_level name)
  set_source_files_properties(lab/reference/reference_level_${name}.c PROPERTIES
    COMPILE_OPTIONS "${tx_fast};-fno-math-errno;-fno-trapping-math;${ARGN}")
endfunction()
reference_level(base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  reference_level(avx2 -mavx2)
  reference_level(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()

# lint reads ELF files where libelf is there.
pkg_check_modules(libelf IMPORTED_TARGET libelf)
if(libelf_FOUND)
  target_compile_definitions(tensix_lab_objects PRIVATE TENSIX_HAVE_LIBELF)
  lab_uses(PkgConfig::libelf "${libelf_LIBRARIES}")
endif()
# Accuracy budgets are read where libyaml is there.
pkg_check_modules(libyaml IMPORTED_TARGET yaml-0.1)
if(libyaml_FOUND)
  target_compile_definitions(tensix_lab_objects PRIVATE TENSIX_HAVE_LIBYAML)
  lab_uses(PkgConfig::libyaml "${libyaml_LIBRARIES}")
endif()
# What dlopen takes for a library: its own name for itself, or its path.
function(library_name library result)
  execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE text ERROR_QUIET)
  set(name ${library})
  if(text MATCHES "SONAME[^[]*\\[([^]]*)\\]")
    set(name ${CMAKE_MATCH_1})
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()
# .npz files are read and written where libzip is there.
pkg_check_modules(libzip IMPORTED_TARGET libzip)
if(libzip_FOUND)
  library_name(${pkgcfg_lib_libzip_zip} soname)
  target_compile_definitions(tensix_lab_objects PRIVATE TENSIX_HAVE_LIBZIP
    TENSIX_LIBZIP="${soname}")
  target_include_directories(tensix_lab_objects SYSTEM PRIVATE ${libzip_INCLUDE_DIRS})
endif()
# Lines of sources are found in ELF files where libdw is there.
pkg_check_modules(libdw IMPORTED_TARGET libdw)
if(libdw_FOUND AND libelf_FOUND)
  library_name(${pkgcfg_lib_libdw_dw} soname)
  target_compile_definitions(tensix_lab_objects PRIVATE TENSIX_LIBDW="${soname}")
  target_include_directories(tensix_lab_objects SYSTEM PRIVATE ${libdw_INCLUDE_DIRS})
endif()
# Arb (part of FLINT from version 3 on) has the functions that MPFR lacks.
find_path(ARB_INCLUDE arb_hypgeom.h PATH_SUFFIXES flint)
find_library(ARB_LIBRARY NAMES flint-arb arb)
find_library(FLINT_LIBRARY NAMES flint)
if(ARB_INCLUDE AND FLINT_LIBRARY)
  set(arb_libraries ${FLINT_LIBRARY})
  if(ARB_LIBRARY)
    list(PREPEND arb_libraries ${ARB_LIBRARY})
  endif()
  list(GET arb_libraries 0 arb_library)
  library_name(${arb_library} soname)
  target_compile_definitions(tensix_lab_objects PRIVATE TENSIX_HAVE_ARB
    TENSIX_LIBARB="${soname}")
  target_include_directories(tensix_lab_objects SYSTEM PRIVATE ${ARB_INCLUDE})
  # For what its headers have inline; --as-needed keeps it only where there is such a thing.
  foreach(library ${arb_libraries})
    get_filename_component(name ${library} NAME_WE)
    string(REGEX REPLACE "^lib" "" name ${name})
    lab_uses(${library} ${name})
  endforeach()
endif()
lab_uses(Threads::Threads pthread)
foreach(name m ${CMAKE_DL_LIBS})
  lab_uses(${name} ${name})
endforeach()
