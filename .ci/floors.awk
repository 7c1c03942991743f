# floors.awk - who includes whom. Run by `make floors` over all files of src, by path.
# A file includes its own room and those that are named for it here, by the path from src/, and system headers from a list. Within a room
# no files include each other in a circle: a .c and a .h of one name count as one
# file, and a .h without a .c as a part of the files that include it.
BEGIN {
	wing("d2"); wing("d3")
	may["base"] = "base"
	may["spatial"] = "base spatial"
	may["core"] = "base spatial core"
	below = "base spatial core"
	for (room in may) if (room ~ /^d[23]/) below = below " " room
	may["bind/lua"] = below " bind/lua"
	may["bind/geometry"] = may["bind/lua"] " bind/geometry"
	may["bind/world"] = may["bind/geometry"] " bind/world"
	may["bind/draw"] = may["bind/world"] " bind/draw"
	may["bind"] = may["bind/draw"] " bind"
	may["view"] = "view"
	may["host"] = "host"
	plain = " assert ctype errno float inttypes limits math setjmp stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string "
	lua = " lua lauxlib lualib luajit luaconf "
	list["base"] = plain "pthread sched semaphore time unistd "
	list["spatial"] = list["core"] = list["d2"] = list["d3"] = plain
	list["bind"] = plain lua "pthread windows "
	list["view"] = plain lua "SDL EGL/egl EGL/eglext GL/glcorearb cairo "
	list["host"] = plain lua "dirent fcntl io signal time unistd windows sys/stat sys/types "
}
function wing(d) {
	may[d] = "base spatial " d
	may[d "/shape"] = may[d] " " d "/shape"
	may[d "/query"] = may[d "/shape"] " " d "/query"
	may[d "/process"] = may[d "/query"] " " d "/process"
	may[d "/manifold"] = may[d "/query"] " " d "/manifold"
	may[d "/dynamics"] = may[d "/manifold"] " " d "/dynamics core"
}
function offence(why) {
	printf "%s:%d: %s: %s\n", FILENAME, FNR, statement, why
	count++
}
function folder(path) {
	if (path !~ /\//) return ""
	sub(/\/[^\/]*$/, "", path)
	return path
}
function unit(path) {
	sub(/(\.wide)?\.[ch]$/, "", path)
	return path
}
FNR == 1 {
	path = substr(FILENAME, length(src) + 2)
	room = folder(path)
	floor = room
	sub(/\/.*/, "", floor)
	statement = room
	if (!(room in may)) offence("no room of this name")
	rest = ""
	if (path ~ /\.c$/) source[unit(path)] = 1
}
{
	line = rest $0
	rest = ""
	if (sub(/\\$/, "", line)) { rest = line; next }
	gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
	sub(/^[ \t]*(%:|\?\?=)/, "#", line)
}
line ~ /^[ \t]*#[ \t]*(include|import)/ {
	statement = line
	sub(/^[ \t]+/, "", statement)
	name = statement
	sub(/^#[ \t]*[a-z_]+[ \t]*/, "", name)
	angle = name ~ /^</
	if (statement !~ /^#[ \t]*include[ \t]*["<]/) { offence("only #include \"path\" and #include <path>"); next }
	name = substr(name, 2)
	sub(/[">].*/, "", name)
	of = folder(name)
	header = name
	sub(/\.h$/, "", header)
	if (name ~ /^\/|^\.|\/\./) offence("not by its path from src/")
	else if (of in may && angle) offence("the project's own headers stand in quotes")
	else if (of in may && index(" " may[room] " ", " " of " ")) {
		if (of == room && unit(name) != unit(path)) includes[unit(path)] = includes[unit(path)] " " unit(name)
	}
	else if (of in may) offence(room " may not include " of)
	else if (index(list[floor], " " header " ") && (angle || index(lua, " " header " "))) next
	else if (index(lua, " " header " ")) offence("Lua is not for " floor)
	else if (angle) offence("not among the system headers of " floor)
	else offence("not by its path from src/")
}
# The files with a .c that u includes, by itself or through headers that have none, which are parts of those that include them.
function expand(u, origin, seen,    n, i, list) {
	n = split(includes[u], list, " ")
	for (i = 1; i <= n; i++) {
		if (list[i] == origin || (list[i] in seen)) continue
		seen[list[i]] = 1
		if (list[i] in source) needs[origin] = needs[origin] " " list[i]
		else expand(list[i], origin, seen)
	}
}
# Depth first; `state` is 1 on the path to here, 2 when all below has been seen.
function follow(u, trail,    n, i, list) {
	state[u] = 1
	n = split(needs[u], list, " ")
	for (i = 1; i <= n; i++) {
		if (state[list[i]] == 1) {
			printf "circle: %s %s %s\n", trail, u, list[i]
			count++
		} else if (!state[list[i]]) follow(list[i], trail " " u)
	}
	state[u] = 2
}
END {
	for (u in source) { split("", seen); expand(u, u, seen) }
	for (u in source) if (!state[u]) follow(u, "")
	if (count) { printf "floors: %d broken\n", count; exit 1 }
	print "floors: they stand"
}
