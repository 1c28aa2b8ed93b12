//! The options with which the laws are tested: a profile alone, or any of all combinations by its
//! number.

use sevenbit::{Doubtful, Limits, Markup, Normalizer, Profile, Signed, TextEncoding, Undecodable};

/// The options that bits choose in [`Options::numbered`].
const CHOSEN: [&str; 6] =
    ["profile", "text-encoding", "undecodable", "markup", "doubtful", "signed"];

/// A normaliser, its name in failures, and its limits.
#[derive(Clone, Debug)]
pub struct Options {
    pub normalizer: Normalizer,
    pub name: String,
    pub limits: Limits,
}

impl From<Profile> for Options {
    fn from(profile: Profile) -> Self {
        let normalizer = Normalizer::new().profile(profile);
        Self { normalizer, name: format!("{profile:?}"), limits: Limits::default() }
    }
}

impl From<&Options> for Options {
    fn from(options: &Options) -> Self {
        options.clone()
    }
}

impl Options {
    /// The number with which most messages are past a limit.
    pub const SHORT_MESSAGE: u64 = 3 << 9;

    /// The combination of this number. Each of its lowest bits chooses between two values; options
    /// that came later take two bits each.
    pub fn numbered(number: u64) -> Self {
        let is_set = |bit: u64| number >> bit & 1 == 1;
        let profile = if is_set(0) { Profile::Archive } else { Profile::Transport };
        let text_encoding = if is_set(1) { TextEncoding::Utf7 } else { TextEncoding::Mime };
        let undecodable = if is_set(7) { Undecodable::Replace } else { Undecodable::Keep };
        let markup = if is_set(2) { Markup::Keep } else { Markup::Rewrite };
        let doubtful = if is_set(8) { Doubtful::Repair } else { Doubtful::Note };
        let signed = if is_set(3) { Signed::Refuse } else { Signed::Break };
        let mut limits = Limits::default();
        limits.depth = if is_set(4) { 3 } else { limits.depth };
        limits.parts = if is_set(6) { 5 } else { limits.parts };
        limits.header_octets = if is_set(5) { 4096 } else { limits.header_octets };
        let mut normalizer = Normalizer::new()
            .profile(profile)
            .text_encoding(text_encoding)
            .undecodable(undecodable)
            .markup(markup)
            .doubtful(doubtful)
            .signed(signed)
            .limits(limits);
        let low = [(is_set(4), "depth"), (is_set(5), "header_octets"), (is_set(6), "parts")];
        let low: Vec<&str> = low.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        let mut name = format!(
            "{profile:?} {text_encoding:?} {undecodable:?} {markup:?} {doubtful:?} {signed:?}, low: {}",
            low.join(" ")
        );

        if number & Self::SHORT_MESSAGE == Self::SHORT_MESSAGE {
            limits.message = 300;
            normalizer = normalizer.limits(limits);
            name += ", message of 300 octets";
        }
        // Whatever else the library's table has.
        let mut number = number >> 11;
        for option in Normalizer::OPTIONS.iter().filter(|option| !CHOSEN.contains(&option.name)) {
            let value = option.values[(number & 3) as usize % option.values.len()];
            normalizer.set(option.name, value.word).expect("a word of the table");
            name += &format!(", {} {}", option.name, value.word);
            number >>= 2;
        }
        Self { normalizer, name, limits }
    }
}
