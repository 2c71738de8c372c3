# SPDX-License-Identifier: Apache-2.0
# Files as C strings: awk -f embed.awk name=ONE FILE name=TWO FILE ... gives, for each file,
# const char NAME[] with its lines.
FNR == 1 {
    if (NR > 1) {
        print "    ;"
    }
    print "extern const char " name "[];"
    print "const char " name "[] ="
}
{
    line = $0
    gsub(/\\/, "\\\\\\\\", line)
    gsub(/"/, "\\\"", line)
    print "    \"" line "\\n\""
}
END {
    print "    ;"
}
