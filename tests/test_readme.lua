-- The documents of users, README.md and lua/collide/reference.md: every block of Lua runs, under the host, and prints what it says; the game is played to its
-- end; the files and goals that the blocks of shell name exist.
local lu, support = require "luaunit", require "support"
local quote, read, shell = support.quote, support.read, support.shell

if support.windows then return end

local host = support.host
local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local folder -- of this test alone

TestReadme = {}

function TestReadme.setUp()
	folder = shell("mktemp -d"):match "[^\n]+"
end

function TestReadme.tearDown()
	shell("rm -r " .. quote(folder))
end

-- The document's blocks of the language, in order.
local function blocks_of(path, language)
	local blocks = {}
	for block in ("\n" .. read(root .. path)):gmatch("\n```" .. language .. "\n(.-\n)```") do blocks[#blocks + 1] = block end
	return blocks
end

local readme, reference = blocks_of("README.md", "lua"), blocks_of("lua/collide/reference.md", "lua")

-- Runs a block in a folder of its own. Returns what it prints; raises if the host complains.
local function run(code)
	support.write(folder .. "/block.lua", code)
	local program = host:match "^/" and host or shell("pwd"):match "[^\n]+" .. "/" .. host
	local printed = shell(("cd %s && %s --quiet block.lua 2>&1; echo $?"):format(quote(folder), quote(program)))
	local text, code_of_exit = printed:match "^(.-)(%d+)\n$"
	lu.assertEquals(code_of_exit, "0", text .. "\n" .. code)
	return text
end

-- Lines of words separated by tabs. Numbers are compared as such, since Lua 5.4 prints 2.0 where LuaJIT prints 2.
local function words_of(line)
	local words = {}
	for word in line:gmatch "[^\t]+" do words[#words + 1] = tonumber(word) or word end
	return words
end

-- The block's lines print what stands behind "-->".
local function check_printed(code, printed)
	local expected, lines = {}, {}
	for text in code:gmatch "%-%->%s+([^\n]*)" do expected[#expected + 1] = words_of(text) end
	for line in printed:gmatch "[^\n]+" do lines[#lines + 1] = words_of(line) end
	if #expected > 0 then lu.assertEquals(lines, expected) end
	return #expected
end

-- LÖVE's functions, of which those that draw only count: so a script for LÖVE runs here.
local love = [[
love = { calls = 0 }
love.graphics = setmetatable({}, { __index = function() return function() love.calls = love.calls + 1 end end })
function love.graphics.transformPoint(x, y) return x, y end
love.graphics.inverseTransformPoint = love.graphics.transformPoint
function love.graphics.getDimensions() return 800, 600 end
]]
local a_second_of_love = "for frame = 1, 60 do love.update(1 / 60) love.draw() end love.mousepressed(300, 100) love.draw() assert(love.calls > 100)\n"

function TestReadme.test_blocks_of_the_readme_run_and_print_what_they_say()
	local compared = 0
	for _, code in ipairs(readme) do
		local for_love = code:match "^%-%- main%.lua\n"
		compared = compared + check_printed(code, run(for_love and love .. code .. a_second_of_love or code))
	end
	lu.assertTrue(#readme >= 9 and compared >= 12)
end

-- Those of the reference follow the lines of its first block.
function TestReadme.test_blocks_of_the_reference_run()
	for i = 2, #reference do check_printed(reference[i], run(reference[1] .. reference[i])) end
	lu.assertTrue(#reference >= 15)
end

-- But for its comments and line breaks.
function TestReadme.test_the_first_block_is_the_script_hello()
	local function bare(code) return (code:gsub("%-%-[^\n]*", ""):gsub("%s+", " "):gsub("^ ", "")) end
	lu.assertEquals(bare(readme[1]), bare(read(root .. "scripts/hello.lua")))
end

-- The game --------------------------------------------------------------------------------------------------------------------------

local games = {}
for _, code in ipairs(readme) do
	if code:match "^%-%- game%.lua\n" then games[#games + 1] = code end
end

-- A player of the game: world, player, and a function that makes a step with the keys given, and returns the player's position.
local function play(code)
	local game = (loadstring or load)(code, "=game.lua")()
	local world, player = game.setup({}, {})
	for _, body in ipairs(world:getBodies()) do
		if body:getName() == "player" then player = body end
	end
	local held = {}
	local function step(keys)
		for _, name in ipairs { "left", "right", "up" } do
			local down = keys:find(name) ~= nil
			if down ~= (held[name] or false) then lu.assertTrue(game.key(name, down)) end
			held[name] = down
		end
		game.update(world)
		world:step(1 / 60)
		return player:getPosition()
	end
	return game, world, step
end

local function count(world, data)
	local n = 0
	for _, body in ipairs(world:getBodies()) do
		if body.data == data then n = n + 1 end
	end
	return n
end

-- The text that the game writes over its picture.
local function label_of(game)
	local text
	game.draw(setmetatable({ label = function(_, _, _, string) text = string end }, { __index = function() return function() end end }))
	return text
end

-- Steps until the player is at x, with the keys; jumps when it passes the places of `jumps`.
local function walk(step, key, x, jumps)
	local at, next_jump = step "", 1
	for _ = 1, 600 do
		local jump = jumps and jumps[next_jump] and (key == "right" and at >= jumps[next_jump] or key == "left" and at <= jumps[next_jump])
		if jump then next_jump = next_jump + 1 end
		at = step(jump and key .. " up" or key)
		if key == "right" and at >= x or key == "left" and at <= x then return end
	end
	lu.fail(("the player is at %.2f instead of %.2f"):format(at, x))
end

function TestReadme.test_the_first_step_of_the_game()
	lu.assertEquals(#games, 3)
	local _, _, step = play(games[1])
	for _ = 1, 60 do step "" end
	local x, y = step ""
	lu.assertAlmostEquals(x, 3, 1e-6)
	lu.assertAlmostEquals(y, 1.6, 0.006)
	walk(step, "right", 9)
	walk(step, "left", 5)
	local top = 0
	for i = 1, 60 do
		_, y = step(i == 1 and "up" or "")
		top = math.max(top, y)
	end
	lu.assertAlmostEquals(top, 1.6 + 11 ^ 2 / (2 * 25), 0.15)
	lu.assertAlmostEquals(y, 1.6, 0.006)
end

function TestReadme.test_the_second_step_of_the_game()
	local _, _, step = play(games[2])
	walk(step, "right", 10, { 6.6 })
	for _ = 1, 60 do step "" end
	local _, y = step ""
	lu.assertAlmostEquals(y, 3.6, 0.006) -- on the first platform
	walk(step, "right", 13.5)
	local x
	for _ = 1, 120 do x = step "" end -- into the gap, and back to the start
	lu.assertAlmostEquals(x, 3, 1e-3)
end

function TestReadme.test_the_last_step_of_the_game_is_won()
	local game, world, step = play(games[3])
	lu.assertEquals(count(world, "coin"), 4)
	lu.assertEquals(label_of(game), "coins: 0 of 4")
	walk(step, "right", 17.4, { 6.6, 11.6 })
	lu.assertEquals(label_of(game), "coins: 2 of 4")
	for i = 1, 60 do step(i == 1 and "up" or "") end
	lu.assertEquals(label_of(game), "coins: 3 of 4")
	walk(step, "right", 31, { 18.5 })
	lu.assertEquals(count(world, "coin"), 0)
	step ""
	lu.assertEquals(label_of(game), "You win! r plays again")
end

-- The flag alone does not win.
function TestReadme.test_the_game_is_not_won_without_the_coins()
	local game, world, step = play(games[3])
	walk(step, "right", 31, { 6.6, 11.6, 18.5 })
	step ""
	lu.assertEquals({ count(world, "coin"), label_of(game) }, { 1, "coins: 3 of 4" })
end

-- Shell -----------------------------------------------------------------------------------------------------------------------------

local targets, help = "\n" .. read(root .. "Makefile"), shell(quote(host) .. " --help")

-- Targets of make exist; so do files of the repository (those without a folder are the reader's); the host's options are those of its help.
local function check_command(command)
	if command:match "^make" then
		for target in command:gsub("%u+%w*='[^']*'", ""):gsub("%u+%w*=%S+", ""):gmatch "[%w-]+" do
			local rule = target == "make" and "\nall:" or "\n" .. target .. ":"
			lu.assertTrue(targets:find(rule, 1, true) ~= nil, command)
		end
	elseif command:match "^build/host" then
		for option in command:gmatch " (%-%-[%w-]+)" do lu.assertTrue(help:find(option, 1, true) ~= nil, command) end
	end
	for file in command:gmatch "[%w_/]+/[%w_]+%.lua" do lu.assertNotNil(read(root .. file), command) end
end

function TestReadme.test_commands_name_what_exists()
	local checked = 0
	for _, path in ipairs { "README.md", "lua/collide/reference.md" } do
		for _, block in ipairs(blocks_of(path, "sh")) do
			for line in block:gsub("%s+#[^\n]*", ""):gsub(" && ", "\n"):gmatch "[^\n]+" do
				check_command(line)
				checked = checked + 1
			end
		end
	end
	lu.assertTrue(checked >= 15)
end

-- Links to files of the repository, and to headings of the same page.
function TestReadme.test_links_lead_somewhere()
	for _, path in ipairs { "README.md", "lua/collide/reference.md", "lua/collide/inside.md", "lua/collide/systems.md" } do
		local text = read(root .. path)
		local anchors = {}
		for heading in ("\n" .. text):gmatch "\n#+ ([^\n]*)" do
			anchors[heading:gsub("Ö", "ö"):lower():gsub("[%.,`?!:()']", ""):gsub(" ", "-")] = true
		end
		for target in text:gmatch "%]%(([^)%s]+)%)" do
			if target:match "^#" then
				lu.assertTrue(anchors[target:sub(2)], path .. ": " .. target)
			elseif not target:match "^https?:" then
				lu.assertNotNil(read(root .. (path:match "^(.*/)" or "") .. target:gsub("#.*", "")), path .. ": " .. target)
			end
		end
	end
end
