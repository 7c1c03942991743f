#!/bin/bash
# What `make deep` runs: all that is too long for every change, as many stages at a time as there are cores, the longest first. Each writes to
# build/deep/STAGE.log; the last lines sum up. DEEP='zoo soak' runs some of the stages.
set -uo pipefail
cd "$(dirname "$0")/../.."
export WERROR=1
logs=build/deep
mkdir -p "$logs"

# A stage of its own: its name, and what it runs. Builds that several need come first.
stages=(
	"asan        make -s asan OOM_STRIDE=7"
	"scenarios   tests/deep/scenarios.sh"
	"hash        make -s hash HASH_ARGS='--quiet --json --seconds 5'"
	"tsan        make -s tsan"
	"test        make -s test OOM_STRIDE=1"
	"luajit      make -s test LUA=luajit OUT=build/luajit"
	"zoo         build/host tests/deep/zoo.lua 12"
	"soak        build/host tests/deep/soak.lua 60"
	"zoo-asan    build/asan/host tests/deep/zoo.lua 1"
	"zoo-tsan    setarch $(uname -m) -R build/tsan/host tests/deep/zoo.lua 1"
	"soak-asan   build/asan/host tests/deep/soak.lua 1"
	"floors      make -s floors"
	"lint        make -s lint"
)

build() {
	make -s -j"$(nproc)" all build/oom build/manifold &&
		make -s -j"$(nproc)" LUA=luajit OUT=build/luajit all build/luajit/oom build/luajit/manifold &&
		make -s -j"$(nproc)" VARIANT=asan all build/asan/oom build/asan/manifold &&
		make -s -j"$(nproc)" VARIANT=tsan &&
		make -s -j"$(nproc)" asan-builds hash-builds
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
build >"$logs/build.log" 2>&1 || { tail -n 20 "$logs/build.log"; echo "deep: the build failed"; exit 1; }
for line in "${stages[@]}"; do
	read -r name command <<<"$line"
	[[ -n ${DEEP:-} && " $DEEP " != *" $name "* ]] || printf '%s\0%s\0' "$name" "$command"
done | xargs -0 -n 2 -P "$(nproc)" bash -c 'stage "$0" "$1"'

grep FAILED "$logs/summary" | while read -r name _; do
	printf '\n== %s\n' "$name"
	tail -n 40 "$logs/$name.log"
done
printf '\n'
cat "$logs/summary"
echo "deep: $(grep -c ' ok ' "$logs/summary") of $(wc -l <"$logs/summary") stages passed in $SECONDS s, $(git rev-parse --short HEAD 2>/dev/null)$(git diff --quiet 2>/dev/null || echo ', with changes')"
! grep -q FAILED "$logs/summary"
