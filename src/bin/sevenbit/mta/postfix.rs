//! What has Postfix use the milter: the commands of docs/mta.md, for a socket.

use crate::args::Endpoint;

/// Where packaging/ has the milter listen.
const PACKAGED: &str = "unix:/run/sevenbit/milter.sock";

/// Where Debian's smtpd lives: it sees nothing else.
const CHROOT: &str = "/var/spool/postfix/";

/// The commands for a milter that listens there.
pub fn commands(listen: Option<&Endpoint>) -> String {
    let place = match listen {
        Some(Endpoint::Inet(address)) => format!("inet:{address}"),
        Some(Endpoint::Unix(path)) => match path.strip_prefix(CHROOT) {
            Ok(inside) => format!("unix:/{}", inside.display()),
            Err(_) => format!("unix:{}", path.display()),
        },
        Some(Endpoint::Systemd) | None => PACKAGED.to_owned(),
    };
    format!(
        "postconf -e 'smtpd_milters = {place}' 'non_smtpd_milters = $smtpd_milters' \\\n    \
         'milter_default_action = tempfail' 'smtputf8_autodetect_classes = verify'\npostfix reload\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_the_page() {
        let page = include_str!("../../../../docs/mta.md");
        let endpoint = "inet:127.0.0.1:8895".parse().expect("an endpoint");
        assert!(page.contains(&commands(Some(&endpoint))), "{}", commands(Some(&endpoint)));
        let inside = "unix:/var/spool/postfix/sevenbit/milter.sock".parse().expect("an endpoint");
        assert!(commands(Some(&inside)).contains("'smtpd_milters = unix:/sevenbit/milter.sock'"));
        assert!(commands(None).contains(PACKAGED));
    }
}
