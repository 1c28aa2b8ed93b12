//! Reads a value into the model of an address list.

use super::spec::{self, first_bare, lone_local};
use super::{AddressList, Entry, Mailbox, MailboxKind, Token, TokenKind, Words, tokens};

/// ```text
/// address-list = (address *("," address)) / obs-addr-list
/// address      = mailbox / group
/// ```
///
/// Deviations:
/// 1. Anything may occur between separators: what is not an address is text, so that nothing is
///    left out.
/// 2. A group may lack its `;`. `:` opens a group only after words; after an address only if
///    another follows.
/// 3. `;` outside a group separates, as some programs write it; after words alone it ends a group
///    whose `:` is missing (`undisclosed-recipients;`).
/// 4. `<` without `>` reaches to the next separator.
/// 5. Words may come before and after an addr-spec without brackets.
/// 6. Two addresses count as two even without a comma between them.
/// 7. Words before a mailbox in brackets are its name, whatever commas are in between: `Lind, Ada
///    <a@b>`.
pub fn list(value: &[u8]) -> AddressList<'_> {
    let list = AddressList { value, tokens: tokens(value), ..AddressList::default() };
    let mut reader = Reader {
        list,
        addresses: Vec::new(),
        is_in_group: false,
        is_after_group: false,
        is_strayed: false,
    };
    let mut at = 0;
    while at < reader.list.tokens.len() {
        let end = piece_end(&reader.list.tokens, at);
        let separator = reader.list.tokens.get(end).map(|token| token.kind);
        reader.piece(Words::new(at, end), separator);
        at = end + 1;
    }
    reader.end()
}

/// Returns where the piece that begins at `from` ends: at a separator, or at the end of the list.
fn piece_end(tokens: &[Token], from: usize) -> usize {
    let (mut at, mut words, mut address, mut angle) = (from, false, false, false);
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(b',' | b';') => return at,
            TokenKind::Special(b':')
                if words && !angle && (!address || holds_member(&tokens[at + 1..])) =>
            {
                return at;
            }
            TokenKind::Special(b'<') => {
                (address, angle) = (true, true);
                at = angle_end(tokens, at);
                continue;
            }
            TokenKind::Special(b'@') => address = true,
            TokenKind::Special(b':') | TokenKind::Literal => {}
            TokenKind::Atom | TokenKind::Quoted | TokenKind::Special(_) => words = true,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Returns whether an address follows before any separator.
fn holds_member(tokens: &[Token]) -> bool {
    let separates = |token: &&Token| !matches!(token.kind, TokenKind::Special(b',' | b';' | b':'));
    let is_of_address = |token: &Token| matches!(token.kind, TokenKind::Special(b'@' | b'<'));
    tokens.iter().take_while(separates).any(is_of_address)
}

/// Returns the token after the angle that begins at `from`. It ends before a comma between two
/// addresses; trailing white space is not part of an angle without its `>`.
pub fn angle_end(tokens: &[Token], from: usize) -> usize {
    let (mut separator, mut holds_spec, mut is_empty) = (None, false, true);
    for (at, token) in tokens.iter().enumerate().skip(from + 1) {
        match token.kind {
            TokenKind::Special(b'>') => return at + 1,
            TokenKind::Special(b'<') => {
                separator = separator.or(Some(at));
                break;
            }
            TokenKind::Special(b',' | b';') => separator = separator.or(Some(at)),
            TokenKind::Special(b'@') if separator.is_some() && holds_spec => break,
            TokenKind::Special(b'@') => holds_spec |= !is_empty && separator.is_none(),
            _ => {}
        }
        is_empty &= is_space_or_comment(token);
    }
    let end = separator.unwrap_or(tokens.len());
    let last = tokens[..end].iter().rposition(|token| token.kind != TokenKind::Space);
    last.map_or(end, |last| last + 1)
}

/// A list that is being read.
struct Reader<'v> {
    list: AddressList<'v>,
    /// The addresses between two separators.
    addresses: Vec<Words>,
    /// Whether a group is open.
    is_in_group: bool,
    /// Whether a group was closed, and no comma has come since.
    is_after_group: bool,
    /// Whether there was a `;` that closes no group.
    is_strayed: bool,
}

impl<'v> Reader<'v> {
    /// Reads what is before a separator.
    fn piece(&mut self, piece: Words, separator: Option<TokenKind>) {
        if std::mem::take(&mut self.is_after_group) {
            match self.list.entries.last_mut() {
                Some(Entry::End(after))
                    if self.list.tokens[piece.start()..piece.end()]
                        .iter()
                        .all(is_space_or_comment) =>
                {
                    *after = piece;
                    self.is_strayed |= separator == Some(TokenKind::Special(b';'));
                    return;
                }
                _ => self.list.is_broken = true,
            }
        }
        match separator {
            Some(TokenKind::Special(b':')) => self.open_group(piece),
            Some(TokenKind::Special(b';')) => {
                self.elements(piece);
                self.is_after_group = self.close_group();
                self.is_strayed |= !self.is_after_group;
            }
            _ => self.elements(piece),
        }
    }

