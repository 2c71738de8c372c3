# SPDX-License-Identifier: Apache-2.0
# tests/<folder>/test_<name>.c   one cmocka program, test <folder>.<name>
# tests/<folder>/campaign_*.c    long runs: built, started by scripts/campaign.sh
# tests/oracle/*.c               independent statements, linked into every program
# tests/fuzz/fuzz_*.c            libFuzzer entry points; a short run is a test
# tests/cli/*.sh, *.bats         the command and the installation from outside
# tests/build/*.sh               builds of other kinds
# tests/security/*.sh            attacks on the command
# python/tests                   the Python package, by pytest

find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
  pkg_check_modules(jansson IMPORTED_TARGET jansson)
  pkg_check_modules(zlib IMPORTED_TARGET zlib)
  pkg_check_modules(mpfr IMPORTED_TARGET mpfr)
  pkg_check_modules(gmp IMPORTED_TARGET gmp)
endif()
if(NOT (cmocka_FOUND AND jansson_FOUND AND zlib_FOUND AND mpfr_FOUND AND gmp_FOUND))
  message(STATUS "tests are off: cmocka, jansson, zlib, mpfr or gmp is missing (make deps)")
  return()
endif()

# Seconds that pass, not of the processor: a machine may be busy with eight other things. Against
# what hangs. Sanitizers, stress and the long ways of the check build cost up to ten times.
set(test_timeout 1200)
if(NOT TENSIX_SANITIZE STREQUAL "off" OR TENSIX_STRESS OR TENSIX_CHECK)
  set(test_timeout 7200)
endif()

set(test_warnings -Wall -Wextra)
if(TENSIX_WERROR)
  list(APPEND test_warnings -Werror)
endif()

add_library(test_settings INTERFACE)
# A hundred programs are linked, in half of the time with this one.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND TENSIX_SANITIZE STREQUAL "off")
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=gold TENSIX_HAVE_GOLD)
  if(TENSIX_HAVE_GOLD)
    target_link_options(test_settings INTERFACE -fuse-ld=gold)
  endif()
endif()
target_include_directories(test_settings INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/tests
  ${CMAKE_SOURCE_DIR}/tests/oracle)
target_compile_definitions(test_settings INTERFACE
  TX_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TX_BINARY_DIR="${CMAKE_BINARY_DIR}")
target_compile_options(test_settings INTERFACE ${test_warnings} -ffp-contract=off)
target_link_libraries(test_settings INTERFACE
  PkgConfig::cmocka PkgConfig::jansson PkgConfig::zlib PkgConfig::mpfr PkgConfig::gmp m)

