//! Filters that do nothing, as a baseline: a filter in the path of mail costs that much whatever it
//! does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread;

use super::support::packet;

/// A milter that reads everything and changes nothing.
pub fn serve_milter(listener: UnixListener) {
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let _ = read_all(&stream);
            });
        }
    });
}

fn read_all(mut stream: &UnixStream) -> std::io::Result<()> {
    let mut octets = Vec::new();
    let mut window = vec![0; 64 << 10];
    loop {
        let read = stream.read(&mut window)?;
        if read == 0 {
            return Ok(());
        }
        octets.extend_from_slice(&window[..read]);
        while let Some((length, rest)) = octets.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            if rest.len() < length {
                break;
            }
            match rest[0] {
                b'O' => {
                    let agreed = [6_u32, 0x31, 0x1C_478B].map(u32::to_be_bytes).concat();
                    stream.write_all(&packet(b'O', &agreed))?;
                }
                b'E' => stream.write_all(&packet(b'c', b""))?,
                b'Q' => return Ok(()),
                _ => {}
            }
            octets.drain(..4 + length);
        }
    }
}

/// An SMTP server that passes on each command, reply and message unread.
pub fn serve_relay(next: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", next)) else { continue };
            thread::spawn(move || {
                let _ = relay(&client, &server);
            });
        }
    });
    port
}

fn relay(mut client: &TcpStream, mut server: &TcpStream) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut commands, mut answers) = (BufReader::new(client), BufReader::new(server));
    client.write_all(&answer(&mut answers)?)?;
    loop {
        let mut command = Vec::new();
        if commands.read_until(b'\n', &mut command)? == 0 {
            return Ok(());
        }
        server.write_all(&command)?;
        let said = answer(&mut answers)?;
        client.write_all(&said)?;
        if said.starts_with(b"354") {
            let mut message = Vec::new();
            while message != b".\r\n" && !message.ends_with(b"\r\n.\r\n") {
                commands.read_until(b'\n', &mut message)?;
            }
            server.write_all(&message)?;
            client.write_all(&answer(&mut answers)?)?;
        }
    }
}

fn answer(answers: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut said = Vec::new();
    loop {
        let start = said.len();
        if answers.read_until(b'\n', &mut said)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if said.get(start + 3) != Some(&b'-') {
            return Ok(said);
        }
    }
}
