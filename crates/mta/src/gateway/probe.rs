//! Whether a next hop takes mail: a conversation as those of clients begin, up to the first MAIL.

use std::io::{self, Write};
use std::time::Duration;

use super::channel::Channel;
use super::hello::Extensions;
use super::party::Party;
use super::reply::Reply;

/// Says EHLO (LHLO to a server of LMTP), and STARTTLS if the connection is to be encrypted.
/// `tells_client` says that the next hop has to take XCLIENT.
///
/// # Errors
/// Why no mail would go on: those of the connection; what the next hop refuses, or does not offer.
pub fn probe<N: Channel>(
    next: N,
    name: &str,
    tells_client: bool,
    patience: Duration,
) -> io::Result<()> {
    let mut next = Party::new(next, patience);
    let greeting = next.reply()?;
    if !greeting.is_positive() {
        return Err(refused("the connection", &greeting));
    }

    let mut extensions = greet(&mut next, name)?;
    if next.can_be_secured() {
        if !extensions.starts_tls {
            return Err(io::Error::other("it offers no STARTTLS"));
        }
        let reply = ask(&mut next, "STARTTLS")?;
        if reply.code() != 220 {
            return Err(refused("STARTTLS", &reply));
        }
        next.secure()?;
        extensions = greet(&mut next, name)?;
    }
    if tells_client && !extensions.takes_client_address() {
        return Err(io::Error::other("it offers no XCLIENT with ADDR to the gateway"));
    }

    // It is ready, whatever it says to that.
    let _ = ask(&mut next, "QUIT");
    Ok(())
}

fn greet<N: Channel>(next: &mut Party<N>, name: &str) -> io::Result<Extensions> {
    let mut reply = ask(next, &format!("EHLO {name}"))?;
    for verb in ["LHLO", "HELO"] {
        if reply.code() < 500 {
            break;
        }
        reply = ask(next, &format!("{verb} {name}"))?;
    }
    if !reply.is_positive() {
        return Err(refused("EHLO", &reply));
    }
    Ok(Extensions::of(&reply))
}

fn ask<N: Channel>(next: &mut Party<N>, line: &str) -> io::Result<Reply> {
    next.write_all(format!("{line}\r\n").as_bytes())?;
    next.reply()
}

fn refused(what: &str, reply: &Reply) -> io::Error {
    io::Error::other(format!("it refuses {what}: {}", reply.first_line()))
}

#[cfg(all(test, feature = "laws"))]
mod tests {
    use super::*;
    use crate::laws::next_hop::NextHop;

    fn of(next: NextHop, tells_client: bool) -> Result<Vec<String>, String> {
        let heard = std::rc::Rc::clone(&next.heard);
        let mut next = next;
        next.greet();
        probe(next, "gw.test", tells_client, Duration::from_secs(60))
            .map_err(|error| error.to_string())?;
        Ok(heard.take())
    }

    #[test]
    fn a_next_hop_is_ready_if_a_conversation_would_begin() {
        let with = NextHop::with;
        assert_eq!(of(with(&[]), false), Ok(vec!["EHLO gw.test".to_owned(), "QUIT".to_owned()]));
        let lmtp = NextHop { answers: vec![("EHLO", "500 5.5.1 what")], ..with(&[]) };
        assert_eq!(of(lmtp, false).map(|heard| heard[1].clone()), Ok("LHLO gw.test".to_owned()));
        let tls = NextHop { has_tls: true, ..with(&["STARTTLS"]) };
        let heard =
            ["EHLO gw.test", "STARTTLS", "(encrypted)", "EHLO gw.test", "QUIT"].map(str::to_owned);
        assert_eq!(of(tls, false), Ok(heard.to_vec()));
        assert!(of(with(&["XCLIENT NAME ADDR"]), true).is_ok());
    }

    #[test]
    fn one_that_would_refuse_mail_is_not_ready() {
        let with = NextHop::with;
        for (next, tells_client, why) in [
            (
                NextHop { replies: b"554 no service\r\n".to_vec(), ..with(&[]) },
                false,
                "it refuses the connection: 554 no service",
            ),
            (
                NextHop { replies: b"SSH-2.0-x\r\n".to_vec(), ..with(&[]) },
                false,
                "does not answer in SMTP",
            ),
            (
                NextHop { answers: vec![("EHLO", "421 4.3.2 busy")], ..with(&[]) },
                false,
                "it refuses EHLO: 421 4.3.2 busy",
            ),
            (NextHop { dies_at: "EHLO", ..with(&[]) }, false, "end of file"),
            (NextHop { has_tls: true, ..with(&[]) }, false, "it offers no STARTTLS"),
            (
                NextHop {
                    has_tls: true,
                    answers: vec![("STARTTLS", "454 4.7.0 not now")],
                    ..with(&["STARTTLS"])
                },
                false,
                "it refuses STARTTLS: 454",
            ),
            (with(&[]), true, "it offers no XCLIENT"),
        ] {
            let error = of(next, tells_client).expect_err(why);
            assert!(error.contains(why), "{why}: {error}");
        }
    }
}
