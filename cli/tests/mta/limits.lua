-- A message that is too large is deferred, the next one is not.
local conn = mt.connect(socket)
if conn == nil then error("no connection") end

local function message(body)
	if mt.mailfrom(conn, "<a@example.org>") ~= nil then error("MAIL") end
	if mt.header(conn, "Subject", "x") ~= nil then error("Subject") end
	if mt.eoh(conn) ~= nil then error("end of the header") end
	for chunk = 1, 10 do
		if mt.bodystring(conn, body) ~= nil then error("the body") end
	end
	if mt.eom(conn) ~= nil then error("the end") end
	return mt.getreply(conn)
end

local line = string.rep("0123456789", 50) .. "\r\n"
if message(line) ~= SMFIR_TEMPFAIL then error("too large, and not put off") end
if message("x\r\n") ~= SMFIR_CONTINUE then error("small, and not continued") end
mt.disconnect(conn)
