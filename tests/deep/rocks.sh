#!/bin/bash
# rocks.sh VERSION ...: builds the rock for these versions of Lua, and runs a scenario by each. A rock has all files, and is for the Lua that luarocks names,
# whatever has been built before.
set -euo pipefail
cd "$(dirname "$0")/../.."
for version in "$@"; do
	luarocks --lua-version "$version" --tree build/rocks make
	diff <(cd lua && find collide -name '*.lua' | sort) <(cd "build/rocks/share/lua/$version" && find collide -name '*.lua' | sort)
	build/rocks/bin/collide --version | grep "Lua $version"
	build/rocks/bin/collide scripts/arch.lua
done
