# twins.awk - which exported functions of a wing have no twin. Reads .ci/twins first, then the headers of both wings, by path, but for
# *_parts.h, which files of one subject share.
FNR == 1 { wing = FILENAME ~ /\/d2\// ? "d2" : FILENAME ~ /\/d3\// ? "d3" : "" }
wing == "" {
	if ($0 !~ /^#/) {
		split($0, part, "|")
		n = split(part[2], names, " ")
		owner = part[1]
		gsub(/ /, "", owner)
		for (i = 1; i <= n; i++) pattern[owner, names[i]] = 0
	}
	next
}
{
	line = $0
	gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
}
line ~ /^[a-z]/ && line !~ /^(static|typedef|extern|#)/ && match(line, "[ *]" wing "_[a-z_0-9]+\\(") {
	name = substr(line, RSTART + 4, RLENGTH - 5)
	has[wing, name] = 1
}
END {
	for (key in has) {
		split(key, k, SUBSEP)
		other = k[1] == "d2" ? "d3" : "d2"
		if ((other, k[2]) in has) continue
		found = 0
		for (p in pattern) {
			split(p, q, SUBSEP)
			if (q[1] == k[1] && k[2] ~ "^(" q[2] ")$") { pattern[p]++; found = 1 }
		}
		if (!found) { print "twins: " k[1] "_" k[2] " has no twin in " other; count++ }
	}
	for (p in pattern) if (!pattern[p]) { split(p, q, SUBSEP); print "twins: no name without a twin matches " q[1] " " q[2]; count++ }
	if (count) { printf "twins: %d broken\n", count; exit 1 }
	print "twins: all others have theirs"
}
