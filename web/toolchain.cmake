# SPDX-License-Identifier: Apache-2.0
# Emscripten with the libraries of libraries.sh, which TENSIX_WEB_LIBRARIES names, and nothing of
# the machine that builds.
foreach(root ${EMSCRIPTEN_ROOT_PATH} $ENV{EMSCRIPTEN} /usr/share/emscripten)
  if(EXISTS ${root}/cmake/Modules/Platform/Emscripten.cmake)
    include(${root}/cmake/Modules/Platform/Emscripten.cmake)
    break()
  endif()
endforeach()
# emcc is a script that takes as long as the compiler behind it, so sources go to that one directly.
find_program(EM_CONFIG em-config REQUIRED)
execute_process(COMMAND ${EM_CONFIG} LLVM_ROOT OUTPUT_VARIABLE llvm
  OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=EM_COMPILER_WRAPPER emcc --cflags
  OUTPUT_VARIABLE emscripten_flags OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(emscripten_flags)
  set(CMAKE_C_COMPILE_OBJECT
    "${llvm}/clang ${emscripten_flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TENSIX_WEB_LIBRARIES)
set(ENV{PKG_CONFIG_LIBDIR} ${TENSIX_WEB_LIBRARIES}/lib/pkgconfig)
list(APPEND CMAKE_FIND_ROOT_PATH ${TENSIX_WEB_LIBRARIES})
set(CMAKE_C_FLAGS_INIT -msimd128)
set(TENSIX_CLI OFF CACHE BOOL "" FORCE)
set(TENSIX_LAB ON CACHE BOOL "" FORCE)
# Emscripten's clang is whatever the distribution has, and warns of what nobody here has seen.
set(TENSIX_WERROR OFF CACHE BOOL "")
