-- Several messages on one connection, some of them abandoned half way: nothing is carried over.
local conn = mt.connect(socket)
if conn == nil then error("no connection") end

local function begin(subject)
	if mt.mailfrom(conn, "<a@example.org>") ~= nil then error("MAIL") end
	if mt.header(conn, "Subject", subject) ~= nil then error("Subject") end
end

for round = 1, 20 do
	begin("caf\233")
	mt.abort(conn)
	begin("caf\233")
	if mt.eoh(conn) ~= nil then error("end of the header") end
	mt.abort(conn)
	begin("plain")
	if mt.eoh(conn) ~= nil then error("end of the header") end
	if mt.bodystring(conn, "body\r\n") ~= nil then error("the body") end
	if mt.eom(conn) ~= nil then error("the end") end
	if mt.getreply(conn) ~= SMFIR_CONTINUE then error("not continued") end
	if mt.eom_check(conn, MT_HDRCHANGE, "Subject") then error("a clean subject changes") end
	if mt.eom_check(conn, MT_BODYCHANGE) then error("a clean body changes") end
end
mt.disconnect(conn)
