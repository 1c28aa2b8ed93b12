//! The milter protocol as an MTA writes it.

/// A packet.
pub fn packet(command: u8, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len() + 1).expect("a packet");
    [&length.to_be_bytes()[..], &[command], data].concat()
}

/// A message in packets, from MAIL to its end.
pub fn fields_and_body(fields: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut wire = packet(b'M', b"<a@example.org>\0");
    for (name, value) in fields {
        wire.extend(packet(b'L', format!("{name}\0{value}\0").as_bytes()));
    }
    wire.extend(packet(b'N', b""));
    wire.extend(packet(b'B', body));
    wire.extend(packet(b'E', b""));
    wire
}
