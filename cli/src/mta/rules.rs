//! The rules of the configuration file: who sends to whom. The first that matches decides.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use ipnet::IpNet;

use super::domain::comparable;
use super::filter::{Addresses, Filter};
use super::policy::{Facts, Policies};
use crate::args::{Direction, RuleArgs, When};

/// A rule with its options.
#[derive(Debug)]
pub struct Rule {
    when: When,
    filter: Arc<Filter>,
}

/// The policies of a filter, by its options and its rules.
pub fn policies(base: Filter, rules: &[RuleArgs], local_domains: &[String]) -> Policies {
    let base = Arc::new(base);
    if rules.is_empty() {
        return Policies::all(base);
    }
    let rule = |(args, number): (&RuleArgs, usize)| {
        let name = args.name.clone().unwrap_or_else(|| number.to_string());
        Rule {
            when: comparably(&args.when),
            filter: Arc::new(Filter { rule: Some(name), ..Filter::from(&args.filter) }),
        }
    };
    let rules: Vec<Rule> = rules.iter().zip(1..).map(rule).collect();
    let some_pass_long = rules.iter().any(|rule| rule.filter.passes_long());
    let local: Vec<String> = local_domains.iter().map(|domain| comparable(domain)).collect();
    let choose = move |facts: &Facts<'_>| {
        rules.iter().find(|rule| matches(&rule.when, facts, &local)).map(|rule| Arc::clone(&rule.filter))
    };
    Policies::new(base, Arc::new(choose), some_pass_long)
}

/// The tests of a rule, with addresses in the form in which they are compared.
fn comparably(when: &When) -> When {
    let all = |given: &[String]| given.iter().map(|address| comparable(address)).collect();
    When { from: all(&when.from), to: all(&when.to), ..when.clone() }
}

/// Whether all that a rule says of a message is so.
fn matches(when: &When, facts: &Facts<'_>, local: &[String]) -> bool {
    let Addresses { from, to } = facts.envelope;
    let is_client = |network: &IpNet| facts.client.is_some_and(|client| network.contains(&client));
    let any_or_none = |given: bool, is_so: bool| !given || is_so;
    any_or_none(!when.client.is_empty(), when.client.iter().any(is_client))
        && any_or_none(!when.from.is_empty(), is_among(from, &when.from))
        // A message has one form for all its recipients.
        && any_or_none(!when.to.is_empty(), are_among(to, &when.to))
        && any_or_none(!when.listener.is_empty(), when.listener.iter().any(|place| place == facts.listener))
        && when.direction.is_none_or(|direction| match direction {
            Direction::Authenticated => facts.is_authenticated,
            Direction::Local => facts.client.is_none_or(|client| client.is_loopback()),
            Direction::In => are_among(to, local),
            Direction::Out => !are_among(to, local),
        })
}

fn are_among(addresses: &[String], given: &[String]) -> bool {
    !addresses.is_empty() && addresses.iter().all(|address| is_among(address, given))
}

/// Whether an address is one of these, or in one of these domains: `example.org`, or `.example.org` for those below it. Domains are
/// compared as A-labels.
fn is_among(address: &str, given: &[String]) -> bool {
    let address = comparable(address);
    let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
    given.iter().any(|given| match given.as_bytes() {
        [b'.', ..] => domain.ends_with(given),
        _ if given.contains('@') => address == *given,
        _ => domain == given,
    })
}

/// A message as `--explain` describes it: `client=192.0.2.1 from=a@example.org rcpt=b@example.org login listener=...`.
#[derive(Debug, Default)]
pub struct Described {
    client: Option<IpAddr>,
    is_authenticated: bool,
    listener: String,
    envelope: Addresses,
}

impl FromStr for Described {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut made = Self::default();
        for word in text.split_whitespace() {
            match word.split_once('=').unwrap_or((word, "")) {
                ("client", address) => {
                    made.client =
                        Some(address.parse().map_err(|_| format!("`{address}` is no address of a client"))?);
                }
                ("from", address) => bare(address).clone_into(&mut made.envelope.from),
                ("rcpt" | "to", address) => made.envelope.to.push(bare(address).to_owned()),
                ("login", _) => made.is_authenticated = true,
                ("listener", place) => place.clone_into(&mut made.listener),
                _ => return Err(format!("`{word}`: expected client=, from=, rcpt=, listener= or login")),
            }
        }
        Ok(made)
    }
}

/// An address as logs have it, in brackets or not.
fn bare(address: &str) -> &str {
    address.trim_start_matches('<').trim_end_matches('>').trim_end_matches('.')
}

impl Described {
    /// The facts that the rules ask for.
    pub fn facts(&self) -> Facts<'_> {
        let Self { client, is_authenticated, listener, envelope } = self;
        Facts { client: *client, is_authenticated: *is_authenticated, listener, envelope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(when: &When, text: &str) -> bool {
        let described: Described = text.parse().expect("a message");
        matches(&comparably(when), &described.facts(), &["example.org".to_owned()])
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn a_rule_matches_if_all_that_it_says_is_so() {
        assert!(is(&When::default(), ""));
        let when = When { client: vec!["192.0.2.0/24".parse().expect("a network")], ..When::default() };
        assert!(is(&when, "client=192.0.2.7") && !is(&when, "client=198.51.100.7") && !is(&when, ""));
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
    }

    #[test]
    fn directions_are_seen_by_login_client_and_recipients() {
        let is = |direction, text| is(&When { direction: Some(direction), ..When::default() }, text);
        assert!(is(Direction::Authenticated, "login") && !is(Direction::Authenticated, "client=127.0.0.1"));
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
        assert!("client=here".parse::<Described>().is_err() && "sender=a@b".parse::<Described>().is_err());
    }
}