file(GLOB oracle_sources CONFIGURE_DEPENDS tests/oracle/*.c)
list(FILTER oracle_sources EXCLUDE REGEX "_selftest\\.c$")
if(oracle_sources)
  add_library(tx_oracle STATIC ${oracle_sources})
  target_link_libraries(tx_oracle PUBLIC test_settings)
  set_target_properties(tx_oracle PROPERTIES
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/oracle)
endif()

# Builds build/tests/<folder>/<name> from one source; leaves the target's name in ${result}.
# A test runs for seconds at most and is compiled in half of the time; a campaign runs long.
function(test_program source result)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  set(target ${folder}-${name})
  add_executable(${target} ${source})
  if(TARGET tx_oracle)
    target_link_libraries(${target} PRIVATE tx_oracle)
  endif()
  if(TARGET tensix_cli_parts)
    target_link_libraries(${target} PRIVATE tensix_cli_parts)
  endif()
  target_link_libraries(${target} PRIVATE tensix_inside test_settings)
  if(NOT name MATCHES "^campaign_" AND NOT folder STREQUAL "num") # bodies want to be inlined
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/${folder})
  set(${result} ${target} PARENT_SCOPE)
endfunction()

# Exit status 77 means: skipped, the output says why.
function(test_limits name label)
  set_tests_properties(${name} PROPERTIES
    LABELS ${label} TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77)
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source ${test_sources})
  test_program(${source} target)
  string(REGEX REPLACE "^(.*)-test_(.*)$" "\\1.\\2" name ${target})
  add_test(NAME ${name} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  string(REGEX REPLACE "-.*" "" folder ${target})
  test_limits(${name} ${folder})
endforeach()

# It loads them at run time.
add_dependencies(door-test_door tensix_ttsim_bh tensix_ttsim_wh)

# They compile kernels. The compiler has no environment but this; commands are words.
if(NOT "${CMAKE_SOURCE_DIR}${CMAKE_BINARY_DIR}${CMAKE_C_COMPILER}" MATCHES " ")
  string(CONCAT kernel_cc "env TX_BINARY_DIR=${CMAKE_BINARY_DIR} KERNEL_CC=${CMAKE_C_COMPILER} "
    "${CMAKE_SOURCE_DIR}/tests/cli/kernel_cc")
  set_tests_properties(engines.rules engines.changes PROPERTIES ENVIRONMENT "CC=${kernel_cc}")
endif()

# coverage.coverage reads what these programs say they exercised, so they run first.
set_tests_properties(insn.insn insn.oracle pipe.timing pipe.macro pipe.macro_lanes
  pipe.macro_kernels front.replay front.threads front.waits
  front.ports api.dst_formats api.l1 host.pcie
  PROPERTIES
  FIXTURES_SETUP exercised)
set_tests_properties(coverage.coverage PROPERTIES FIXTURES_REQUIRED exercised)

if(EXISTS ${CMAKE_SOURCE_DIR}/tests/oracle/oracle_selftest.c)
  test_program(${CMAKE_SOURCE_DIR}/tests/oracle/oracle_selftest.c target)
  add_test(NAME oracle.selftest COMMAND ${target} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  test_limits(oracle.selftest oracle)
endif()

# What only scripts/campaign.sh runs is built with the target "campaigns".
file(GLOB campaign_sources CONFIGURE_DEPENDS tests/*/campaign_*.c)
find_package(Threads)
add_custom_target(campaigns)
foreach(source ${campaign_sources})
  test_program(${source} target)
  target_link_libraries(${target} PRIVATE Threads::Threads)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(campaigns ${target})
endforeach()

# A short piece of a campaign, where nothing else compares so closely.
function(campaign_test name program)
  string(REGEX REPLACE "\\..*" "" folder ${name})
  foreach(arch bh wh)
    add_test(NAME ${name}_${arch} COMMAND ${folder}-campaign_${program} ${arch} ${ARGN})
    test_limits(${name}_${arch} ${folder})
  endforeach()
  set_target_properties(${folder}-campaign_${program} PROPERTIES EXCLUDE_FROM_ALL OFF)
endfunction()
add_test(NAME riscv.extensions COMMAND riscv-campaign_extensions 1500)
test_limits(riscv.extensions riscv)
set_target_properties(riscv-campaign_extensions PROPERTIES EXCLUDE_FROM_ALL OFF)
campaign_test(engines.fast_fma fast 6000000)
campaign_test(engines.flow flow 500000 3)
campaign_test(engines.units threads 196608 3 l1)
campaign_test(matrix.second matrix 800000 3 all)
campaign_test(unpack.random unpack random 2500 3)
campaign_test(unpack.pairs unpack pairs 65536 3)
campaign_test(pack.pairs pack 16384 3)
campaign_test(riscv.qemu qemu 300000)
campaign_test(riscv.words words 300000)
campaign_test(tile.cores cores 200000)
campaign_test(lab.chip_points chip 2)

# Fuzzing. Seeds: tests/fuzz/seeds/<name>/*. A short run of each target is a test, by a driver of
# the project's own and all targets as one program; build.fuzz has libFuzzer and clang.
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
add_custom_target(fuzz)
set(fuzz_inputs -n 3000 -s 1 -t 1)
if(NOT TENSIX_SANITIZE STREQUAL "off" OR TENSIX_STRESS)
  set(fuzz_inputs -n 5000 -s 1 -t 10)
