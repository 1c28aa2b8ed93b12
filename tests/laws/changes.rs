//! Header changes applied as a milter's mail server applies them, by names, numbers and places
//! alone.

use sevenbit::{FieldChange, PlannedField};

use super::options::Options;

/// Header changes applied by a naive client, and the body, are the normalised message.
pub fn header_changes_and_body_are_the_message(
    octets: &[u8],
    by: impl Into<Options>,
) -> Result<(), String> {
    let by = by.into();
    let plan = by.normalizer.plan(octets);
    if plan.report().is_refused() {
        return Ok(()); // nothing is changed, not even line ends
    }
    let fields = plan.header_fields();
    let header = plan.header_octets();
    let mut body = Vec::new();
    plan.write_body_to(&mut body).map_err(|error| error.to_string())?;
    if [&*header, &*body].concat() != *plan.octets() {
        return Err(format!("{}: header and body are not the message", by.name));
    }
    let fields_end = fields.iter().map(|field| field.span().end).max().unwrap_or(0);
    let differs = !is_with_empty_line(&octets[fields_end..], &body);
    // A body may be rewritten with the octets that it had.
    let rewritten = || plan.edits().any(|edit| edit.span().end > fields_end);
    if differs && !plan.changes_body() || !differs && plan.changes_body() && !rewritten() {
        return Err(format!("{}: whether the body changes is not what is said", by.name));
    }
    let applied = apply(octets, &fields)?.concat();
    let empty_line = header.strip_prefix(&*applied);
    if !matches!(empty_line, Some(b"" | b"\r\n")) {
        return Err(format!(
            "{}: {:?} instead of {:?}",
            by.name,
            String::from_utf8_lossy(&applied),
            String::from_utf8_lossy(&header)
        ));
    }
    Ok(())
}

/// Applies changes to the fields that a mail server has, from last to first, then insertions from
/// first to last.
fn apply(octets: &[u8], planned: &[PlannedField<'_>]) -> Result<Vec<Vec<u8>>, String> {
    let mut header: Vec<Vec<u8>> = Vec::new();
    for field in planned.iter().filter(|field| field.number().is_some()) {
        header.push(crlf(&octets[field.span().start..field.span().end]));
        let number = (0..header.len()).filter(|&at| is(&header[at], field.name())).count();
        if field.number() != Some(number) {
            return Err(format!("{field:?} is number {number} of its name"));
        }
    }
    for field in planned.iter().rev() {
        let Some(number) = field.number() else { continue };
        let place = (0..header.len()).filter(|&at| is(&header[at], field.name())).nth(number - 1);
        let place = place.ok_or_else(|| format!("{field:?} is not there"))?;
        match field.change() {
            FieldChange::Kept => {}
            FieldChange::NewValue => {
                let written: Vec<_> = field.written().collect();
                let [one] = written[..] else {
                    return Err(format!("{field:?} is {}", written.len()));
                };
                if !one.name().eq_ignore_ascii_case(field.name()) {
                    return Err(format!("{field:?} has another name now"));
                }
                header[place] = [one.name(), b":", one.value(), b"\r\n"].concat();
            }
            _ => drop(header.remove(place)),
        }
    }
    let mut place = 0;
    for field in planned {
        match (field.change(), field.number()) {
            (FieldChange::Dropped, _) => {
                if field.written().next().is_some() || !field.octets().is_empty() {
                    return Err(format!("{field:?} is dropped and written"));
                }
            }
            (FieldChange::Kept | FieldChange::NewValue, Some(_)) => place += 1,
            _ => {
                for written in field.written() {
                    let line = [written.name(), b":", written.value(), b"\r\n"].concat();
                    header.insert(place, line);
                    place += 1;
                }
            }
        }
    }
    Ok(header)
}

/// Whether a field has that name, ignoring case.
fn is(field: &[u8], name: &[u8]) -> bool {
    let colon = field.iter().position(|&octet| octet == b':').unwrap_or(0);
    field[..colon].trim_ascii_end().eq_ignore_ascii_case(name)
}

/// Whether the `rest` of a message is that body, perhaps with the empty line before it.
fn is_with_empty_line(rest: &[u8], body: &[u8]) -> bool {
    rest.strip_suffix(body).is_some_and(|line| line.iter().all(|octet| b"\r\n".contains(octet)))
}

/// Octets with CR LF for each line end.
fn crlf(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, &octet) in octets.iter().enumerate() {
        match octet {
            b'\n' if at > 0 && octets[at - 1] == b'\r' => {}
            b'\r' | b'\n' => out.extend_from_slice(b"\r\n"),
            octet => out.push(octet),
        }
    }
    out
}
