-- An MTA that may be told to skip the rest of a body: that happens for a message that is too large, and nothing of it is lost or
-- changed.
local conn = mt.connect(socket)
if conn == nil then error("no connection") end
-- Version 6, the step SKIP and no other, all actions.
if mt.negotiate(conn, 6, 1024, 511) ~= nil then error("no agreement") end

local function message(body, chunks)
	if mt.mailfrom(conn, "<a@example.org>") ~= nil then error("MAIL") end
	if mt.header(conn, "Subject", "caf\233") ~= nil then error("Subject") end
	if mt.eoh(conn) ~= nil then error("end of the header") end
	local replies = {}
	for chunk = 1, chunks do
		if mt.bodystring(conn, body) ~= nil then error("the body") end
		replies[chunk] = mt.getreply(conn)
		if replies[chunk] == SMFIR_SKIP then break end
	end
	if mt.eom(conn) ~= nil then error("the end") end
	if mt.getreply(conn) ~= SMFIR_CONTINUE then error("not continued") end
	return replies[#replies]
end

for round = 1, 3 do
	if message(string.rep("d\233j\224 vu\r\n", 20), 20) ~= SMFIR_SKIP then error("not skipped") end
	if mt.eom_check(conn, MT_BODYCHANGE) then error("a body that was skipped changes") end
	if mt.eom_check(conn, MT_HDRCHANGE, "Subject") then error("a field of what was not looked at changes") end
	if message("d\233j\224 vu\r\n", 1) ~= SMFIR_CONTINUE then error("a short one is skipped") end
	if not mt.eom_check(conn, MT_BODYCHANGE) then error("a short body stays") end
end
mt.disconnect(conn)
