-- How the Makefile installs: what it needs, by stand-ins for apt and the compiler, and the program and the module.

local lu, support = require "luaunit", require "support"
local quote, read, shell = support.quote, support.read, support.shell

if support.windows then return end

TestInstall = {}

local root = (debug.getinfo(1, "S").source:match "^@(.-)[^/]*$") .. ".."
local folder -- of this test alone

-- A program that goes before others of its name.
local function stand_in(name, text)
	support.write(folder .. "/bin/" .. name, "#!/bin/sh\n" .. text .. "\n")
	shell("chmod +x " .. quote(folder .. "/bin/" .. name))
end

-- The command's output and errors as one text, and its exit code. Without settings of a make that runs the tests.
local function run(command)
	local said = shell(("cd %s && export PATH=%s:$PATH; unset MAKEFLAGS MAKELEVEL MFLAGS; (%s) 2>&1; echo $?"):format(quote(root), quote(folder .. "/bin"), command))
	local text, code = said:match "^(.-)(%d+)\n$"
	return text, tonumber(code)
end

function TestInstall.setUp()
	folder = shell("mktemp -d"):match "[^\n]+"
	shell("mkdir " .. quote(folder .. "/bin"))
	-- A root with a machine on which nothing is installed.
	stand_in("id", "echo 0")
	stand_in("sudo", "exit 1")
	stand_in("sleep", "")
	stand_in("dpkg-query", "exit 1")
	stand_in("apt-get", ([[
echo "$*" >>%s/calls
case $* in
*--assume-no*)
	echo "0 upgraded, 29 newly installed, 0 to remove and 10 not upgraded."
	echo "Need to get 9090 kB of archives."
	echo "After this operation, 36.9 MB of additional disk space will be used.";;
esac]]):format(folder))
end

function TestInstall.tearDown()
	shell("rm -r " .. quote(folder))
end

-- Packages ------------------------------------------------------------------------------------------------------------------------

function TestInstall.test_an_installation_is_announced_with_its_size()
	local said, code = run ".ci/packages lua-unit pkg-config"
	lu.assertEquals({ said, code }, { "make: installing lua-unit pkg-config by apt: 29 packages, 9090 kB to download, 36.9 MB on disk\n", 0 })
	lu.assertStrMatches(read(folder .. "/calls"), "[^\n]* update\n[^\n]*%-%-assume%-no[^\n]*\n[^\n]*%-y %-%-no%-install%-recommends install lua%-unit pkg%-config\n")
end

function TestInstall.test_what_is_installed_is_left_alone()
	stand_in("dpkg-query", "echo installed")
	lu.assertEquals({ run ".ci/packages lua-unit pkg-config" }, { "", 0 })
	lu.assertNil(read(folder .. "/calls"))
end

function TestInstall.test_only_missing_packages_are_installed()
	stand_in("dpkg-query", 'case $* in *lua-unit*) echo "installed installed ";; *pkg-config*) echo "not-installed ";; *) exit 1;; esac')
	lu.assertStrContains(run ".ci/packages lua-unit pkg-config gcc", "make: installing pkg-config gcc by apt: ")
end

