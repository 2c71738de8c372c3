# SPDX-License-Identifier: Apache-2.0
# The door that host tools know: one library a chip with the C interface of libttsim and nothing
# else, so that tt-umd and tt-exalens open it where they open that one. libtensix is inside; only
# libc is needed, because the tools may load a copy of the file from memory.
file(GLOB door_sources CONFIGURE_DEPENDS door/*.c)
set(door_map ${CMAKE_CURRENT_BINARY_DIR}/libtensix-ttsim.map)
file(CONFIGURE OUTPUT ${door_map} CONTENT
  "{\n    global:\n        libttsim_*;\n    local:\n        *;\n};\n")
foreach(chip bh wh)
  set(door tensix_ttsim_${chip})
  add_library(${door} SHARED ${door_sources})
  target_link_libraries(${door} PRIVATE tensix_static ${CMAKE_DL_LIBS})
  target_compile_options(${door} PRIVATE ${tx_warnings} -fvisibility=hidden)
  target_compile_definitions(${door} PRIVATE
    DOOR_CHIP=$<IF:$<STREQUAL:${chip},bh>,TX_BLACKHOLE,TX_WORMHOLE>)
  target_link_options(${door} PRIVATE -Wl,--version-script=${door_map} -Wl,--as-needed)
  set_target_properties(${door} PROPERTIES
    OUTPUT_NAME tensix-ttsim-${chip}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/ttsim/${chip}
    LINK_DEPENDS ${door_map})
  # tt-umd looks for the description of the chip beside the library.
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/door/${chip}/soc_descriptor.yaml
    ${CMAKE_BINARY_DIR}/ttsim/${chip}/soc_descriptor.yaml COPY_ON_ERROR SYMBOLIC)
endforeach()
