# SPDX-License-Identifier: Apache-2.0
# One C array of lines from a header and all it includes of this project, each once; .def files as
# often as they are asked for. awk -v root=DIR -f amalgamate.awk HEADER...
function emit(line) {
    gsub(/\\/, "\\\\\\\\", line)
    gsub(/"/, "\\\"", line)
    print "    \"" line "\\n\","
}

function path_of(line,   name) {
    name = line
    if (name !~ /^ *# *include *["<]/) {
        return ""
    }
    sub(/^ *# *include *["<]/, "", name)
    sub(/[">].*$/, "", name)
    return line ~ /</ ? (name ~ /^tensix\// ? root "/include/" name : "") \
                      : name ~ /^isa\/.*\.def$/ ? root "/" name : root "/src/" name
}

function take(file,   line, inner) {
    if (file in seen && file !~ /\.def$/) {
        return
    }
    seen[file] = 1
    while ((getline line < file) > 0) {
        inner = path_of(line)
        if (inner != "") {
            take(inner)
        } else {
            emit(line)
        }
    }
    close(file)
}

BEGIN {
    print "const char *const fast_text[] = {"
    for (i = 1; i < ARGC; i++) {
        take(ARGV[i])
    }
    print "    0};"
}
