//! The rules of the configuration file: who sends to whom, and what. The first that matches
//! decides.

use std::cell::OnceCell;
use std::fs;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use ipnet::IpNet;
use sevenbit::Message;

use super::domain::comparable;
use super::filter::{Addresses, Filter};
use super::policy::{Content, Facts, Policies, Rules};
use crate::args::{Checked, Direction, Pattern, RuleArgs, Signature, When};

/// A rule with its options.
#[derive(Debug)]
pub struct Rule {
    when: When,
    filter: Arc<Filter>,
}

/// The rules of a file.
#[derive(Debug)]
struct InOrder {
    rules: Vec<Rule>,
    /// The domains whose mail is ours.
    local: Vec<String>,
}

/// The policies of a filter, by its options and its rules.
pub fn policies(base: Filter, rules: &[RuleArgs], local_domains: &[String]) -> Policies {
    let filters = rules.iter().map(|rule| Filter::from(&rule.filter)).collect::<Vec<_>>();
    let added = filters.iter().chain([&base]).filter_map(Filter::added_field);
    let own_fields: Vec<String> = added.map(ToOwned::to_owned).collect();
    let base = Arc::new(Filter { own_fields: own_fields.clone(), ..base });
    if rules.is_empty() {
        return Policies::all(base);
    }
    let rule = |((args, filter), number): ((&RuleArgs, Filter), usize)| {
        let name = args.name.clone().unwrap_or_else(|| number.to_string());
        let filter = Filter { rule: Some(name), own_fields: own_fields.clone(), ..filter };
        Rule { when: comparably(&args.when), filter: Arc::new(filter) }
    };
    let rules: Vec<Rule> = rules.iter().zip(filters).zip(1..).map(rule).collect();
    let some_pass_long = rules.iter().any(|rule| rule.filter.passes_long());
    let local: Vec<String> = local_domains.iter().map(|domain| comparable(domain)).collect();
    Policies::new(base, Arc::new(InOrder { rules, local }), some_pass_long)
}

impl Rules for InOrder {
    fn choose(&self, facts: &Facts<'_>) -> Option<Arc<Filter>> {
        let message = OnceCell::new();
        let is_so = |rule: &&Rule| {
            let has_content = || {
                facts.content.is_some_and(|content| {
                    let message = message.get_or_init(|| Message::parse(content.header));
                    has_content(&rule.when, message, content.octets)
                })
            };
            has_envelope(&rule.when, facts, &self.local)
                && (!rule.when.asks_content() || has_content())
        };
        self.rules.iter().find(is_so).map(|rule| Arc::clone(&rule.filter))
    }

    fn may_pass_long(&self, facts: &Facts<'_>, otherwise: bool) -> bool {
        for rule in self.rules.iter().filter(|rule| has_envelope(&rule.when, facts, &self.local)) {
            let passes_long = rule.filter.passes_long();
            if passes_long || !rule.when.asks_content() {
                return passes_long;
            }
        }
        otherwise
    }
}

/// The tests of a rule, with addresses in the form in which they are compared.
fn comparably(when: &When) -> When {
    let all = |given: &Vec<String>| given.iter().map(|address| comparable(address)).collect();
    When { from: when.from.as_ref().map(all), to: when.to.as_ref().map(all), ..when.clone() }
}

/// Returns whether the tests of a rule on client and envelope pass.
fn has_envelope(when: &When, facts: &Facts<'_>, local: &[String]) -> bool {
    let Addresses { from, to } = facts.envelope;
    let is_client = |network: &IpNet| facts.client.is_some_and(|client| network.contains(&client));
    when.client.as_ref().is_none_or(|networks| networks.iter().any(is_client))
        && when.from.as_ref().is_none_or(|given| is_among(from, given))
        // A message has one form for all its recipients.
        && when.to.as_ref().is_none_or(|given| are_among(to, given))
        && when.listener.as_ref().is_none_or(|places| places.iter().any(|place| place == facts.listener))
        && when.direction.is_none_or(|direction| match direction {
            Direction::Authenticated => facts.is_authenticated,
            Direction::Local => facts.client.is_none_or(|client| client.is_loopback()),
            Direction::In => are_among(to, local),
            Direction::Out => !are_among(to, local),
        })
}