-- apt itself waits for no lock when it updates.
function TestInstall.test_it_waits_while_another_program_uses_apt()
	stand_in("apt-get", ([[
case $* in *--assume-no*) exit;; esac
echo >>%s/calls
[ $(wc -l <%s/calls) -gt 3 ] || { echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)"; exit 100; }]]):format(folder, folder))
	local said, code = run ".ci/packages lua-unit"
	lu.assertEquals({ said, code },
		{ "make: waiting for another program that uses apt\nmake: installing lua-unit by apt: size unknown\n", 0 })
end

function TestInstall.test_it_does_not_wait_for_ever()
	stand_in("apt-get", "echo 'E: Could not get lock /var/lib/dpkg/lock-frontend'; exit 100")
	local said, code = run ".ci/packages lua-unit"
	lu.assertStrContains(said, "E: Could not get lock /var/lib/dpkg/lock-frontend\n")
	lu.assertEquals(code, 1)
end

function TestInstall.test_what_apt_cannot_install_fails_with_apts_message()
	stand_in("apt-get", "case $* in *' update') ;; *) echo 'E: Unable to locate package no-such-package'; exit 100;; esac")
	local said, code = run ".ci/packages no-such-package"
	lu.assertStrContains(said, "E: Unable to locate package no-such-package\n")
	lu.assertEquals(code, 1)
end

function TestInstall.test_without_rights_the_command_is_printed()
	stand_in("id", "echo 1000")
	lu.assertEquals({ run ".ci/packages lua-unit gcc" },
		{ "make: missing: lua-unit gcc. Please type:  sudo sh -c 'apt-get update && apt-get install --no-install-recommends lua-unit gcc'\n", 1 })
	lu.assertNil(read(folder .. "/calls"))
end

function TestInstall.test_with_sudo_the_installation_is_by_sudo()
	stand_in("id", "echo 1000")
	stand_in("sudo", ('echo "$*" >>%s/sudo; shift; exec "$@"'):format(folder))
	lu.assertEquals(select(2, run ".ci/packages lua-unit"), 0)
	lu.assertStrMatches(read(folder .. "/sudo"), "%-n true\n%-n env [^\n]*apt%-get %-q update\n%-n env [^\n]*install lua%-unit\n")
end

function TestInstall.test_without_apt_the_names_are_printed()
	lu.assertEquals({ run "PATH=/nowhere; .ci/packages lua-unit gcc" }, { "make: please install what Debian calls lua-unit gcc\n", 1 })
end

-- Building ------------------------------------------------------------------------------------------------------------------------

-- A compiler that compiles nothing, and lists in `compiled` what for.
local function fake_compiler(rest)
	stand_in("fake-cc", ([[
out=; for word; do [ "$last" != -o ] || out=$word; last=$word; done
case $* in
-dumpmachine) echo x86_64-linux-gnu;;
%s
*-o*) echo "$out" >>%s/compiled; : >$out;;
esac]]):format(rest or "", folder))
	return ("make -s CC=fake-cc OBJ=%s/obj OUT=%s/out "):format(folder, folder)
end

-- Debian's gcc does not depend on the C library's headers.
function TestInstall.test_what_is_missing_is_said_before_anything_is_compiled()
	stand_in("id", "echo 1000")
	stand_in("pkg-config", "exit 1")
	local make = fake_compiler "*-E*) exit 1;;"
	local said, code = run(make .. "LUA=lua5.4 run")
	lu.assertStrMatches(said, "make: missing: libc6%-dev pkg%-config liblua5.4%-dev lua%-unit%. Please type:  sudo .*")
	lu.assertEquals(code, 2)
	lu.assertNil(read(folder .. "/compiled"))
	said = run(make .. "CC=no-such-cc LUA=luajit run")
	lu.assertStrMatches(said, "make: missing: no%-such%-cc libc6%-dev pkg%-config libluajit%-5.1%-dev lua%-unit%. .*")
end

function TestInstall.test_other_headers_of_lua_rebuild_what_includes_them()
	local object = folder .. "/obj/lua5.4/host/paths.o"
	local command = fake_compiler() .. "LUA=lua5.4 LUA_LIBS= " .. object .. " LUA_CFLAGS="
	lu.assertEquals({ run(command .. "-I/lua5.1") }, { "", 0 })
	lu.assertEquals({ run(command .. "-I/lua5.1") }, { "", 0 })
	lu.assertEquals(read(folder .. "/compiled"), object .. "\n")
	lu.assertEquals({ run(command .. "-I/lua5.4") }, { "", 0 })
	lu.assertEquals(read(folder .. "/compiled"), object .. "\n" .. object .. "\n")
end

-- Installation --------------------------------------------------------------------------------------------------------------------

local out = arg[-1]:match "(build[%w/-]*)/host$"
local lua = jit and "luajit" or _VERSION:gsub("Lua ", "lua")

local function files_of(place)
	return shell(("cd %s && find . -type f | sort"):format(quote(place)))
end

-- All files in Lua, by their paths from lua/.
local function lua_files()
	return shell(("cd %s/lua && find collide -name '*.lua'"):format(quote(root))):gmatch "[^\n]+"
end

function TestInstall.test_an_installation_is_whole_and_can_be_removed()
	if not out then return end
	local make = ("make -s LUA=%s OUT=%s DESTDIR=%s PREFIX=/opt/games "):format(lua, out, quote(folder .. "/to"))
	local place = folder .. "/to/opt/games"
	shell(("mkdir -p %s/bin && touch %s/bin/host"):format(quote(place), quote(place)))
	local said, code = run(make .. "-o all install")
	lu.assertEquals({ code, said:match "^installed [^\n]*\n(.*)" }, { 0, "" })
	local version = _VERSION:match "%d.%d"
	local files = files_of(place)
	for name in lua_files() do lu.assertStrContains(files, ("./share/lua/%s/%s\n"):format(version, name)) end
	lu.assertStrContains(files, "./share/doc/collide/README.md\n")
	-- The program, from any folder; and the module, for programs that know its folder.
	local program = quote(place .. "/bin/collide")
	lu.assertEquals(run(("cd / && %s -e 'require \"collide.svg\" print(require(\"collide\").version)'"):format(program)), require("collide").version .. "\n")
	lu.assertEquals(run(("nm %s %s/lib/lua/%s/collide.so 2>&1 | grep -c 'no symbols'"):format(program, place, version)), "2\n")
	run(make .. "uninstall")
	lu.assertEquals(files_of(place), "./bin/host\n")
end

function TestInstall.test_a_prefix_may_have_any_letters()
	if not out then return end
	local odd = folder .. "/it's a place"
	local make = ("make -s LUA=%s OUT=%s PREFIX=%s "):format(lua, out, quote(odd))
	shell(("mkdir -p %s && touch %s"):format(quote(folder .. "/it's"), quote(folder .. "/it's/mine")))
	local said, code = run(make .. "-o all install")
	lu.assertEquals({ code, said:match "^installed [^\n]*\n(.*)" }, { 0, "" })
	lu.assertEquals(run(quote(odd .. "/bin/collide") .. " -e 'print(7)'"), "7\n")
	run(make .. "uninstall")
	lu.assertEquals(files_of(odd), "")
	lu.assertEquals(files_of(folder .. "/it's"), "./mine\n")
end

-- A folder stands for what may not be removed.
function TestInstall.test_what_cannot_be_uninstalled_gets_a_hint()
	if not out then return end
	shell(("mkdir -p %s/p/bin/collide"):format(quote(folder)))
	local said, code = run(("make -s PREFIX=%s uninstall"):format(quote(folder .. "/p")))
	lu.assertStrContains(said, "uninstall: without the right to delete there, type sudo make uninstall, with the PREFIX of the installation\n")
	lu.assertEquals(code, 2)
end

-- `.ci/run` makes a rock.
function TestInstall.test_the_rock_has_all_files()
	local rock = {}
	assert(loadfile(root .. "/collide-scm-1.rockspec", "t", rock))()
	local command = "make -s -n -o rock " .. rock.build.install_target
	for _, variables in ipairs { rock.build.variables, rock.build.install_variables } do
		for name, value in pairs(variables) do command = ("%s %s=%s"):format(command, name, quote((value:gsub("%$%((%w+)%)", "/rock/%1")))) end
	end
	local said, code = run(command)
	lu.assertEquals(code, 0)
	local modules, files = said:match "for file in ([^;]*); do install [^;]*'/rock/LIBDIR'", said:match "for file in ([^;]*); do install [^;]*'/rock/LUADIR'"
	lu.assertStrMatches(modules .. " ", "collide.so collide/host/native.so .*")
	for name in lua_files() do lu.assertStrContains(files .. " ", name .. " ") end
	lu.assertNotNil(read(root .. "/" .. rock.build.install.bin.collide))
end
