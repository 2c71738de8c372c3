# SPDX-License-Identifier: Apache-2.0
# What a release build is compiled with where the user names no CMAKE_C_FLAGS_RELEASE; before
# project(), which fills in CMake's own. No -DNDEBUG: an assertion of the project must hold in the
# tests of the release build too.
foreach(language C CXX)
  set(flags CMAKE_${language}_FLAGS_RELEASE)
  # A tree that an older version configured has CMake's own there, and they were not used.
  if(DEFINED CACHE{CMAKE_PROJECT_NAME} AND NOT TENSIX_RELEASE_FLAGS
      AND "${${flags}}" STREQUAL "-O3 -DNDEBUG")
    unset(${flags} CACHE)
  endif()
  set(${flags} "-O2" CACHE STRING "Flags of ${language} in a release build")
endforeach()
set(TENSIX_RELEASE_FLAGS ON CACHE INTERNAL "these flags were chosen by this project or its user")
