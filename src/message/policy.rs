//! What profile, zone and options mean, as named decisions: made once, and asked by every rule. They are the table
//! at the head of docs/normal-form.md.

use super::options::{Options, Profile, Undecodable, Unlabelled};

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
    /// Header text is read and written in UTF-8 (rules H3, H4, H7).
    pub(crate) transcodes_fields: bool,
    /// Lists with a mailbox contain nothing but mailboxes (rule H6).
    pub(crate) settles_lists: bool,
    /// Inline text is read and written in UTF-8 (rule B5).
    pub(crate) transcodes_text: bool,
    /// Text files get the label that their octets show (rule B6).
    pub(crate) labels_files: bool,
    /// Octets without a label get that of a sure guess, instead of `unknown-8bit` (rules H3, B7).
    pub(crate) guesses_labels: bool,
    /// U+FFFD takes the place of what cannot be read (rule B7).
    pub(crate) replaces: bool,
    /// An encoding under a name that readers do not know is undone (rule B1).
    pub(crate) knows_odd_encodings: bool,
    /// What follows the padding of base64 is read (rule B2).
    pub(crate) reads_past_padding: bool,
    /// Encoded data that is not exactly right is encoded again (rule B2).
    pub(crate) wants_exact_encodings: bool,
    /// News articles are opened, unless something around one claims to be signed (rule B9).
    pub(crate) opens_articles: bool,
    /// Other message types are made opaque (rule B9).
    pub(crate) closes_other_messages: bool,
    /// A part without a header is given a type (rule B9).
    pub(crate) states_types: bool,
    /// Encoded multiparts are decoded, not made opaque (rule B11).
    pub(crate) decodes_multiparts: bool,
}

impl Policy {
    /// Returns the decisions for a zone.
    pub(crate) fn of(options: &Options, zone: Zone) -> Self {
        let archive = options.profile == Profile::Archive;
        let free = zone == Zone::Free;
        // Signed content that is not safe is touched only where it must be.
        let rewrites = archive && free;
        Self {
            transcodes_fields: rewrites,
            settles_lists: rewrites,
            transcodes_text: rewrites,
            labels_files: rewrites,
            guesses_labels: !archive && free && options.unlabelled == Unlabelled::Guess,
            replaces: rewrites && options.undecodable == Undecodable::Replace,
            knows_odd_encodings: archive,
            reads_past_padding: archive || !free,
            wants_exact_encodings: archive,
            opens_articles: rewrites,
            closes_other_messages: rewrites,
            states_types: rewrites,
            decodes_multiparts: archive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a row, and the decision.
    type Row = (&'static str, fn(&Policy) -> bool);

    /// The rows of the table: what is decided, by which rules, and where it is found.
    const ROWS: [Row; 13] = [
        ("header text becomes UTF-8 (H3, H4, H7)", |policy| policy.transcodes_fields),
        ("text in lists becomes groups (H6)", |policy| policy.settles_lists),
        ("inline text becomes UTF-8 (B5)", |policy| policy.transcodes_text),
        ("text files are labelled (B6)", |policy| policy.labels_files),
        ("sure guesses only label (H3, B7)", |policy| policy.guesses_labels),
        ("U+FFFD for unreadable octets (B7)", |policy| policy.replaces),
        ("`b64`, `qp` are undone (B1)", |policy| policy.knows_odd_encodings),
        ("base64 after padding is read (B2)", |policy| policy.reads_past_padding),
        ("files are encoded exactly (B2)", |policy| policy.wants_exact_encodings),
        ("articles are opened (B9)", |policy| policy.opens_articles),
        ("other message types are opaque (B9)", |policy| policy.closes_other_messages),
        ("missing types are stated (B9)", |policy| policy.states_types),
        ("encoded multiparts are decoded (B11)", |policy| policy.decodes_multiparts),
    ];

    /// The columns: transport, archive, and signed content of an archive that is not safe.
    const COLUMNS: [(Profile, Zone); 3] =
        [(Profile::Transport, Zone::Free), (Profile::Archive, Zone::Free), (Profile::Archive, Zone::Signed)];

    /// Returns `yes`, `–`, or the option that makes it so.
    fn cell((profile, zone): (Profile, Zone), is_so: fn(&Policy) -> bool) -> &'static str {
        let by = |options: Options| is_so(&Policy::of(&Options { profile, ..options }, zone));
        match () {
            () if by(Options::default()) => "yes",
            () if by(Options { undecodable: Undecodable::Replace, ..Options::default() }) => {
                "`--undecodable replace`"
            }
            () if by(Options { unlabelled: Unlabelled::Guess, ..Options::default() }) => {
                "`--unlabelled guess`"
            }
            () => "–",
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
