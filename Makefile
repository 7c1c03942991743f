# collide: build/collide.so, the Lua module, and build/host, which runs scripts with it; build/collide/view.so, which draws, if its libraries are installed.
#
#   make            all of them                        make floors   checks which file may include which
#   make run        and then the pyramid               make hash     checks for one result from all compilers, levels and lanes
#   make test       and then all tests                 make lint     clang-tidy and cppcheck, if installed
#   make asan       all tests: wrong addresses, leaks, make install, make uninstall   to PREFIX (/usr/local), as the program collide
#                   undefined behaviour (ubsan, too)   make clean
#   make tsan       tests of workers: races            make view     installs the libraries of drawing, and builds it
#   make format     C by clang-format 14               make format-check   checks the format
#   make deep       up to an hour: all scenarios at all rates, the zoo, soaks, hashes, sanitizers; DEEP='zoo soak' chooses among its stages
#   make gallery    a picture of each scenario, in build/gallery
#   make love       the example for LÖVE, packed, with the module for LuaJIT, in build/love
#   make bench      the cost of each scene in scripts/bench, beside Box2D's with BOX2D=folder and Box3D's with BOX3D=folder: build/bench.md, .json
#   make bench-geometry   ns a call of the collision systems, beside BOX2D=folder and BOX3D=folder, if these are built
#
# Windows, by mingw (Debian: gcc-mingw-w64-x86-64-win32), each in a folder to copy there: collide.dll, host.exe and Lua's DLL, which is made of Debian's source.
#   make CROSS=x86_64-w64-mingw32                                     for Lua 5.4, in build/windows
#   make CROSS=x86_64-w64-mingw32 LUA=luajit OUT=build/windows-luajit  for LuaJIT, LÖVE and Lua 5.1
# The goals run and test run them by wine, if it is installed (Debian: wine, wine64).
#
# LUA=luajit builds for the 5.1 API; CC=clang uses another compiler; WERROR=1 makes warnings errors.
# LUA_CFLAGS and LUA_LIBS, if given, replace pkg-config's answers.
# V=1 shows the commands. ARGS are passed to the scenario of `make run`, and to LuaUnit by `make test`: make test ARGS='-p FreeFall -v'.

