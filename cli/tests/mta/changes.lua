-- The changes to a message that is not 7-bit, as miltertest receives them.
local conn = mt.connect(socket)
if conn == nil then error("no connection") end
mt.macro(conn, SMFIC_MAIL, "i", "miltertest-1")
if mt.mailfrom(conn, "<a@example.org>") ~= nil then error("MAIL") end
if mt.header(conn, "Subject", "caf\233") ~= nil then error("Subject") end
if mt.header(conn, "X-Other", "plain") ~= nil then error("X-Other") end
if mt.eoh(conn) ~= nil then error("end of the header") end
if mt.bodystring(conn, "d\233j\224 vu\r\n") ~= nil then error("the body") end
if mt.eom(conn) ~= nil then error("the end") end
if mt.getreply(conn) ~= SMFIR_CONTINUE then error("not continued") end
if not mt.eom_check(conn, MT_HDRCHANGE, "Subject", "=?windows-1252?Q?caf=E9?=") and
   not mt.eom_check(conn, MT_HDRCHANGE, "Subject", " =?windows-1252?Q?caf=E9?=") then
	error("the subject stays")
end
if mt.eom_check(conn, MT_HDRCHANGE, "X-Other") then error("X-Other changes") end
if not mt.eom_check(conn, MT_BODYCHANGE) then error("the body stays") end
mt.disconnect(conn)