endif()
set(all_targets)
foreach(source ${fuzz_sources})
  test_program(${source} target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(fuzz ${target})
  string(REGEX REPLACE "^fuzz-fuzz_" "" name ${target})
  set(seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/${name})
  if(NOT IS_DIRECTORY ${seeds})
    set(seeds)
  endif()
  if(TENSIX_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL OFF)
    # libFuzzer writes what it finds into the first directory, so that one is scratch.
    set(scratch ${CMAKE_BINARY_DIR}/tests/fuzz/corpus-${name})
    file(MAKE_DIRECTORY ${scratch})
    set(command ${target} -runs=20000 -seed=1 -max_total_time=20 ${scratch} ${seeds})
  else()
    target_sources(${target} PRIVATE tests/fuzz/standalone_main.c)
    set(command ${CMAKE_BINARY_DIR}/tests/fuzz/all/fuzz_${name} ${fuzz_inputs} ${seeds})
  endif()
  add_test(NAME fuzz.${name} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  test_limits(fuzz.${name} fuzz)
  # The same with names of its own, for the program that has all targets.
  string(CONCAT renamed "#define LLVMFuzzerTestOneInput fuzz_one_${name}\n"
    "#define LLVMFuzzerInitialize begin_${name}\n#include \"${source}\"\n")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests/fuzz/all/${name}.c CONTENT "${renamed}")
  list(APPEND all_targets ${name})
endforeach()
list(TRANSFORM all_targets REPLACE "(.+)" "${CMAKE_BINARY_DIR}/tests/fuzz/all/\\1.c"
  OUTPUT_VARIABLE all_sources)
list(TRANSFORM all_targets REPLACE "(.+)" "TARGET(\\1)\n" OUTPUT_VARIABLE all_lines)
list(JOIN all_lines "" all_lines)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/tests/fuzz/all/all_targets.h CONTENT "${all_lines}")
if(NOT TENSIX_FUZZ)
  test_program(${CMAKE_SOURCE_DIR}/tests/fuzz/all_main.c target)
  target_sources(${target} PRIVATE tests/fuzz/standalone_main.c ${all_sources})
  target_include_directories(${target} PRIVATE
    tests/fuzz ${CMAKE_BINARY_DIR}/tests/fuzz/all)
  foreach(name ${all_targets})
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND ${CMAKE_COMMAND} -E
      create_symlink ../all_main ${CMAKE_BINARY_DIR}/tests/fuzz/all/fuzz_${name})
  endforeach()
