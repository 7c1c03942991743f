-- Mutations of snapshots whose checksum is right again: see bytes_hash in src/bind/world/state.c. Needs 64-bit integers.
local checksum = {}

local AT_IDENTITY, factor = 16, 0x9e3779b97f4a7c15

function checksum.seal(bytes)
	local body = bytes:sub(AT_IDENTITY + 1)
	local hash = #body
	local padded = body .. ("\0"):rep(-#body % 8)
	for at = 1, #padded, 8 do
		hash = (hash ~ string.unpack("<i8", padded, at)) * factor
		hash = hash ~ (hash >> 32)
	end
	return bytes:sub(1, 8) .. string.pack("<i8", hash) .. body
end

-- Changes a bit of a byte.
function checksum.flip(bytes, at, bit)
	return bytes:sub(1, at - 1) .. string.char(bytes:byte(at) ~ (1 << bit)) .. bytes:sub(at + 1)
end

-- Changes some bytes behind the header: flips, small and great numbers, copies of other parts, removals.
function checksum.mutate(bytes, number, choice)
	for _ = 1, choice(3) do
		local at, what = 26 + choice(#bytes - 40), number(0, 1)
		if what < 0.5 then
			bytes = checksum.flip(bytes, at, choice(8) - 1)
		elseif what < 0.8 then
			local words = { 0, 1, -1, 255, 0x7fffffff, 0x7f800000, 0x7fc00000, 0x00ff00ff }
			bytes = bytes:sub(1, at - 1) .. string.pack("<I4", words[choice(#words)] & 0xffffffff) .. bytes:sub(at + 4)
		elseif what < 0.95 then
			local from = 26 + choice(#bytes - 40)
			bytes = bytes:sub(1, at - 1) .. bytes:sub(from, from + 7) .. bytes:sub(at + 8)
		else
			bytes = bytes:sub(1, at - 1) .. bytes:sub(at + choice(9))
		end
	end
	return checksum.seal(bytes)
end

return checksum
