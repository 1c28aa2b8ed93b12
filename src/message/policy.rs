//! The meaning of profile, zone and options, as named decisions: made once, and asked by every
//! rule. They are the table at the head of docs/normal-form.md.

use crate::Charset;

use super::options::{CommentNames, Doubtful, Options, Profile, Undecodable, Unlabelled};
use crate::facts::tree::Openings;

/// How freely an entity may be changed (rule G12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Zone {
    #[default]
    Free,
    /// Signed, and its octets are safe: they stay.
    Frozen,
    /// Signed, and its octets are not safe: only transfer encodings change.
    Signed,
}

/// The decisions for the entities of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    /// An archive writes everything anew that is not signed: header text and inline text in UTF-8
    /// (rules H3, H4, H7, B5), lists with a mailbox without anything else (H6), text files with the
    /// label that their octets show (B6), parts without a header with a type, news articles as
    /// messages, unless something around one claims to be signed, other message types as opaque
    /// parts (B9).
    pub(crate) rewrites: bool,
    /// An archive undoes an encoding under a name that readers do not know (rule B1), encodes data
    /// again that is not exactly right (B2), and decodes encoded multiparts (B11).
    pub(crate) mends_encodings: bool,
    /// Parts that few readers find are opened (rule B8).
    pub(crate) opens_hidden_parts: bool,
    /// Octets without a label get that of a sure guess, instead of `unknown-8bit` (rules H3, B7).
    pub(crate) guesses_labels: bool,
    /// U+FFFD takes the place of what cannot be read (rule B7).
    pub(crate) replaces: bool,
    /// The treatment of text that reads as mojibake (rule B7); only an archive reads all text.
    pub(crate) doubtful: Doubtful,
    /// The name that a comment after an address gives is written before the address (rule H6).
    pub(crate) moves_names: bool,
    /// The charset that a person has chosen for text, whatever its label (rule B7).
    pub(crate) read_as: Option<Charset>,
}

impl Policy {
    /// Returns the decisions for a zone.
    pub(crate) fn of(options: &Options, zone: Zone) -> Self {
        let archive = options.profile == Profile::Archive;
        let free = zone == Zone::Free;
        // Signed content that is not safe is touched only where it must be.
        let rewrites = archive && free;
        Self {
            rewrites,
            mends_encodings: archive,
            opens_hidden_parts: archive,
            guesses_labels: !archive && free && options.unlabelled == Unlabelled::Guess,
            replaces: rewrites && options.undecodable == Undecodable::Replace,
            doubtful: if rewrites { options.doubtful } else { Doubtful::Keep },
            moves_names: rewrites && options.comment_names == CommentNames::Rewrite,
            read_as: if rewrites { options.read_as } else { None },
        }
    }

    /// Returns what is opened of a message that is written by these decisions.
    pub(crate) fn openings(&self) -> Openings {
        Openings {
            misspelt_encodings: self.mends_encodings,
            encoded_multiparts: self.mends_encodings,
            hidden_parts: self.opens_hidden_parts,
            articles: self.rewrites,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a row, and the decision.
    type Row = (&'static str, fn(&Policy) -> bool);

    /// The rows of the table: what is decided, by which rules, and where it is found.
    const ROWS: [Row; 16] = [
        ("header text becomes UTF-8 (H3, H4, H7)", |policy| policy.rewrites),
        ("text in lists becomes groups (H6)", |policy| policy.rewrites),
        ("names in comments are moved (H6)", |policy| policy.moves_names),
        ("inline text becomes UTF-8 (B5)", |policy| policy.rewrites),
        ("text files are labelled (B6)", |policy| policy.rewrites),
        ("sure guesses only label (H3, B7)", |policy| policy.guesses_labels),
        ("U+FFFD for unreadable octets (B7)", |policy| policy.replaces),
        ("mojibake is noted (H3, B7)", |policy| policy.doubtful == Doubtful::Note),
        ("mojibake is mended (H3, B7)", |policy| policy.doubtful == Doubtful::Repair),
        ("`b64`, `qp` are undone (B1)", |policy| policy.mends_encodings),
        ("files are encoded exactly (B2)", |policy| policy.mends_encodings),
        ("parts that few readers find are opened (B8)", |policy| policy.opens_hidden_parts),
        ("articles are opened (B9)", |policy| policy.rewrites),
        ("other message types are opaque (B9)", |policy| policy.rewrites),
        ("missing types are stated (B9)", |policy| policy.rewrites),
        ("encoded multiparts are decoded (B11)", |policy| policy.mends_encodings),
    ];

    /// The columns: transport, archive, and signed content of an archive that is not safe.
    const COLUMNS: [(Profile, Zone); 3] = [
        (Profile::Transport, Zone::Free),
        (Profile::Archive, Zone::Free),
        (Profile::Archive, Zone::Signed),
    ];

    /// Returns `yes`, `–`, or the option that makes it so.
    fn cell((profile, zone): (Profile, Zone), is_so: fn(&Policy) -> bool) -> &'static str {
        let by = |options: Options| is_so(&Policy::of(&Options { profile, ..options }, zone));
        if by(Options::default()) {
            "yes"
        } else if by(Options { undecodable: Undecodable::Replace, ..Options::default() }) {
            "`--undecodable replace`"
        } else if by(Options { doubtful: Doubtful::Repair, ..Options::default() }) {
            "`--doubtful repair`"
        } else if by(Options { comment_names: CommentNames::Rewrite, ..Options::default() }) {
            "`--comment-names rewrite`"
        } else {
            "–"
        }
    }

    #[test]
    fn the_page_has_these_decisions() {
        let row = |(what, is_so): (&str, fn(&Policy) -> bool)| {
            format!("| {what} | {} |\n", COLUMNS.map(|column| cell(column, is_so)).join(" | "))
        };
        let table: String = ROWS.map(row).concat();
        let page = include_str!("../../docs/normal-form.md");
        assert!(page.contains(&table), "docs/normal-form.md should have these rows:\n{table}");
    }
}
