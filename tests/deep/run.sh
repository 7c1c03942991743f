#!/bin/bash
# Runs the stages of `make deep`, the checks that take too long for every change: as many at a time as there are cores, the longest first. Each writes
# build/deep/STAGE.log; the last lines sum up. DEEP='zoo soak' runs some of the stages, and builds only what these need.
set -uo pipefail
cd "$(dirname "$0")/../.."
logs=build/deep
mkdir -p "$logs"

# Windows, if it can be built and run here.
windows= windows_test="echo 'wine or mingw is not installed, left out'"
if command -v wine >/dev/null && command -v x86_64-w64-mingw32-gcc >/dev/null; then
	windows=build/windows windows_test='make -s CROSS=x86_64-w64-mingw32 test OOM_STRIDE=131'
fi

# Each stage's name, the build that it needs, and its command.
stages=(
	"asan       asan     make -s asan OOM_STRIDE=7"
	"scenarios  release  tests/deep/scenarios.sh"
	"hash       hash     make -s hash HASH_ALSO=$windows HASH_ARGS='--quiet --json --seconds 5'"
	"tsan       tsan     make -s tsan"
	"test       release  make -s test OOM_STRIDE=1"
	"luajit     luajit   make -s test LUA=luajit OUT=build/luajit"
	"zoo        release  build/host tests/deep/zoo.lua 12"
	"soak       release  build/host tests/deep/soak.lua 60"
	"zoo-asan   asan     build/asan/host tests/deep/zoo.lua 1"
	"zoo-tsan   tsan     setarch $(uname -m) -R build/tsan/host tests/deep/zoo.lua 1"
	"movers     release  MOVER_MOVES=500000 build/host --test tests/ -p random_moves_in_random_rooms"
	"snapshots  asan     SNAPSHOT_STRIDE=5 SNAPSHOT_MUTATIONS=60000 build/asan/host --test tests/ -p right_checksum"
	"escapes    release  build/host tests/deep/escapes.lua 5000"
	"soak-asan  asan     build/asan/host tests/deep/soak.lua 1"
	"memcheck   release  tests/deep/memcheck.sh"
	"windows    hash     $windows_test"
	"rocks      release  tests/deep/rocks.sh 5.4 5.1"
	"syntax     none     make -s CC=clang LUA=luajit OUT=build/clang-luajit WERROR=1 syntax"
	"floors     none     make -s floors"
	"lint       none     make -s lint"
)

build() {
	case $1 in
	none) ;;
	release) make -s -j"$(nproc)" all build/oom build/manifold build/archive ;;
	luajit) make -s -j"$(nproc)" LUA=luajit OUT=build/luajit all build/luajit/oom build/luajit/manifold build/luajit/archive ;;
	asan) make -s -j"$(nproc)" VARIANT=asan all build/asan/oom build/asan/manifold build/asan/archive && make -s asan-builds ;;
	tsan) make -s -j"$(nproc)" VARIANT=tsan ;;
	hash)
		make -s -j"$(nproc)" hash-builds && { [ -z "$windows" ] || {
			make -s -j"$(nproc)" CROSS=x86_64-w64-mingw32 &&
				make -s -j"$(nproc)" CROSS=x86_64-w64-mingw32 LUA=luajit OUT=build/windows-luajit build/windows-luajit/collide.dll
		}; }
		;;
	esac
}

stage() {
	local name=$1 began=$SECONDS result=ok
	shift
	bash -c "$*" >"$logs/$name.log" 2>&1 || result=FAILED
	printf '%-10s %-6s %5d s  %s\n' "$name" "$result" $((SECONDS - began)) "$(grep -v '^OK$' "$logs/$name.log" | tail -n 1 | cut -c 1-150)" >>"$logs/summary"
}
export -f stage
export logs

: >"$logs/summary"
chosen=() built=' '
for line in "${stages[@]}"; do
	read -r name needs command <<<"$line"
	[[ -z ${DEEP:-} || " $DEEP " == *" $name "* ]] || continue
	chosen+=("$name" "$command")
	[[ $built == *" $needs "* ]] && continue
	built+="$needs "
	build "$needs" >"$logs/build.log" 2>&1 || { tail -n 20 "$logs/build.log"; echo "deep: the build for $name failed"; exit 1; }
done
printf '%s\0' "${chosen[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c 'stage "$0" "$1"'

grep FAILED "$logs/summary" | while read -r name _; do
	printf '\n== %s\n' "$name"
	tail -n 40 "$logs/$name.log"
done
printf '\n'
cat "$logs/summary"
echo "deep: $(grep -c ' ok ' "$logs/summary") of $(wc -l <"$logs/summary") stages passed in $SECONDS s, $(git rev-parse --short HEAD 2>/dev/null)$(git diff --quiet 2>/dev/null || echo ', with changes')"
! grep -q FAILED "$logs/summary"
