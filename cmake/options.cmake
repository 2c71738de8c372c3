# SPDX-License-Identifier: Apache-2.0
# Switches of the build and what they mean for every target.

option(TENSIX_CLI "Build the command tensix" ON)
option(TENSIX_LAB "Build libtensix-lab, which the command needs" ${TENSIX_CLI})
if(TENSIX_CLI AND NOT TENSIX_LAB)
  message(FATAL_ERROR "TENSIX_CLI needs TENSIX_LAB")
endif()
option(TENSIX_WERROR "Warnings are errors" ON)
option(TENSIX_STRESS "Define TX_STRESS=1: small buffers and other rare paths on purpose" OFF)
option(TENSIX_CHECK "Define TX_CHECK=1: short ways are repeated the long way and compared" OFF)
option(TENSIX_FUZZ "Link tests/fuzz with libFuzzer (needs clang)" OFF)
set(TENSIX_SANITIZE off CACHE STRING "off, asan, ubsan or asan+ubsan")
set_property(CACHE TENSIX_SANITIZE PROPERTY STRINGS off asan ubsan asan+ubsan)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

# The same sources give the same bytes, wherever they lie.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)

set(tx_warnings -Wall -Wextra -Wconversion)
if(TENSIX_WERROR)
  list(APPEND tx_warnings -Werror)
endif()

if(TENSIX_SANITIZE STREQUAL "asan")
  set(sanitizers address)
elseif(TENSIX_SANITIZE STREQUAL "ubsan")
  set(sanitizers undefined)
elseif(TENSIX_SANITIZE STREQUAL "asan+ubsan")
  set(sanitizers address,undefined)
elseif(NOT TENSIX_SANITIZE STREQUAL "off")
  message(FATAL_ERROR "TENSIX_SANITIZE is off, asan, ubsan or asan+ubsan")
endif()
if(sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${sanitizers})
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc's flow warnings see the instrumented code and are wrong there.
    list(APPEND tx_warnings -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow
         -Wno-error=array-bounds)
  endif()
endif()

if(TENSIX_STRESS)
  add_compile_definitions(TX_STRESS=1)
endif()

if(TENSIX_CHECK)
  add_compile_definitions(TX_CHECK=1)
endif()

if(TENSIX_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TENSIX_FUZZ needs clang: CC=clang cmake ...")
  endif()
  # Branches are what targets learn from: calls at every comparison would take half of the time.
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>
                      $<$<COMPILE_LANGUAGE:C>:-fno-sanitize-coverage=trace-cmp>)
endif()
