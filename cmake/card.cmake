# SPDX-License-Identifier: Apache-2.0
# The card for any program (docs/card.md): a library for LD_PRELOAD, with libtensix inside. It needs
# x86-64 Linux and Zydis, which decodes the accesses; without them the rest of the build goes on.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(zydis QUIET IMPORTED_TARGET zydis)
endif()
if(NOT zydis_FOUND)
  find_library(zydis_library Zydis)
  find_path(zydis_include Zydis/Zydis.h)
endif()
set(TENSIX_CARD OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"
    AND TENSIX_SANITIZE STREQUAL "off" AND (zydis_FOUND OR (zydis_library AND zydis_include)))
  set(TENSIX_CARD ON)
endif()
if(NOT TENSIX_CARD)
  message(STATUS "libtensix-card.so is left out: it needs Zydis (libzydis-dev) and x86-64 Linux")
  return()
endif()
file(GLOB card_sources CONFIGURE_DEPENDS card/*.c)
list(FILTER card_sources EXCLUDE REGEX "/run\\.c$") # of the command
add_library(tensix_card SHARED ${card_sources} door/order.c)
target_link_libraries(tensix_card PRIVATE tensix_static ${CMAKE_DL_LIBS} pthread)
if(zydis_FOUND)
  target_link_libraries(tensix_card PRIVATE PkgConfig::zydis)
else()
  target_link_libraries(tensix_card PRIVATE ${zydis_library})
  target_include_directories(tensix_card PRIVATE ${zydis_include})
endif()
target_include_directories(tensix_card PRIVATE include)
# A handler's own stack is not at a distance that a compiler knows.
target_compile_options(tensix_card PRIVATE ${tx_warnings} -fvisibility=hidden -fno-strict-aliasing
  -U_FORTIFY_SOURCE -fno-stack-protector)
target_link_options(tensix_card PRIVATE -Wl,--as-needed)
set_target_properties(tensix_card PROPERTIES OUTPUT_NAME tensix-card C_EXTENSIONS ON)
