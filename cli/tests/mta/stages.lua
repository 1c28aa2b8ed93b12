-- An MTA that sends every stage and waits for an answer to each: messages that end early after each of them, on one connection
-- and by its end, and nothing carried over into the next one.
local stages = {
	function(conn) return mt.conninfo(conn, "client.example.org", "192.0.2.1") end,
	function(conn) return mt.helo(conn, "client.example.org") end,
	function(conn) return mt.mailfrom(conn, "<a@example.org>") end,
	function(conn) return mt.rcptto(conn, "<b@example.org>") end,
	function(conn) return mt.data(conn) end,
	function(conn) return mt.header(conn, "Subject", "caf\233") end,
	function(conn) return mt.header(conn, "X-Other", "d\233j\224") end,
	function(conn) return mt.eoh(conn) end,
	function(conn) return mt.bodystring(conn, "d\233j\224 vu\r\n") end,
	function(conn) return mt.bodystring(conn, "d\233j\224 vu\r\n") end,
	function(conn) return mt.eom(conn) end,
}

local function open()
	local conn = mt.connect(socket)
	if conn == nil then error("no connection") end
	-- Version 6, no stage that may be left out, all actions: its manual has the last two the other way round.
	if mt.negotiate(conn, 6, 0, 511) ~= nil then error("no agreement") end
	return conn
end

local function run(conn, first, last)
	for number = first, last do
		if stages[number](conn) ~= nil then error("stage " .. number) end
		if mt.getreply(conn) ~= SMFIR_CONTINUE then error("not continued at stage " .. number) end
	end
end

-- A message that is clean: whatever of another one were left would change it.
local function clean(conn, after)
	if mt.mailfrom(conn, "<a@example.org>") ~= nil then error("MAIL after " .. after) end
	if mt.rcptto(conn, "<b@example.org>") ~= nil then error("RCPT after " .. after) end
	if mt.data(conn) ~= nil then error("DATA after " .. after) end
	if mt.header(conn, "Subject", "plain") ~= nil then error("Subject after " .. after) end
	if mt.eoh(conn) ~= nil then error("the end of the header after " .. after) end
	if mt.bodystring(conn, "body\r\n") ~= nil then error("the body after " .. after) end
	if mt.eom(conn) ~= nil then error("the end after " .. after) end
	if mt.getreply(conn) ~= SMFIR_CONTINUE then error("not continued after " .. after) end
	if mt.eom_check(conn, MT_HDRCHANGE, "Subject") then error("the subject changes after " .. after) end
	if mt.eom_check(conn, MT_HDRDELETE, "Subject") then error("the subject goes after " .. after) end
	if mt.eom_check(conn, MT_HDRADD, "X-Other") then error("X-Other comes after " .. after) end
	if mt.eom_check(conn, MT_BODYCHANGE) then error("the body changes after " .. after) end
end

for last = 1, #stages do
	-- Given up.
	local conn = open()
	run(conn, 1, last)
	if last < #stages then mt.abort(conn) end
	clean(conn, last)
	clean(conn, last)
	mt.disconnect(conn)
	-- The connection goes away, without a word and with one.
	for _, polite in ipairs({ false, true }) do
		conn = open()
		run(conn, 1, last)
		mt.disconnect(conn, polite)
		conn = open()
		run(conn, 1, 2)
		clean(conn, last)
		mt.disconnect(conn)
	end
end

-- All that can change in a message does.
local conn = open()
run(conn, 1, #stages)
if not mt.eom_check(conn, MT_HDRCHANGE, "Subject", "=?windows-1252?Q?caf=E9?=") then error("the subject stays") end
if not mt.eom_check(conn, MT_HDRCHANGE, "X-Other") then error("X-Other stays") end
if not mt.eom_check(conn, MT_BODYCHANGE) then error("the body stays") end
mt.disconnect(conn)