# A single goal is built on all cores, unless -j says how many.
ifeq ($(MAKELEVEL)$(word 2,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

LUA ?= lua5.4
PREFIX ?= /usr/local
ifneq ($(CROSS),)
CC := $(CROSS)-gcc
else ifeq ($(origin CC),default)
CC := gcc
endif
MACHINE := $(firstword $(subst -, ,$(or $(CROSS),$(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m))))

quietly = $(if $(V),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $1'; ))

# A variant is a way to compile: its flags, and its output folder. Each compiler and variant has its own object folder; objects of files that include lua.h
# have one per Lua as well.
VARIANT ?= release
flags_release := -O3 -DNDEBUG
flags_asan    := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
flags_tsan    := -O1 -fno-omit-frame-pointer -fsanitize=thread
flags_O0      := -O0
OUT ?= $(if $(CROSS),build/windows,$(if $(filter release,$(VARIANT)),build,build/$(VARIANT)))
OBJ := build/obj/$(notdir $(CC))-$(VARIANT)
LUA_OBJ := $(OBJ)/$(notdir $(LUA))

# -g1 is enough for line numbers; with -g gcc takes half as long again. CFLAGS=-g is for debuggers.
COMPILE = $(CC) -std=c17 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes $(if $(WERROR),-Werror) \
	-fvisibility=hidden -ffp-contract=off -fno-math-errno -g1 -fPIC -pthread -Isrc $(flags_$(VARIANT)) $(with_lanes) $(CFLAGS)
LINK = $(CC) -pthread $(flags_$(VARIANT)) $(LDFLAGS)

# The names under which pkg-config may know this Lua, and the first that it knows. pkg-config runs when the first recipe needs its answer, since `packages`
# may install it, and only once: a call costs more than a tenth of a small file's compilation.
once = $(or $($1),$(eval $1 := $$(shell $2))$($1))
lua_names := $(LUA) $(LUA:lua5.%=lua-5.%) $(LUA:lua5.%=lua5%)
lua_name   = $(call once,lua_known,for name in $(lua_names); do pkg-config --exists $$$$name 2>/dev/null && echo $$$$name && break; done)
LUA_CFLAGS ?= $(call once,lua_cflags,pkg-config --cflags $(lua_name))
LUA_LIBS   ?= $(call once,lua_libs,pkg-config --libs $(lua_name))
ifneq ($(CROSS),)
lua_dll := $(if $(filter luajit,$(LUA)),lua51,$(subst .,,$(LUA))).dll
LUA_LIBS := $(OUT)/lib$(lua_dll).a
endif
lua_folder := $(if $(filter luajit,$(LUA)),5.1,$(LUA:lua%=%))
lua_package := $(if $(filter luajit,$(LUA)),libluajit-5.1-dev,lib$(LUA)-dev)

# *.wide.c is compiled once per number of lanes; 8 need AVX2. CHECK_LANES=1 leaves out 4 and 8 in builds that only check: half of their time.
CHECK_LANES ?= 1 4 8
lanes := $(if $(filter asan tsan,$(VARIANT))$(CROSS),$(CHECK_LANES),1 4 8)
lanes := $(filter-out $(if $(filter x86_64,$(MACHINE)),,8),$(lanes))
with_lanes := $(patsubst %,-DWITH_%_LANES,$(filter 4 8,$(lanes)))
wide := $(wildcard src/*/*.wide.c src/*/*/*.wide.c)
engine := $(filter-out $(wide),$(wildcard $(patsubst %,src/%/*.c,base spatial core d2/* d3/*)))
binding := $(wildcard src/bind/*.c src/bind/*/*.c)
engine_objects := $(engine:src/%.c=$(OBJ)/%.o) $(foreach n,$(lanes),$(wide:src/%.c=$(OBJ)/%.$n.o))
module_objects := $(engine_objects) $(patsubst src/%.c,$(LUA_OBJ)/%.o,$(binding))
host_objects := $(patsubst src/%.c,$(LUA_OBJ)/%.o,$(wildcard src/host/*.c))

# Drawing has more dependencies than the module; it is built if pkg-config finds them all, or if `make view` has unpacked their headers: Debian's -dev packages
# would install 100 others, from Python to audio. Drivers leak, and their locks look like races: so builds with LeakSanitizer (asan) or ThreadSanitizer leave it
# out. build/asan-view has it.
view_libraries := sdl2 egl opengl cairo
view_packages := libsdl2-2.0-0 libegl1 libopengl0 libgl1 libcairo2 libgl1-mesa-dri
view_headers := build/headers/usr/include
view_ready := $(shell pkg-config --exists $(view_libraries) 2>/dev/null && echo installed)
ifneq ($(view_ready),)
view_cflags := $(shell pkg-config --cflags $(view_libraries))
view_libs = $(call once,view_libs_known,pkg-config --libs $(view_libraries))
else
view_ready := $(wildcard $(view_headers))
view_cflags := -DEGL_NO_X11 $(patsubst %,-isystem %,$(view_headers) $(wildcard $(patsubst %,$(view_headers)/%,*-linux-gnu SDL2 cairo)))
view_libs := -l:libSDL2-2.0.so.0 -l:libEGL.so.1 -l:libOpenGL.so.0 -l:libcairo.so.2
endif
view := $(if $(view_ready),$(if $(CROSS)$(filter build/asan build/tsan,$(OUT)),,$(OUT)/collide/view.so))
view_objects := $(patsubst src/%.c,$(LUA_OBJ)/%.o,$(wildcard src/view/*.c))

# On Windows a library has other libraries linked in, but for Lua and the system's, and a program finds Lua's API in Lua's DLL. Elsewhere modules find it in the
# program, which links all of a static library. The module stays loaded until the process ends: LuaJIT closes its libraries before it runs the last finalizers,
# which are ours (on Windows see module.c).
ifneq ($(CROSS),)
module := $(OUT)/collide.dll
exe := .exe
link_module = -shared -static -s
exports = $(CROSS)-objdump -p $@ | awk '/^\tDLL Name/ && $$3 !~ /^(KERNEL32|msvcrt|$(lua_dll))/ { print "(nothing, but needs " $$3 ")" } \
	/^\[Ordinal/ { names = 1 } names && /^\t\[/ && $$NF !~ /^luaopen_collide/ { print $$NF }'
link_program = -static -s $(LUA_LIBS)
lua_link := $(LUA_LIBS)
native := $(if $(filter luajit,$(LUA)),build/luajit,build)
else
module := $(OUT)/collide.so
link_module = -shared -Wl,-z,nodelete
exports = nm -D --defined-only $@ | awk '$$2 ~ /[A-Z]/ && $$3 !~ /^(luaopen_collide|_)/ { print $$3 }'
link_program = -rdynamic -Wl,--whole-archive $(LUA_LIBS) -Wl,--no-whole-archive
endif

all: $(module) $(OUT)/host $(view)

run: all
	$(OUT)/host scripts/pyramid.lua $(ARGS)

test: luaunit
	@$(MAKE) --no-print-directory all $(addprefix $(OUT)/,$(fuzz))
	$(if $(filter manifold,$(fuzz)),$(RUN) $(OUT)/manifold)
	$(if $(filter archive,$(fuzz)),$(RUN) $(OUT)/archive)
	$(if $(filter oom,$(fuzz)),$(RUN) $(OUT)/oom $(OUT) tests/fuzz/oom.lua $(OOM_STRIDE))
	$(RUN) $(OUT)/host --test tests/ $(ARGS)
	$(if $(CROSS),$(MAKE) --no-print-directory CROSS= OUT=$(native) all && TESTED_HOST=$(OUT)/host $(native)/host --test tests/ -p Host -p Pictures -p Readme -p Lanes)

# Fails every allocation of a script in turn (or each OOM_STRIDE-th). It has its own allocator for the Lua state, so it links Lua itself. OOM_STRIDE=0 leaves
# out all programs of tests/fuzz, fuzz=oom all but this one.
OOM_STRIDE ?= 11
fuzz = $(if $(filter 0,$(OOM_STRIDE)),,oom manifold archive)
$(OUT)/oom$(exe): tests/fuzz/oom.c $(OUT)/flags $(lua_link)
	$(call quietly,LINK $@)$(COMPILE) $(LUA_CFLAGS) -o $@ $< $(link_program) -lm

# They check the manifolds of 3D against exact distances, and shapes read from good and bad bytes. They call functions that are not exported, so they link the
# objects.
$(OUT)/archive$(exe): tests/fuzz/archive_d2.c tests/fuzz/archive_d3.c tests/fuzz/archive.h
$(OUT)/manifold$(exe) $(OUT)/archive$(exe): $(OUT)/%$(exe): tests/fuzz/%.c $(engine_objects) $(OUT)/flags
	$(call quietly,LINK $@)$(COMPILE) -o $@ $(filter %.c %.o,$^) $(if $(CROSS),-static) -lm

# Only luaopen_* may be visible: other modules in the process have names of their own. (__* are the sanitizers'.)
$(module): $(module_objects) $(OUT)/flags $(lua_link)
	$(call quietly,LINK $@)$(LINK) $(link_module) -o $@ $(module_objects) $(lua_link) -lm
	@seen=$$($(exports)); \
	if [ -n "$$seen" ]; then echo "$@ exports more than luaopen_collide*:" $$seen >&2; rm $@; exit 1; fi

# Loaded drivers cannot be unloaded safely while their threads live: the module stays until the process ends.
$(OUT)/collide/view.so: $(view_objects) $(OUT)/flags
	@mkdir -p $(@D)
	$(call quietly,LINK $@)$(LINK) -shared -Wl,-z,nodelete -o $@ $(view_objects) $(view_libs) -lm

# A Makefile that is read anew knows what has been installed.
view: also := $(if $(view_ready),,$(view_packages))
view: packages
	$(if $(view_ready),,@.ci/packages --headers build/headers libsdl2-dev libegl-dev libgl-dev libcairo2-dev)
	@$(MAKE) --no-print-directory all

# Pictures of the start and end of each scenario; the checks must pass.
gallery: all
	@mkdir -p build/gallery; \
	for script in $(wildcard scripts/*.lua scripts/demos/*.lua); do \
		name=build/gallery/$$(basename $$script .lua); echo "  $$name.png"; \
		$(OUT)/host --quiet --at 0 --shot $$name-start.png $$script >/dev/null && \
		$(OUT)/host --quiet --shot $$name.png $$script >/dev/null || exit 1; \
	done

# The example for LÖVE, packed with the Lua modules that it requires, and collide.so for LuaJIT beside it: love build/love/towers.love
love:
	@command -v zip >/dev/null || { $(call install_by_apt,zip); }
	@$(MAKE) --no-print-directory LUA=luajit OUT=build/luajit build/luajit/collide.so
	@mkdir -p build/love && rm -f build/love/* && cp build/luajit/collide.so build/love
	@cd scripts/love && zip -q ../../build/love/towers.love *.lua
	@cd lua && zip -q ../build/love/towers.love collide/palette.lua collide/draw/*.lua

$(OUT)/host$(exe): $(host_objects) $(OUT)/flags $(lua_link) | $(if $(CROSS)$(filter build,$(OUT)),,build/lua)
	$(call quietly,LINK $@)$(LINK) -o $@ $(host_objects) $(link_program) -lm

# The host looks for ../lua beside its own folder; with this link build/asan/host finds it, too.
build/lua:
	@mkdir -p build && ln -sfn ../lua $@

ifneq ($(CROSS),)
# A program's name without .exe is a script that runs it by wine. To Windows it means the .exe.
$(OUT)/host: $(OUT)/$(lua_dll) $(OUT)/lua
$(patsubst %,$(OUT)/%,host oom manifold archive): $(OUT)/%: $(OUT)/%.exe
	@printf '#!/bin/sh\nLUA_PATH="$${LUA_PATH-/usr/share/lua/$(lua_folder)/?.lua;;}" WINEDEBUG=$${WINEDEBUG--all} exec wine "$$(readlink -f "$$0").exe" "$$@"\n' >$@
	@chmod +x $@

# The folder can be copied to Windows as a whole.
$(OUT)/lua:
	@mkdir -p $(@D) && ln -sfn '$(CURDIR)/lua' $@

# An import library: the functions that Lua's headers declare.
$(LUA_LIBS): | packages
	@mkdir -p $(@D)
	@{ printf 'LIBRARY $(lua_dll)\nEXPORTS\n'; printf '#include <%s.h>\n' lua lauxlib lualib | $(CC) $(LUA_CFLAGS) -E -P - | \
		grep -oE '\<lua(|L|open)_[a-z_]+\>\)? *\(' | tr -d '() ' | sort -u; } >$(OUT)/$(lua_dll).def
	@$(CROSS)-dlltool -d $(OUT)/$(lua_dll).def -l $@

# Lua itself, unless there is one in the folder already, of the source of Debian's package. apt gets it without root, and without deb-src in its settings.
apt := apt-get -q $(patsubst %,-o Dir::%,Etc::SourceList=/dev/null Etc::SourceParts=$$PWD State::Lists=$$PWD/lists Cache=$$PWD/cache) -o APT::Sandbox::User=
lua_source := build/$(LUA)-source
$(OUT)/$(lua_dll): | packages
	@$(call install_by_apt,dpkg-dev)
	@rm -rf $(lua_source); mkdir -p $(lua_source)/lists/partial $(lua_source)/cache/archives/partial $(@D)
	@cd /etc/apt && sed -n 's/^deb /deb-src /p' $$(ls sources.list sources.list.d/*.list 2>/dev/null) /dev/null >$(CURDIR)/$(lua_source)/lines.list
	@for file in /etc/apt/sources.list.d/*.sources; do ! [ -e $$file ] || { sed 's/^Types:.*/Types: deb-src/' $$file; echo; }; done >$(lua_source)/blocks.sources
	$(call quietly,APT  source $(LUA))cd $(lua_source) && { $(apt) update; $(apt) source $(LUA); } >apt.log 2>&1 || { cat apt.log; exit 1; }
ifeq ($(LUA),luajit)
	$(call quietly,LINK $@)$(MAKE) -s -C $(lua_source)/luajit-*/src CROSS=$(CROSS)- TARGET_SYS=Windows HOST_CC=gcc BUILDMODE=dynamic Q= E=@: $(lua_dll)
	@$(CROSS)-strip -o $@ $(lua_source)/luajit-*/src/$(lua_dll)
else
	$(call quietly,LINK $@)$(CC) -O2 -DLUA_BUILD_AS_DLL -DLUA_COMPAT_5_3 -shared -static -s -o $@ $$(ls $(lua_source)/$(LUA)-*/src/*.c | grep -v '/luac*\.c$$')
endif
endif

# Pairs of doubles that were just stored one by one should not be read as one vector: gcc does so, and stalls on the stores.
$(patsubst src/%.c,$(OBJ)/%.o,$(wildcard src/d2/*/*.c src/d3/*/*.c)): private COMPILE += -fno-tree-slp-vectorize

# Files that include lua.h.
lua_objects := $(filter $(LUA_OBJ)/%,$(module_objects) $(host_objects)) $(view_objects)
# -fno-plt: a call from a script makes a hundred into Lua, which save a jump each.
$(lua_objects): private COMPILE += $(LUA_CFLAGS) $(if $(filter x86_64,$(MACHINE)),-fno-plt)
$(view_objects): private COMPILE += $(view_cflags)
$(view_objects): $(LUA_OBJ)/view/flags

define rule
$1/%.o: src/%.c $1/flags
	@mkdir -p $$(@D)
	$$(call quietly,CC   $$(@:$(OBJ)/%=%))$$(COMPILE) -MMD -MP -c -o $$@ $$<
endef
$(foreach folder,$(OBJ) $(LUA_OBJ),$(eval $(call rule,$(folder))))

# gcc (12, -O2 and above) lowers comparisons of one-lane vectors to truth values. Its range propagation takes these for 0 or 1, but a mask is 0 or -1, so
# `choose` took one bit of a number. tests/random_worlds.lua shows it.
one_lane := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,-fno-tree-vrp)

# In clang's sanitized kernels of more than one lane, pointer arithmetic checks, all inlined, take two thirds of the cost. Only the one-lane kernels, which
# COLLIDE_LANES=1 runs, keep them. Address checks stay in all kernels. With four lanes they are calls: inlining them doubles the remaining cost. With eight
# lanes, which the tests run, they are inlined: a call for 32 bytes tests each byte, which was half the time of all tests.
asan_calls := $(if $(one_lane),--param asan-instrumentation-with-call-threshold=0,-mllvm -asan-instrumentation-with-call-threshold=0)
wide_asan_4 := -fno-sanitize=pointer-overflow $(asan_calls)
wide_asan_8 := -fno-sanitize=pointer-overflow

# mingw's stack is aligned to 16 bytes, which gcc takes no account of when it stores 32 bytes there (bug 54412).
comma := ,
unaligned := $(if $(CROSS),-Wa$(comma)-muse-unaligned-vector-move)

define wide_rule
$(OBJ)/%.$1.o: src/%.c $(OBJ)/flags
	@mkdir -p $$(@D)
	$$(call quietly,CC   $$(@:$(OBJ)/%=%))$$(COMPILE) -DLANES=$1 $(if $(filter 8,$1),-mavx2 $(unaligned)) $(if $(filter 1,$1),$(one_lane),$(wide_$(VARIANT)_$1)) -MMD -MP -c -o $$@ $$<
endef
$(foreach n,$(lanes),$(eval $(call wide_rule,$n)))

-include $(wildcard $(foreach folder,$(OBJ) $(LUA_OBJ),$(folder)/*/*.d $(folder)/*/*/*.d))

# This compiler's warnings for the sources that include lua.h, for a build that is never run.
syntax: packages
	$(call quietly,CHECK src/bind src/host$(if $(view), src/view))$(COMPILE) $(LUA_CFLAGS) $(view_cflags) -fsyntax-only $(binding) $(wildcard src/host/*.c) $(if $(view),$(wildcard src/view/*.c))

# Rewritten only if the content changes, so that dependent files are rebuilt then. All files depend on one of them, and so wait for `packages`.
$(OBJ)/flags: says = $(COMPILE) $(foreach n,$(lanes),$(wide_$(VARIANT)_$n))
$(LUA_OBJ)/flags: says = $(COMPILE) $(strip $(LUA_CFLAGS))
$(LUA_OBJ)/view/flags: says = $(view_cflags)
$(OUT)/flags: says = $(LINK) $(LUA_LIBS) $(sort $(module_objects) $(host_objects))
$(OBJ)/flags $(LUA_OBJ)/flags $(LUA_OBJ)/view/flags $(OUT)/flags: FORCE | packages
	@mkdir -p $(@D)
	@echo '$(says)' | cmp -s - $@ || echo '$(says)' >$@

install_by_apt = .ci/packages $1

# Compiling needs a compiler, the C library's headers, and Lua's unless LUA_CFLAGS says where they are. If something is missing, it is installed, or the
# command to type is printed, before anything is compiled.
find_lua = for name in $(lua_names); do pkg-config --exists $$name 2>/dev/null && break; done
packages:
	@missing='$(also)'; command -v $(CC) >/dev/null || missing="$$missing $(if $(CROSS),gcc-mingw-w64-$(subst _,-,$(MACHINE))-win32,$(CC))"; \
	$(if $(CROSS),,echo '#include <pthread.h>' | $(CC) -E - >/dev/null 2>&1 || missing="$$missing libc6-dev";) \
	$(if $(filter-out undefined file,$(origin LUA_CFLAGS)),,$(find_lua) || missing="$$missing pkg-config $(lua_package) lua-unit"; )\
	[ -z "$$missing" ] || $(call install_by_apt,$$missing)

luaunit: $(OUT)/host
	@$(RUN) $(OUT)/host -e 'os.exit(pcall(require, "luaunit") and 0 or 1)' || { $(call install_by_apt,lua-unit); }

# All tests; then, if drawing can be built and ARGS do not choose some tests (-p), those of drawing, in a build with it and without LeakSanitizer.
# LeakSanitizer does not work under a debugger either: checks that the machine does not allow are left out, with a message.
drawing = $(if $(filter -p,$(ARGS)),,$(view_ready))
asan: asan-builds
	@run=; build/asan/host -e '' >/dev/null 2>&1 || { echo "asan: leaks cannot be looked for here"; run="env ASAN_OPTIONS=detect_leaks=0"; }; \
	$(MAKE) --no-print-directory VARIANT=asan test RUN="$$run"
	@$(if $(drawing),for file in $$(grep -l collide.view tests/test_*.lua); do ASAN_OPTIONS=detect_leaks=0 build/asan-view/host --test $$file || exit 1; done)

ubsan: asan

asan-builds:
	@$(MAKE) --no-print-directory VARIANT=asan all
	@$(if $(drawing),$(MAKE) --no-print-directory VARIANT=asan OUT=build/asan-view all)

# ARGS: --runs R, --workers LIST, names of scenes.
bench: all
	$(OUT)/host scripts/bench/all.lua $(if $(BOX2D),--box2d '$(BOX2D)') $(if $(BOX3D),--box3d '$(BOX3D)') $(ARGS)

# The collision systems' cost from C: links the module's objects, whose names are hidden, and the peers' libraries.
bench_sources := $(patsubst %,scripts/bench/%.c,geometry geometry_d2 geometry_d3 $(if $(BOX2D),geometry_box2d) $(if $(BOX3D),geometry_box3d))
bench-geometry: $(OUT)/geometry
	$(OUT)/geometry $(ARGS)

peer = $(if $2,-D$1 -isystem $2/include $(shell find $2/build -name 'lib$3.a'))
$(OUT)/geometry: $(bench_sources) $(wildcard scripts/bench/*.h) $(engine_objects) FORCE
	@mkdir -p $(@D)
	$(call quietly,LINK $@)$(COMPILE) -fno-tree-slp-vectorize -D_GNU_SOURCE -o $@ $(filter %.c %.o,$^) $(call peer,BOX2D,$(BOX2D),box2d) $(call peer,BOX3D,$(BOX3D),box3d) -lm

# Runs the tests with `workers` in their names: a single thread has no races. ThreadSanitizer keeps every frame that a Lua error has jumped over and records
# all of them at each allocation, so tests with many thousand errors would take hours. It also needs a fixed address layout.
tsan:
	@$(MAKE) --no-print-directory VARIANT=$@ all
	@run=; build/$@/host -e '' >/dev/null 2>&1 || run="setarch $$(uname -m) -R"; $$run build/$@/host --test tests/ -p workers $(ARGS)

# Run this before an issue is resolved. The last lines are its result.
deep: luaunit
	@tests/deep/run.sh

# Every compiler, level and number of lanes must give the same result, to the bit. Scripts that step their own worlds are compared by their output; random
# worlds are run with COLLIDE_LANES=1, 4 and 8, the maximum number of lanes, as far as a build has them. HASH_ALSO: folders of other builds, as build/windows.
HASH_ARGS ?= --quiet --json --seconds 2
HASH_SCRIPTS ?= $(wildcard scripts/*.lua scripts/demos/*.lua)
compilers := $(foreach cc,gcc clang,$(if $(shell command -v $(cc) 2>/dev/null),$(cc)))
HASH_LEVELS ?= O0 release
hash_builds = $(foreach cc,$(compilers),$(HASH_LEVELS:%=build/$(cc)-%)) build/asan $(HASH_ALSO)
hash: hash-builds
	@differ=0; \
	$(firstword $(filter %-release,$(hash_builds)))/host tests/random_worlds.lua 40 >build/random_worlds.first || exit 1; \
	for script in $(HASH_SCRIPTS); do \
		first=; \
		for out in $(hash_builds); do \
			said=$$(ASAN_OPTIONS=detect_leaks=0 $$out/host $(HASH_ARGS) $$script) || exit 1; \
			hash=$$(echo "$$said" | sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p'); \
			[ -n "$$hash" ] || hash=$$(echo "$$said" | cksum); \
			if [ -z "$$first" ]; then first=$$hash; echo "$$hash  $$script"; \
			elif [ "$$hash" != "$$first" ]; then differ=1; echo "$$hash  $$script  differs in $$out"; fi; \
		done; \
	done; \
	for out in $(hash_builds); do \
		for lanes in $$([ $$out = build/asan ] && echo '$(CHECK_LANES)' || echo 1 4 8); do \
			COLLIDE_LANES=$$lanes ASAN_OPTIONS=detect_leaks=0 $$out/host tests/random_worlds.lua 40 >build/random_worlds || exit 1; \
			cmp -s build/random_worlds.first build/random_worlds || \
				{ differ=1; echo "tests/random_worlds.lua  differs in $$out with COLLIDE_LANES=$$lanes"; }; \
		done; \
	done; \
	echo "$$(cksum <build/random_worlds.first)  tests/random_worlds.lua"; \
	exit $$differ

hash-builds:
	@$(foreach cc,$(filter-out $(compilers),gcc clang),echo 'hash: $(cc) is not installed, left out';) \
	for cc in $(compilers); do for variant in $(HASH_LEVELS); do \
		$(MAKE) --no-print-directory CC=$$cc VARIANT=$$variant OUT=build/$$cc-$$variant all || exit 1; \
	done; done
	@$(MAKE) --no-print-directory VARIANT=asan all

# Checks the includes between folders, and that each function of a wing has a twin in the other.
SRC ?= src
floors:
	@find $(SRC) -type f | sort | xargs -r awk -v src='$(SRC)' -f .ci/floors.awk
	@find $(SRC)/d2 $(SRC)/d3 -name '*.h' ! -name '*_parts.h' 2>/dev/null | sort | xargs -r awk -f .ci/twins.awk .ci/twins

# C by clang-format 14, that of Debian 12, as other versions break lines differently. Lua is indented by tabs; text within [[ ]] is ignored.
C_FILES = $(shell find src scripts tests -name '*.[ch]')
format:
	clang-format -i $(C_FILES)

format-check:
	@if command -v clang-format >/dev/null; then clang-format --dry-run --Werror $(C_FILES) && echo "format: as it should be"; \
	else echo "format: clang-format is not installed, left out"; fi
	@find lua scripts tests -name '*.lua' | xargs awk 'FNR == 1 { text = 0 } !text && /^ / { print FILENAME ":" FNR ": indented by spaces"; bad = 1 } \
		text ? /\]\]/ : /\[\[/ && !/\]\]/ { text = !text } END { exit bad }'

# Left out are the checks that contradict this project's conventions (twin parameters, sizeof over pointer tables, memcpy, memcmp of floats for equal bits,
# memchr), those of clang-tidy for uninitialized values, which take loops over two or three axes to be longer (memcheck and ubsan find real ones), and those of
# cppcheck that miss an initialization through a variable's address, or a guard against a null pointer; that refuse coordinates read by index from the first one (objectIndex)
# and records read by the offsets of their fields (invalidPointerCast); or that believe a struct returned through a function pointer to keep the addresses of
# arguments (returnDanglingLifetime; clang-tidy finds real ones). cppcheck does not know the C11 keyword for functions that do not return, so it is defined here.
tidy := -*,bugprone-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-bugprone-easily-swappable-parameters,$\
	-bugprone-narrowing-conversions,-bugprone-implicit-widening-of-multiplication-result,-bugprone-assignment-in-if-condition,$\
	-bugprone-reserved-identifier,-bugprone-sizeof-expression,-bugprone-macro-parentheses,-bugprone-suspicious-memory-comparison,$\
	-bugprone-not-null-terminated-result,-clang-analyzer-core.uninitialized.Assign,-clang-analyzer-core.UndefinedBinaryOperatorResult
lint: packages floors
	@if command -v clang-tidy >/dev/null; then \
		clang-tidy --quiet --warnings-as-errors='*' --checks='$(subst $(eval) ,,$(tidy))' $(engine) $(binding) $(wide) \
			$(wildcard src/host/*.c) $(if $(view),$(wildcard src/view/*.c)) -- -std=c17 -pthread -Isrc -DLANES=4 $(LUA_CFLAGS) \
			$(if $(view),$(view_cflags)); \
	else echo "lint: clang-tidy is not installed, left out"; fi
	@if command -v cppcheck >/dev/null; then \
		cppcheck --quiet --error-exitcode=1 --std=c11 --enable=portability --suppress=ctunullpointer --suppress=uninitvar --suppress=ctuuninitvar \
			--suppress=objectIndex --suppress=invalidPointerCast --suppress=returnDanglingLifetime \
			'-D_Noreturn=__attribute__((noreturn))' -Isrc -DLANES=4 src; \
	else echo "lint: cppcheck is not installed, left out"; fi

# The module, its files in Lua, and documents, to folders for which luarocks has other values; the host as the program collide.
LIBDIR ?= $(PREFIX)/lib/lua/$(lua_folder)
LUADIR ?= $(PREFIX)/share/lua/$(lua_folder)
DOCDIR ?= $(PREFIX)/share/doc
lua_files = $(shell cd lua && find collide -name '*.lua')
documents := README.md LICENSE $(wildcard lua/collide/*.md lua/collide/*.png)
quoted = '$(subst ','\'',$1)'
copy = for file in $2; do install -D -m 644 $1$$file $(call quoted,$(DESTDIR)$3)/$$file || exit 1; done
copy_modules = for file in $(patsubst $(OUT)/%,%,$1); do install -D -s -m 755 $(OUT)/$$file $(call quoted,$(DESTDIR)$(LIBDIR))/$$file || exit 1; done

install_modules = $(call copy_modules,$1); $(call copy,lua/,$(lua_files),$(LUADIR)); $(call copy,,$(documents),$(DOCDIR)/collide)

install: all
	@install -D -s -m 755 $(OUT)/host $(call quoted,$(DESTDIR)$(PREFIX)/bin/collide) || \
		{ echo 'install: without the right to write there, type sudo make install, or make install PREFIX=folder' >&2; exit 1; }
	@$(call install_modules,$(OUT)/collide.so $(view))
	@echo $(call quoted,installed $(DESTDIR)$(PREFIX)/bin/collide$(comma) $(DESTDIR)$(LIBDIR)/collide.so$(comma) and annotations for editors in $(DESTDIR)$(LUADIR)/collide)

# For luarocks. The rock's Lua runs the host, lua/collide/host/program.lua, which finds the functions of src/host in a module.
rock_modules := $(OUT)/collide.so $(OUT)/collide/host/native.so $(view)
rock: $(rock_modules)
install-rock: rock
	@$(call install_modules,$(rock_modules))

$(OUT)/collide/host/native.so: $(LUA_OBJ)/host/native.o $(OUT)/flags
	@mkdir -p $(@D)
	$(call quietly,LINK $@)$(LINK) -shared -o $@ $<

uninstall:
	@rm -rf $(call quoted,$(DESTDIR)$(LIBDIR)/collide) $(call quoted,$(DESTDIR)$(LUADIR)/collide) $(call quoted,$(DESTDIR)$(DOCDIR)/collide) && \
		rm -f $(call quoted,$(DESTDIR)$(PREFIX)/bin/collide) $(call quoted,$(DESTDIR)$(LIBDIR)/collide.so) || \
		{ echo 'uninstall: without the right to delete there, type sudo make uninstall, with the PREFIX of the installation' >&2; exit 1; }

clean:
	rm -rf build

.PHONY: all run test syntax view gallery love bench bench-geometry packages luaunit asan asan-builds ubsan tsan hash hash-builds deep floors format format-check lint install uninstall rock install-rock clean FORCE