endif()
# build.fuzz: readers of files, texts and messages and all targets as one program of clang's, the
# rest from the archives of TENSIX_FUZZ_REST, another build, which are there already.
if(TENSIX_FUZZ AND TENSIX_FUZZ_REST)
  file(GLOB readers src/asm/*.c src/isa/*.c src/base/*.c lab/base/*.c lab/data/*.c lab/kernel/*.c
    lab/vectors/*.c lab/run/*.c lab/sweep/*.c lab/fit/state.c lab/tile/*.c
    lab/chiprun/plan*.c lab/debug/*.c lab/gdb/*.c lab/lsp/*.c)
  add_executable(fuzz_all EXCLUDE_FROM_ALL tests/fuzz/all_main.c ${all_sources} ${readers})
  target_include_directories(fuzz_all PRIVATE
    tests/fuzz lab cli ${CMAKE_BINARY_DIR}/tests/fuzz/all)
  target_compile_definitions(fuzz_all PRIVATE
    $<TARGET_PROPERTY:tensix_lab_objects,COMPILE_DEFINITIONS>)
  target_compile_options(fuzz_all PRIVATE -g0)
  target_link_options(fuzz_all PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_all PRIVATE test_settings
    ${TENSIX_FUZZ_REST}/cli/libtensix_cli_parts.a ${TENSIX_FUZZ_REST}/libtensix-lab_inside.a
    ${TENSIX_FUZZ_REST}/libtensix_inside.a
    $<TARGET_PROPERTY:tensix_lab_objects,LINK_LIBRARIES>)
  if(TARGET PkgConfig::ncurses) # the table of commands names all of them, the debugger too
    target_link_libraries(fuzz_all PRIVATE PkgConfig::ncurses)
  endif()
  set_target_properties(fuzz_all PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/fuzz/all)
endif()

# Each public header compiles alone, as C17 and as C++17, without extensions.
include(CheckLanguage)
if(NOT CMAKE_CXX_COMPILER)
  unset(CMAKE_CXX_COMPILER CACHE) # it may have been installed since
endif()
check_language(CXX)
set(languages c)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  list(APPEND languages cpp)
else()
  message(STATUS "no C++ compiler: the headers are not checked as C++")
endif()
foreach(language ${languages})
  set(sources)
  set(headers ${public_headers} ${lab_headers})
  if(language STREQUAL "cpp")
    file(GLOB parts_of_sfpi CONFIGURE_DEPENDS include/tensix/sfpi/*.hpp)
    list(APPEND headers ${public_headers_cpp} ${parts_of_sfpi})
  endif()
  foreach(header ${headers})
    file(RELATIVE_PATH file ${CMAKE_SOURCE_DIR}/include ${header})
    string(MAKE_C_IDENTIFIER ${file} name)
    set(source ${CMAKE_BINARY_DIR}/tests/headers/${name}.${language})
    file(CONFIGURE OUTPUT ${source} CONTENT
      "#include <${file}>\n#include <${file}>\nextern int tx_unit_${name};\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(headers_${language} OBJECT ${sources})
  target_include_directories(headers_${language} PRIVATE include)
  target_compile_options(headers_${language} PRIVATE ${tx_warnings} -Wpedantic)
  target_compile_definitions(headers_${language} PRIVATE TENSIX_ARCH_BLACKHOLE) # ckernel_ops.h
  set_target_properties(headers_${language} PROPERTIES
    C_EXTENSIONS OFF CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endforeach()
if(CMAKE_CXX_COMPILER)
  target_sources(headers_cpp PRIVATE tests/api/test_headers.cpp)
  # What record.sfpi runs: kernels in SFPI's style, recorded for either chip.
  foreach(chip BLACKHOLE WORMHOLE)
    string(SUBSTRING ${chip} 0 1 letter)
    string(TOLOWER ${letter}h name)
    foreach(program sfpi_functions sfpi_random sfpi_words)
      set(target ${program}_${name})
      add_executable(${target} tests/record/${program}.cpp)
      target_link_libraries(${target} PRIVATE tensix_inside tx_oracle)
      target_compile_definitions(${target} PRIVATE TENSIX_ARCH_${chip})
      # What is generated for them is not worth optimizing: three times as quickly.
      target_compile_options(${target} PRIVATE ${test_warnings} -Wpedantic -O0)
      set_target_properties(${target} PROPERTIES
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/record)
    endforeach()
    add_test(NAME record.sfpi_random_${name} COMMAND sfpi_random_${name} 1 3000)
    add_test(NAME record.sfpi_words_${name} COMMAND sfpi_words_${name} 1 20000)
    test_limits(record.sfpi_random_${name} record)
    test_limits(record.sfpi_words_${name} record)
  endforeach()
endif()

# Scripts.
find_program(BATS bats)
set(script_environment
  TENSIX=${CMAKE_BINARY_DIR}/tensix
  TX_SOURCE_DIR=${CMAKE_SOURCE_DIR}
  TX_BINARY_DIR=${CMAKE_BINARY_DIR}
  TX_SANITIZE=${TENSIX_SANITIZE}
  CMAKE=${CMAKE_COMMAND}
  CMAKE_GENERATOR=${CMAKE_GENERATOR}
  CC=${CMAKE_C_COMPILER}
  CXX=${CMAKE_CXX_COMPILER}
  TX_TYPE=${CMAKE_BUILD_TYPE}
  LC_ALL=C)
file(GLOB scripts CONFIGURE_DEPENDS tests/cli/*.sh tests/cli/*.bats tests/build/*.sh
  tests/security/*.sh)
foreach(script ${scripts})
  get_filename_component(name ${script} NAME_WE)
  get_filename_component(kind ${script} EXT)
  get_filename_component(folder ${script} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  set(test ${folder}.${name})
  if(NOT name STREQUAL "install" AND NOT TARGET tensix-cli)
    continue()
  endif()
  if(kind STREQUAL ".bats" AND NOT BATS)
    message(WARNING "bats is missing (make deps): ${script} will not run")
    set(command ${script})
  elseif(kind STREQUAL ".bats")
    set(command ${BATS} ${script})
  else()
    set(command bash ${script})
  endif()
  add_test(NAME ${test} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  test_limits(${test} ${folder})
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${script_environment}")
  if(kind STREQUAL ".bats" AND NOT BATS)
    set_tests_properties(${test} PROPERTIES DISABLED TRUE)
  endif()
endforeach()

# The fast engine on another processor, built there and run by an emulator of it.
add_test(NAME engines.neon COMMAND bash ${CMAKE_SOURCE_DIR}/tests/engines/neon.sh)
test_limits(engines.neon engines)
set_tests_properties(engines.neon PROPERTIES ENVIRONMENT "${script_environment}")
add_test(NAME fmt.big_endian COMMAND bash ${CMAKE_SOURCE_DIR}/tests/fmt/big_endian.sh)
test_limits(fmt.big_endian fmt)
set_tests_properties(fmt.big_endian PROPERTIES ENVIRONMENT "${script_environment}")

# The Python package. A library with ASan needs its runtime before everything else.
if(TARGET tensix-cli)
  set(python_environment BUILD=${CMAKE_BINARY_DIR} CC=${CMAKE_C_COMPILER} CXX=${CMAKE_CXX_COMPILER})
  if(sanitizers MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
      OUTPUT_VARIABLE asan_runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND python_environment TX_PRELOAD=${asan_runtime})
  endif()
  if(NOT sanitizers MATCHES "address" OR asan_runtime) # clang's runtime is in the program
    add_test(NAME python.python COMMAND bash scripts/test_python.sh
      --ignore=tests/test_wheel.py WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    add_test(NAME python.wheel COMMAND bash scripts/test_python.sh tests/test_wheel.py
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    foreach(name python.python python.wheel)
      test_limits(${name} python)
      set_tests_properties(${name} PROPERTIES ENVIRONMENT "${python_environment}")
    endforeach()
  endif()
endif()

# What is built in other ways than the tests themselves: by other compilers, for other processors,
# from a copy of the tree that an author has changed, as a package. make test leaves them out, for
# it has five minutes; make campaign ONLY=kinds runs them.
foreach(name build.fuzz build.instruction build.chip engines.neon fmt.big_endian python.wheel)
  if(TEST ${name})
    set_property(TEST ${name} APPEND PROPERTY LABELS kinds)
  endif()
endforeach()

# Programs that run with an emulated card, and what looks at them from outside.
if(TENSIX_CARD)
  file(GLOB card_programs CONFIGURE_DEPENDS tests/card/card_*.c)
  foreach(source ${card_programs})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_compile_options(${name} PRIVATE -O2 -mno-red-zone ${test_warnings})
    target_link_libraries(${name} PRIVATE pthread)
    set_target_properties(${name} PROPERTIES C_EXTENSIONS ON
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/card)
  endforeach()
  file(GLOB card_scripts CONFIGURE_DEPENDS tests/card/*.sh)
  foreach(script ${card_scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME card.${name} COMMAND bash ${script} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    test_limits(card.${name} card)
    set_property(TEST card.${name} PROPERTY ENVIRONMENT ${script_environment}
      CARD_PROGRAMS=${CMAKE_BINARY_DIR}/tests/card CARD_LIBRARY=$<TARGET_FILE:tensix_card>
      CARD_DOOR=$<TARGET_FILE:tensix_ttsim_bh>)
  endforeach()
endif()

# The longest ones first, so that all cores end together.
set(cost 100)
foreach(name card.card cli.pages python.python card.kit cli.record cli.sweep cli.compiled cli.llk
    cli.chip chip.run cli.cc cli.order cli.docs cli.vectors cli.schedule lab.fit cli.sfpi
    build.hardware cli.examples)
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES COST ${cost})
    math(EXPR cost "${cost} - 5")
  endif()
endforeach()

# Random programs beside another simulator's tile: scripts/cosim.sh.
add_executable(cosim EXCLUDE_FROM_ALL tests/cosim/cosim.c)
target_link_libraries(cosim PRIVATE tx_oracle tensix_inside test_settings ${CMAKE_DL_LIBS})
set_target_properties(cosim PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/cosim)
