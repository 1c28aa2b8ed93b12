//! Contacts as vCard (RFC 6350).

use super::Source;
use super::address::is_mailbox;
use super::calendar::{Lines, escaped};
use super::header;
use super::mime::Part;
use super::time;
use crate::model::{Guid, Properties};
use crate::tags::{self, contact};

const ADDRESS: Guid = Guid::of_outlook(0x0006_2004);

/// The numbers of what a contact has more than once.
mod numbers {
    /// The addresses of electronic mail, and the names that were shown for them.
    pub(super) const EMAILS: [(u32, u32); 3] =
        [(0x8083, 0x8084), (0x8093, 0x8094), (0x80a3, 0x80a4)];
    pub(super) const WORK: [u32; 5] = [0x8045, 0x8046, 0x8047, 0x8048, 0x8049];
    pub(super) const MESSENGER: u32 = 0x8062;
}

/// Returns the card of a contact.
pub(super) fn part(source: &Source<'_>) -> Option<Part> {
    if !source.is_a("IPM.CONTACT") {
        return None;
    }
    let mut part = Part::text("vcard", &card(source));
    part.add("Content-Disposition", "attachment; filename=\"contact.vcf\"");
    Some(part)
}

fn card(source: &Source<'_>) -> String {
    let properties = &source.message.properties;
    let text = |id| source.text(id);
    let numbered = |number| {
        let value = properties.numbered(ADDRESS, number)?;
        source.characters.text_of(value).filter(|text| !text.trim().is_empty())
    };
    let structure = |texts: Vec<Option<String>>| {
        let is_empty = texts.iter().all(Option::is_none);
        let texts: Vec<_> =
            texts.into_iter().map(|text| escaped(&text.unwrap_or_default())).collect();
        (!is_empty).then(|| texts.join(";"))
    };

    let mut lines = Lines::default();
    lines.add("BEGIN", "VCARD");
    lines.add("VERSION", "4.0");
    let name = text(tags::DISPLAY_NAME).or_else(|| header::subject(source)).unwrap_or_default();
    lines.add("FN", &escaped(&name));
    let names = [
        contact::SURNAME,
        contact::GIVEN_NAME,
        contact::MIDDLE_NAME,
        contact::NAME_PREFIX,
        contact::GENERATION,
    ];
    lines.add_structure("N", structure(names.map(text).to_vec()));
    lines.add_text("NICKNAME", text(contact::NICKNAME));
    lines.add_structure(
        "ORG",
        structure([contact::COMPANY, contact::DEPARTMENT].map(text).to_vec()),
    );
    lines.add_text("TITLE", text(contact::TITLE));

    for (email, shown) in numbers::EMAILS {
        let found = [numbered(email), numbered(shown)]
            .into_iter()
            .flatten()
            .find(|text| is_mailbox(text.trim()));
        lines.add_text("EMAIL", found);
    }
    for (name, id) in [
        ("TEL;TYPE=work", contact::BUSINESS_TELEPHONE),
        ("TEL;TYPE=home", contact::HOME_TELEPHONE),
        ("TEL;TYPE=cell", contact::MOBILE_TELEPHONE),
        ("TEL;TYPE=\"work,fax\"", contact::BUSINESS_FAX),
        ("TEL;TYPE=pager", contact::PAGER),
    ] {
        lines.add_text(name, text(id));
    }

    let [street, city, state, code, country] = numbers::WORK.map(numbered);
    lines.add_structure(
        "ADR;TYPE=work",
        structure(vec![None, None, street, city, state, code, country]),
    );
    lines.add_structure("ADR;TYPE=home", structure(home(source, properties)));
    lines.add_text("URL", text(contact::BUSINESS_PAGE));
    lines.add_text("IMPP", numbered(numbers::MESSENGER));
    let birthday = properties.time(contact::BIRTHDAY);
    lines.add_text(
        "BDAY",
        birthday.and_then(|time| time::day(time.checked_add(12 * 3_600 * 10_000_000)?)),
    );
    lines.add_text("NOTE", text(tags::BODY));
    lines.add("END", "VCARD");
    lines.out
}

fn home(source: &Source<'_>, properties: &Properties) -> Vec<Option<String>> {
    let ids = [
        contact::HOME_STREET,
        contact::HOME_CITY,
        contact::HOME_STATE,
        contact::HOME_POSTAL_CODE,
        contact::HOME_COUNTRY,
    ];
    let texts = ids.map(|id| source.characters.get(properties, id));
    [None, None].into_iter().chain(texts).collect()
}

impl Lines {
    fn add_structure(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value {
            self.add(name, &value);
        }
    }
}
