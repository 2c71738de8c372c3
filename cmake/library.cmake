# SPDX-License-Identifier: Apache-2.0
# add_library_forms(NAME OUTPUT PREFIX) makes from the object library NAME_objects
#   NAME_shared  libOUTPUT.so, which exports PREFIX_* only
#   NAME_static  libOUTPUT.a: one object whose only global symbols are the public ones, so that a
#                user's program may have functions of the same names as ours. This one is installed
#   NAME_inside  the objects as they are, for tests and benchmarks that reach inside, and for the
#                browser's module, where there are no other forms
# NAME_objects is compiled with hidden visibility; what is declared PREFIX_API (in capitals) is not.
function(add_library_forms name output prefix)
  set(objects $<TARGET_OBJECTS:${name}_objects>)
  add_library(${name}_inside STATIC ${objects})
  set_target_properties(${name}_inside PROPERTIES OUTPUT_NAME ${output}_inside LINKER_LANGUAGE C)
  target_include_directories(${name}_inside PUBLIC ${CMAKE_SOURCE_DIR}/include)
  if(EMSCRIPTEN)
    return()
  endif()

  # The compiler as linker knows the processor that CMAKE_C_FLAGS and a toolchain file may name;
  # sanitizers are not named there. Code for link-time optimization would keep the hidden names.
  if(NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "objcopy is missing: it hides the inner symbols of lib${output}.a")
  endif()
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_C_FLAGS}")
  if(CMAKE_C_COMPILER_TARGET)
    list(APPEND flags --target=${CMAKE_C_COMPILER_TARGET})
  endif()
  if(CMAKE_SYSROOT)
    list(APPEND flags --sysroot=${CMAKE_SYSROOT})
  endif()
  set(one ${CMAKE_CURRENT_BINARY_DIR}/${output}_one${CMAKE_C_OUTPUT_EXTENSION})
  add_custom_command(OUTPUT ${one}
    COMMAND ${CMAKE_C_COMPILER} ${flags} -fno-lto -nostdlib -r -o ${one} ${objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard
      --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* ${one}
    DEPENDS ${name}_objects ${objects}
    COMMENT "Hiding the inner symbols of lib${output}.a"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${name}_static STATIC ${one})

  set(map ${CMAKE_CURRENT_BINARY_DIR}/lib${output}.map)
  string(TOUPPER ${name} version)
  file(CONFIGURE OUTPUT ${map} CONTENT
    "${version}_${tx_ABI} {\n    global:\n        ${prefix}_*;\n    local:\n        *;\n};\n")
  add_library(${name}_shared SHARED ${objects})
  target_link_options(${name}_shared PRIVATE
    -Wl,--version-script=${map}
    -Wl,--as-needed
    $<$<STREQUAL:${TENSIX_SANITIZE},off>:-Wl,--no-undefined>)
  set_target_properties(${name}_shared PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${tx_ABI}
    LINK_DEPENDS ${map})

  foreach(form static shared)
    set_target_properties(${name}_${form} PROPERTIES OUTPUT_NAME ${output})
    add_library(tensix::${name}_${form} ALIAS ${name}_${form})
  endforeach()
  foreach(form static shared)
    set_target_properties(${name}_${form} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${name}_${form} PUBLIC
      $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()
  add_library(tensix::${name} ALIAS ${name}_shared)
endfunction()