    /// Opens a group. One that is open ends here, or is part of the name if it has no members: `a:
    /// b: c@d;`.
    fn open_group(&mut self, mut name: Words) {
        let is_open = match self.list.entries.last() {
            Some(Entry::Group(open)) => {
                name.start = open.start;
                self.list.entries.pop();
                true
            }
            _ => self.close_group(),
        };
        self.list.is_broken |= is_open || self.list.holds_odd_token(name);
        self.list.entries.push(Entry::Group(name));
        self.is_in_group = true;
    }

    /// Closes the group; returns whether there was one.
    fn close_group(&mut self) -> bool {
        let is_open = std::mem::take(&mut self.is_in_group);
        self.list.entries.extend(is_open.then(|| Entry::End(Words::default())));
        is_open
    }

    fn end(mut self) -> AddressList<'v> {
        self.list.is_broken |= self.close_group() || self.is_strayed;
        if let [
            Entry::Text(name) | Entry::Mailbox(Mailbox { all: name, kind: MailboxKind::Local, .. }),
        ] = self.list.entries[..]
            && self.is_strayed
            && self.list.says_something(name)
        {
            self.list.entries = vec![Entry::Group(name), Entry::End(Words::default())];
        }
        self.list
    }

    /// Reads the entries between two separators, each with at most one address and the comments
    /// after it.
    fn elements(&mut self, piece: Words) {
        self.find_addresses(piece);
        let addresses = std::mem::take(&mut self.addresses);
        let mut start = piece.start();
        for (at, address) in addresses.iter().enumerate() {
            let rest = &self.list.tokens[address.end()..piece.end()];
            let end = match addresses.get(at + 1) {
                Some(_) => {
                    address.end()
                        + rest.iter().take_while(|token| is_space_or_comment(token)).count()
                }
                None => piece.end(),
            };
            self.list.is_broken |= end < piece.end();
            let entry = self.mailbox(Words::new(start, end), *address);
            self.push(entry);
            start = end;
        }
        if addresses.is_empty() {
            let is_nothing =
                |token: &Token| matches!(token.kind, TokenKind::Space | TokenKind::Controls);
            match self.list.tokens(piece) {
                tokens if !tokens.iter().all(is_nothing) => self.push(Entry::Text(piece)),
                tokens => {
                    self.list.is_broken |=
                        tokens.iter().any(|token| token.kind == TokenKind::Controls)
                }
            }
        }
        self.addresses = addresses;
    }

    /// Finds the addresses between two separators: those in brackets, else those without.
    fn find_addresses(&mut self, piece: Words) {
        let Self { list, addresses, .. } = self;
        find_angles(&list.tokens, piece, addresses);
        let is_inner = |token: &Token| !is_space_or_comment(token) && !is(token, b'>');
        let is_something =
            |angle: &Words| list.tokens[angle.start() + 1..angle.end()].iter().any(is_inner);
        let empty = addresses.first().copied();
        addresses.retain(is_something);
        if !addresses.is_empty() {
            return;
        }
        let mut rest = piece;
        while let Some(found) = first_bare(&list.tokens, rest) {
            rest.start = found.end;
            addresses.push(found);
        }
        if addresses.is_empty() {
            addresses.extend(empty.or_else(|| lone_local(list.value, &list.tokens, piece)));
        }
    }

    /// Returns the mailbox with an address, or text if it is not an address.
    fn mailbox(&mut self, all: Words, address: Words) -> Entry {
        let tokens = self.list.tokens(address);
        // `al"i"ce@example.org` has no local part that any two readers agree on.
        let is_glued = || match &self.list.tokens[all.start()..address.start()] {
            [.., before, quotes] => {
                quotes.kind == TokenKind::Quoted && before.kind == TokenKind::Atom
            }
            _ => false,
        };
        match spec::read(self.list.value, tokens) {
            // Nobody knows which address `<carol>@example.org` is.
            Some((MailboxKind::Local, _)) if self.precedes_at(address) => Entry::Text(all),
            Some((kind, spec)) if !is_glued() || tokens[0].kind == TokenKind::Special(b'<') => {
                let mut mailbox = Mailbox { all, address, spec: None, kind };
                if let Some(spec) = spec {
                    self.list.set_spec(&mut mailbox, spec);
                }
                Entry::Mailbox(mailbox)
            }
            _ => Entry::Text(all),
        }
    }

    fn precedes_at(&self, address: Words) -> bool {
        self.list.tokens.get(address.end()).is_some_and(|next| is(next, b'@'))
    }

    fn push(&mut self, entry: Entry) {
        if self.is_lost(&entry) {
            self.list.is_broken = true;
            return;
        }
        let entry = self.with_its_name(entry);
        self.list.is_broken = self.list.is_broken || self.is_broken(&entry);
        self.list.entries.push(entry);
    }

    /// Returns whether an entry is no more than a bracket that opens nothing, with no name before
    /// it.
    fn is_lost(&self, entry: &Entry) -> bool {
        let Entry::Mailbox(one) = entry else { return false };
        one.kind == MailboxKind::Empty
            && one.address.end == one.address.start + 1
            && !self.list.says_something(one.before())
            && !self.list.says_something(one.after())
    }

    /// Takes words before a mailbox with a domain that is written in brackets as part of its name.
    fn with_its_name(&mut self, entry: Entry) -> Entry {
        let Entry::Mailbox(mut mailbox) = entry else { return entry };
        // The brackets are asked about last, since that takes longest.
        let follows_words = self.list.entries.last().is_some_and(|last| last.as_words().is_some());
        if mailbox.kind != MailboxKind::Whole
            || !follows_words
            || !self.list.takes_brackets(&mailbox)
        {
            return Entry::Mailbox(mailbox);
        }
        while let Some(words) = self.list.entries.last().and_then(Entry::as_words)
            && self.may_be_name(words)
        {
            self.list.entries.pop();
            mailbox.all.start = words.start;
            self.list.is_broken = true;
        }
        Entry::Mailbox(mailbox)
    }

    fn may_be_name(&self, words: Words) -> bool {
        let is_of_address = |token: &Token| matches!(token.kind, TokenKind::Special(b'<' | b'@'));
        self.list.says_something(words) && !self.list.tokens(words).iter().any(is_of_address)
    }

    /// Returns whether an entry is not written as the grammar says.
    fn is_broken(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Text(words) => self.list.holds_odd_token(*words),
            Entry::Mailbox(mailbox) => self.is_broken_mailbox(mailbox),
            _ => false,
        }
    }

    fn is_broken_mailbox(&self, mailbox: &Mailbox) -> bool {
        let list = &self.list;
        let holds_words =
            |words| list.tokens(words).iter().any(|token| !is_space_or_comment(token));
        let address = list.tokens(mailbox.address);
        let is_blank =
            |token: &Token| is_space_or_comment(token) || token.kind == TokenKind::Controls;
        let is_separator =
            |token: &Token| matches!(token.kind, TokenKind::Special(b':' | b',' | b';'));
        let is_spaced = address.iter().any(|token| is_blank(token) || is_separator(token));
        let is_open = !address.last().is_some_and(|last| is(last, b'>'));
        let is_well_placed = if list.is_in_brackets(mailbox) {
            !is_open
        } else {
            // Two readers take the colon for the end of a group's name.
            !holds_words(mailbox.before()) && !list.octets(mailbox.address).contains(&b':')
        };
        let is_odd = list.holds_odd_token(mailbox.before())
            || list.name_as_text(mailbox).is_some()
            || holds_words(mailbox.after());
        mailbox.spec.is_some() || is_spaced || is_odd || !is_well_placed
    }
}

/// Finds the angles that are closed; without one, the last that is not.
fn find_angles(tokens: &[Token], piece: Words, found: &mut Vec<Words>) {
    found.clear();
    let (mut open, mut start) = (None, piece.start());
    while let Some(len) = tokens[start..piece.end()].iter().position(|token| is(token, b'<')) {
        let at = start + len;
        let end = angle_end(tokens, at).min(piece.end()).max(at + 1);
        let angle = Words::new(at, end);
        if is(&tokens[end - 1], b'>') {
            found.push(angle);
        } else {
            open = Some(angle);
        }
        start = end;
    }
    if found.is_empty() {
        found.extend(open);
    }
}

fn is(token: &Token, special: u8) -> bool {
    token.kind == TokenKind::Special(special)
}

fn is_space_or_comment(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Space | TokenKind::Comment)
}

impl Entry {
    /// Returns the words of an entry that are not a mailbox with a domain or brackets.
    fn as_words(&self) -> Option<Words> {
        match self {
            Self::Text(words) => Some(*words),
            Self::Mailbox(one) if one.kind == MailboxKind::Local => Some(one.all),
            _ => None,
        }
    }
}
