-- Films: raw pictures through a pipe to ffmpeg. The film is written to a temporary file beside its path and renamed when it is complete, so a failure leaves
-- no partial film.

local error, io, os, setmetatable, tonumber = error, io, os, setmetatable, tonumber

local film = {}
local Film = {}
Film.__index = Film

-- ffmpeg's options by file ending. Players need even sizes, and the colours of HDTV. Each picture of a .gif has its own palette, so that ffmpeg need not keep
-- all pictures before it writes the first.
local video = "-vf 'crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709' -pix_fmt yuv420p"
	.. " -colorspace bt709 -color_primaries bt709 -color_trc bt709 "
local coding = {
	mp4 = video .. "-c:v libx264 -preset veryfast -crf 18 -movflags +faststart -f mp4",
	webm = video .. "-c:v libvpx-vp9 -crf 28 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 -f webm",
	gif = "-filter_complex '[0:v]split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
		.. "[b][p]paletteuse=new=1:dither=none' -f gif",
}

-- Quotes any text as one word for the shell.
local function quote(text)
	return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- A path for ffmpeg, which it takes neither for an option nor for an address.
local function plain(path)
	return quote("file:" .. path)
end

function film.isPossible()
	local pipe = io.popen "command -v ffmpeg"
	local found = pipe and pipe:read "*a" or ""
	if pipe then pipe:close() end
	return found ~= ""
end

-- Call native.catchBrokenPipes first: otherwise a broken pipe to ffmpeg ends this process, too.
function film.new(path, width, height, fps)
	local ending = path:match "%.(%w+)$":lower()
	local odd = ending == "gif" and 0 or 1 -- an odd last row or column is dropped
	local self = setmetatable({ path = path, part = path .. ".part", log = os.tmpname(), frames = 0,
		width = width - odd * (width % 2), height = height - odd * (height % 2) }, Film)
	-- In a session of its own it gets no Ctrl-C: it ends when its input ends. The shell waits for that.
	local command = ("trap '' INT; session=; command -v setsid >/dev/null && session=setsid; "
		.. "{ $session ffmpeg -y -loglevel error -f rawvideo -pixel_format rgb24 -video_size %dx%d -framerate %s -i - %s %s; } >%s 2>&1; "
		.. 'echo "exit $?" >>%s'):format(width, height, (("%.6f"):format(fps):gsub(",", ".")), coding[ending], plain(self.part),
		quote(self.log), quote(self.log))
	local problem
	self.pipe, problem = io.popen(command, "w")
	if not self.pipe then error("cannot start ffmpeg: " .. problem, 0) end
	return self
end

-- Ends ffmpeg. Returns the error, if any.
local function close(self)
	self.pipe:close()
	self.pipe = nil
	local log = io.open(self.log)
	local said = log and log:read "*a" or ""
	if log then log:close() end
	os.remove(self.log)
	local code = tonumber(said:match "exit (%d+)\n$")
	if code == 0 then return nil end
	local reason = said:gsub("exit %d+\n$", ""):match "[^\n]+"
	return reason or "it ended with exit code " .. (code or "unknown")
end

local function fail(self, problem)
	os.remove(self.part)
	self.problem = ("cannot write %s: %s"):format(self.path, problem)
end

-- pixels: width * height * 3 bytes, the top row first. Raises if ffmpeg takes no more; `problem` says why.
function Film:write(pixels)
	if self.pipe and self.pipe:write(pixels) then
		self.frames = self.frames + 1
		return
	end
	if not self.problem then fail(self, "ffmpeg: " .. (close(self) or "it takes no more pictures")) end
	error(self.problem, 0)
end

-- Completes the film with the pictures written so far: it is `done`, or `problem` is the error. Without pictures there is no film, and no error of the film: the
-- drawing of the first one has failed.
function Film:finish()
	if not self.pipe then return end
	local problem = close(self)
	if self.frames == 0 then
		os.remove(self.part)
		return
	end
	if problem then return fail(self, "ffmpeg: " .. problem) end
	local moved, unmoved = os.rename(self.part, self.path)
	if not moved then return fail(self, unmoved) end
	self.done = true
end

return film
