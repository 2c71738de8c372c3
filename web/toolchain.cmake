# SPDX-License-Identifier: Apache-2.0
# Emscripten with the libraries of libraries.sh, which TENSIX_WEB_LIBRARIES names, and nothing of
# the machine that builds.
foreach(root ${EMSCRIPTEN_ROOT_PATH} $ENV{EMSCRIPTEN} /usr/share/emscripten)
  if(EXISTS ${root}/cmake/Modules/Platform/Emscripten.cmake)
    include(${root}/cmake/Modules/Platform/Emscripten.cmake)
    break()
  endif()
endforeach()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TENSIX_WEB_LIBRARIES)
set(ENV{PKG_CONFIG_LIBDIR} ${TENSIX_WEB_LIBRARIES}/lib/pkgconfig)
list(APPEND CMAKE_FIND_ROOT_PATH ${TENSIX_WEB_LIBRARIES})
set(CMAKE_C_FLAGS_INIT -msimd128)
set(TENSIX_CLI OFF CACHE BOOL "" FORCE)
set(TENSIX_LAB ON CACHE BOOL "" FORCE)
# Emscripten's clang is whatever the distribution has, and warns of what nobody here has seen.
set(TENSIX_WERROR OFF CACHE BOOL "")
