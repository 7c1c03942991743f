#!/bin/bash
# Finds reads of uninitialized memory, under valgrind. None of the sanitizers in use finds them, as Lua is not built with these.
set -euo pipefail
command -v valgrind >/dev/null || { echo "memcheck: valgrind is not installed"; exit 1; }
for test in linkages rebounds ahead joints continuous platforms space_joints; do
	valgrind -q --error-exitcode=9 build/host --test "tests/test_$test.lua"
done
for dimension in 2 3; do
	valgrind -q --error-exitcode=9 build/host tests/deep/escapes.lua 400 1 "$dimension"
done