/// Returns whether the tests of a rule on the message itself pass.
fn has_content(when: &When, message: &Message<'_>, octets: u64) -> bool {
    let is_there =
        |name: &str| message.headers().any(|(found, _)| found.eq_ignore_ascii_case(name));
    let has_field = |(name, patterns): &(String, Vec<Pattern>)| {
        let mut values = message.headers().filter(|(found, _)| found.eq_ignore_ascii_case(name));
        values.any(|(_, value)| patterns.iter().any(|pattern| pattern.is(&value)))
    };
    let is_signed = |signature: &Signature| match signature {
        Signature::Dkim => is_there("DKIM-Signature"),
        Signature::Arc => is_there("ARC-Seal"),
        Signature::None => !is_there("DKIM-Signature") && !is_there("ARC-Seal"),
    };
    when.header.iter().all(has_field)
        && when.signature.as_ref().is_none_or(|given| given.iter().any(is_signed))
        && when
            .authentication
            .as_ref()
            .is_none_or(|given| given.iter().any(|check| is_said(check, message)))
        && when.larger_than.is_none_or(|size| octets > size)
        && when.smaller_than.is_none_or(|size| octets < size)
}

/// Returns whether an Authentication-Results field of the server gives this result.
fn is_said(check: &Checked, message: &Message<'_>) -> bool {
    message.authentication_results().iter().any(|field| {
        let is_server = field.server().eq_ignore_ascii_case(&check.server);
        is_server
            && field.results().iter().any(|found| {
                found.method().eq_ignore_ascii_case(&check.method)
                    && found.result().eq_ignore_ascii_case(&check.result)
            })
    })
}

fn are_among(addresses: &[String], given: &[String]) -> bool {
    !addresses.is_empty() && addresses.iter().all(|address| is_among(address, given))
}

/// Whether an address is one of these, or in one of these domains: `example.org`, or `.example.org`
/// for those below it. Domains are compared as A-labels.
fn is_among(address: &str, given: &[String]) -> bool {
    let address = comparable(address);
    let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
    given.iter().any(|given| match given.as_bytes() {
        [b'.', ..] => domain.ends_with(given),
        _ if given.contains('@') => address == *given,
        _ => domain == given,
    })
}

/// A message as `--explain` describes it: `client=192.0.2.1 from=a@example.org rcpt=b@example.org
/// login listener=... message=FILE`, the file last.
#[derive(Debug, Default)]
pub struct Described {
    client: Option<IpAddr>,
    is_authenticated: bool,
    listener: String,
    envelope: Addresses,
    octets: Option<Vec<u8>>,
}

impl FromStr for Described {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut made = Self::default();
        // The name of a file may hold white space.
        let (text, file) = match text.split_once("message=") {
            Some((text, file)) => (text, Some(file)),
            None => (text, None),
        };
        if let Some(path) = file {
            let octets = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
            made.octets = Some(as_sent(octets));
        }
        for word in text.split_whitespace() {
            match word.split_once('=').unwrap_or((word, "")) {
                ("client", address) => {
                    made.client = Some(
                        address
                            .parse()
                            .map_err(|_| format!("`{address}` is no address of a client"))?,
                    );
                }
                ("from", address) => bare(address).clone_into(&mut made.envelope.from),
                ("rcpt" | "to", address) => made.envelope.to.push(bare(address).to_owned()),
                ("login", _) => made.is_authenticated = true,
                ("listener", place) => place.clone_into(&mut made.listener),
                _ => {
                    let expected = "client=, from=, rcpt=, listener=, message=FILE or login";
                    return Err(format!("`{word}`: expected {expected}"));
                }
            }
        }
        Ok(made)
    }
}

/// Returns a message as it comes over SMTP, with CRLF, if it is stored with LF.
fn as_sent(octets: Vec<u8>) -> Vec<u8> {
    if octets.contains(&b'\r') {
        return octets;
    }
    octets.split_inclusive(|octet| *octet == b'\n').fold(Vec::new(), |mut sent, line| {
        sent.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        if line.ends_with(b"\n") {
            sent.extend_from_slice(b"\r\n");
        }
        sent
    })
}

/// An address as logs have it, in brackets or not.
fn bare(address: &str) -> &str {
    address.trim_start_matches('<').trim_end_matches('>').trim_end_matches('.')
}

