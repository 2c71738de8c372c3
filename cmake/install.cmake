# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tensix)

set(libraries tensix_shared tensix_static)
if(TENSIX_LAB)
  list(APPEND libraries tensix_lab_shared tensix_lab_static)
  install(FILES ${lab_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix-lab)
endif()
install(TARGETS ${libraries} EXPORT tensix-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(chip bh wh)
  install(TARGETS tensix_ttsim_${chip}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensix/ttsim/${chip})
  install(FILES door/${chip}/soc_descriptor.yaml
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensix/ttsim/${chip})
endforeach()
if(TARGET tensix-cli)
  if(TENSIX_CARD)
    install(TARGETS tensix_card LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensix)
  endif()
  install(TARGETS tensix-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${public_headers} ${public_headers_cpp}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix)
install(DIRECTORY include/tensix/chip include/tensix/llk include/tensix/kernel include/tensix/sfpi
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensix)

install(EXPORT tensix-targets NAMESPACE tensix:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tensix-config.cmake.in tensix-config.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(tensix-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/tensix-config.cmake
              ${CMAKE_BINARY_DIR}/tensix-config-version.cmake
  DESTINATION ${package_dir})

# The .pc files find their prefix from their own place, so that the tree can be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
  string(REGEX REPLACE "/$" "" up ${up})
  set(pc_prefix "\${pcfiledir}/${up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/tensix.pc.in tensix.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/tensix.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TENSIX_LAB)
  list(TRANSFORM lab_private_libraries PREPEND -l)
  list(JOIN lab_private_libraries " " pc_private)
  configure_file(cmake/tensix-lab.pc.in tensix-lab.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/tensix-lab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# Pages of manual, completions and tables of options are made of what the command tells.
file(GLOB man3 CONFIGURE_DEPENDS man/*.3)
install(FILES ${man3} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
find_package(Python3 COMPONENTS Interpreter)
if(TENSIX_CLI AND Python3_FOUND AND NOT CMAKE_CROSSCOMPILING)
  file(GLOB man1 CONFIGURE_DEPENDS man/*.1)
  set(pages ${CMAKE_BINARY_DIR}/pages)
  add_custom_command(OUTPUT ${pages}/options.md
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/command_pages.py
      $<TARGET_FILE:tensix-cli> ${pages}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/schemas.py --schemas
      ${CMAKE_SOURCE_DIR}/docs/json.txt ${pages}/schemas
    DEPENDS tensix-cli scripts/command_pages.py scripts/schemas.py docs/json.txt ${man1}
    VERBATIM)
  add_custom_target(pages ALL DEPENDS ${pages}/options.md)
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(DIRECTORY ${pages}/schemas/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tensix/schemas)
  install(FILES ${pages}/options.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${pages}/completions/tensix
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${pages}/completions/_tensix
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${pages}/completions/tensix.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY examples/ OPTIONAL DESTINATION ${CMAKE_INSTALL_DATADIR}/tensix/examples)

# A list of what this installation wrote, for uninstall: by its prefix, so that one that comes later
# and elsewhere does not take its place.
install(CODE [[
  get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
  string(MD5 key "$ENV{DESTDIR}:${prefix}")
  set(list "PREFIX=${prefix}")
  if(NOT "$ENV{DESTDIR}" STREQUAL "")
    string(APPEND list " DESTDIR=$ENV{DESTDIR}")
  endif()
  foreach(file ${CMAKE_INSTALL_MANIFEST_FILES})
    string(APPEND list "\n${file}")
  endforeach()]] CODE "
  file(WRITE \"${CMAKE_BINARY_DIR}/installed/\${key}.txt\" \"\${list}\n\")")
configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${CMAKE_BINARY_DIR}/uninstall.cmake)