impl Described {
    /// The facts that the rules ask for.
    pub fn facts(&self) -> Facts<'_> {
        let Self { client, is_authenticated, listener, envelope, octets } = self;
        let content =
            octets.as_ref().map(|octets| Content { header: octets, octets: octets.len() as u64 });
        Facts { client: *client, is_authenticated: *is_authenticated, listener, envelope, content }
    }

    /// The message itself, if it is given.
    pub fn octets(&self) -> Option<&[u8]> {
        self.octets.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(when: &When, text: &str) -> bool {
        let described: Described = text.parse().expect("a message");
        has_envelope(&comparably(when), &described.facts(), &["example.org".to_owned()])
    }

    fn words(words: &[&str]) -> Option<Vec<String>> {
        Some(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn a_rule_matches_if_all_that_it_says_is_so() {
        assert!(is(&When::default(), ""));
        let when = When {
            client: Some(vec!["192.0.2.0/24".parse().expect("a network")]),
            ..When::default()
        };
        assert!(
            is(&when, "client=192.0.2.7") && !is(&when, "client=198.51.100.7") && !is(&when, "")
        );
        let when = When {
            from: words(&["Example.org", ".example.com", "ada@example.net", "b\u{FC}cher.example"]),
            ..when
        };
        for (from, expected) in [
            ("a@example.ORG", true),
            ("a@x.example.com", true),
            ("Ada@example.net", true),
            ("a@example.com", false),
            ("b@example.net", false),
            ("a@B\u{DC}CHER.example", true),
            ("a@xn--bcher-kva.example", true),
            ("a@notexample.org", false),
            ("", false),
        ] {
            assert_eq!(is(&when, &format!("client=192.0.2.7 from={from}")), expected, "{from}");
            assert!(!is(&when, &format!("client=198.51.100.7 from={from}")), "{from}");
        }
    }

    #[test]
    fn all_recipients_have_to_match() {
        let when = When { to: words(&["example.org"]), ..When::default() };
        assert!(is(&when, "rcpt=a@example.org rcpt=b@example.org"));
        assert!(!is(&when, "rcpt=a@example.org rcpt=b@example.com") && !is(&when, ""));
        assert!(!is(&When { to: Some(Vec::new()), ..When::default() }, "rcpt=a@example.org"));
    }

    #[test]
    fn the_message_itself_is_asked() {
        let mail = b"DKIM-Signature: v=1\r\nauthentication-results: mx.example.org; dkim=pass; spf=fail\r\n\
            Subject: =?utf-8?Q?Rechnung_f=C3=BCr?=\r\n Mai\r\nList-Id: <a.example.org>\r\n\r\nARC-Seal: x\r\n";
        let has = |when: When| has_content(&when, &Message::parse(mail), mail.len() as u64);
        let header = |name: &str, pattern: &str| {
            has(When {
                header: vec![(name.to_owned(), vec![Pattern::new(pattern)])],
                ..When::default()
            })
        };
        assert!(header("SUBJECT", "rechnung f\u{FC}r mai") && header("subject", "*F\u{DC}R*"));
        assert!(
            header("List-Id", "*")
                && !header("List-Post", "*")
                && !header("List-Id", "a.example.org")
        );

        let signed = |signature| has(When { signature: Some(vec![signature]), ..When::default() });
        assert!(signed(Signature::Dkim) && !signed(Signature::Arc) && !signed(Signature::None));
        let says = |check: &str| {
            let check = check.parse().expect("a check");
            has(When { authentication: Some(vec![check]), ..When::default() })
        };
        assert!(says("MX.example.org dkim=pass") && says("mx.example.org SPF=fail"));
        assert!(!says("mx.example.org spf=pass") && !says("example.org dkim=pass"));

        let size = mail.len() as u64;
        let larger = |size| has(When { larger_than: Some(size), ..When::default() });
        let smaller = |size| has(When { smaller_than: Some(size), ..When::default() });
        assert!(larger(size - 1) && !larger(size) && smaller(size + 1) && !smaller(size));
    }

    #[test]
    fn directions_are_seen_by_login_client_and_recipients() {
        let is =
            |direction, text| is(&When { direction: Some(direction), ..When::default() }, text);
        assert!(
            is(Direction::Authenticated, "login")
                && !is(Direction::Authenticated, "client=127.0.0.1")
        );
        assert!(
            is(Direction::Local, "client=::1")
                && is(Direction::Local, "")
                && !is(Direction::Local, "client=192.0.2.1")
        );
        let [in_, mixed] = ["rcpt=a@example.org", "rcpt=a@example.org rcpt=b@example.com"];
        assert!(is(Direction::In, in_) && !is(Direction::Out, in_));
        assert!(is(Direction::Out, mixed) && !is(Direction::In, mixed));
    }

    #[test]
    fn a_description_that_is_none_is_refused() {
        assert!(
            "client=here".parse::<Described>().is_err()
                && "sender=a@b".parse::<Described>().is_err()
        );
    }
}
