use proptest::prelude::*;

use super::*;

fn shapes(source: &[u8]) -> (Vec<(Shape, String)>, HeaderEnd) {
    let mut fields = Vec::new();
    let section = find_fields(
        source,
        0,
        true,
        &Limits { header_octets: usize::MAX, ..Limits::new() },
        &OpenBoundaries::default(),
        &mut fields,
    );
    let text = |field: &Field| String::from_utf8_lossy(&source[field.span.clone()]).into_owned();
    (fields.iter().map(|field| (field.shape, text(field))).collect(), section.end)
}

#[test]
fn folds_and_stray_lines() {
    let (found, end) =
        shapes(b"From x y\r\nSubject: a\r\n b\r\nlost\r\nTo: c\r\nstray\r\nX : y\r\n\r\nbody");
    let expected = [
        (Shape::FromLine, "From x y\r\n"),
        (Shape::Field, "Subject: a\r\n b\r\n"),
        (Shape::Unparsed, "lost\r\n"),
        (Shape::Field, "To: c\r\n"),
        (Shape::Unparsed, "stray\r\n"),
        (Shape::Field, "X : y\r\n"),
    ];
    assert_eq!(found, expected.map(|(shape, text)| (shape, text.to_owned())));
    assert_eq!(end, HeaderEnd::EmptyLine);
}

#[test]
fn what_an_unfinished_field_lacks_is_no_text() {
    for source in ["X-A:\r\nb\r\n\r\ntext", "Content-Type: a/b;\r\nboundary=\"c\"\r\n\r\ntext"] {
        let (found, end) = shapes(source.as_bytes());
        assert_eq!((found[0].0, end), (Shape::LostFold, HeaderEnd::EmptyLine), "{source}");
    }
    assert_eq!(shapes(b"Subject:\r\nHello\r\n\r\nmore").1, HeaderEnd::Text);
    assert_eq!(shapes(b"Content-Type: a/b;\r\nHello\r\n\r\nmore").1, HeaderEnd::Text);
}

#[test]
fn a_signature_hides_no_field() {
    let expected = [(Shape::Mark, "\u{feff}".to_owned()), (Shape::Field, "A: b\n".to_owned())];
    assert_eq!(shapes("\u{feff}A: b\n\nmore".as_bytes()).0, expected);
    assert_eq!(shapes("\u{feff}text\n\nmore".as_bytes()).1, HeaderEnd::Text);
}

#[test]
fn no_text_stands_before_base64() {
    let head = "A: b\nContent-Transfer-Encoding: BASE64\n";
    assert_eq!(shapes(format!("{head}a b\n\nYQ==").as_bytes()).1, HeaderEnd::EmptyLine);
    assert_eq!(shapes(format!("{head}YQ==\n\nYQ==").as_bytes()).1, HeaderEnd::Text);
    // The label is wrong: it is text throughout.
    assert_eq!(shapes(format!("{head}a b\n\nc d").as_bytes()).1, HeaderEnd::Text);
    assert_eq!(shapes(format!("{head}a b\nc d").as_bytes()).1, HeaderEnd::Text);
}

#[test]
fn text_without_a_field_below_starts_the_body() {
    assert_eq!(shapes(b"A: b\nsome text\n\nmore").1, HeaderEnd::Text);
    assert_eq!(shapes(b"A: b\n").1, HeaderEnd::EndOfEntity);
    assert_eq!(shapes(b"text only").0, []);
    assert_eq!(shapes(b"A: b\n: c\n\nmore").1, HeaderEnd::EmptyLine);
    assert_eq!(shapes(b"A: b\nX-a b: c\n d\n\nmore").1, HeaderEnd::EmptyLine);
    assert_eq!(shapes(b"A: b\nSubject to change\n\nmore").1, HeaderEnd::Text);
    assert_eq!(shapes(b"A: b\nX-Virus-Scanned by foo\n\nmore").1, HeaderEnd::Text);
    assert_eq!(shapes(b"Received from x\n\nmore").1, HeaderEnd::Text);
    assert_eq!(shapes(b"From : b\n\nmore").0[0].0, Shape::Field);
}

proptest! {
    /// The walk over a section and the grammar find the same names.
    #[test]
    fn names_are_found_alike(line in "([!-~]{0,9}|=[?]|[?]|:|[ \t]|\u{e9}|[a-zA-Z-]{1,80}){0,9}") {
        let mut fields = Vec::new();
        let source = format!("X: y\r\n{line}\r\n\r\n");
        let at = source.find('\n').expect("a line") + 1;
        let whole = &source.as_bytes()[at..at + line.len() + 2];
        let name_len = HeaderLines::new(source.as_bytes()).line(at).name_end - at;
        if whole.get(name_len) == Some(&b':') && name_len > 0 {
            prop_assert_eq!(field_name(whole), Some((name_len, name_len + 1)));
        }
        find_fields(source.as_bytes(), 0, false, &Limits { header_octets: usize::MAX, ..Limits::new() }, &OpenBoundaries::default(), &mut fields);
        let found = fields.iter().find(|field| field.span.start == at && field.shape == Shape::Field);
        let found = found.map(|field| (field.name_len, field.value - at));
        let expected = if line.starts_with([' ', '\t']) { None } else { field_name(whole) };
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn what_is_past_the_limit_is_one() {
    let source = b"A: b\r\nB: c\r\n d\r\nC: e\r\n\r\nF: g\r\n";
    for (limit, kept) in
        [(100, 3), (22, 3), (21, 2), (16, 2), (15, 1), (12, 1), (6, 1), (5, 0), (0, 0)]
    {
        let mut fields = Vec::new();
        let section = find_fields(
            source,
            0,
            false,
            &Limits::new().with_header_octets(limit),
            &OpenBoundaries::default(),
            &mut fields,
        );
        let whole = fields.iter().filter(|field| field.shape != Shape::PastLimit).count();
        let past = (whole < fields.len()).then(|| fields[whole].span.clone());
        assert_eq!(section.body, 24, "{limit}");
        assert_eq!(whole, kept, "{limit}");
        let starts = [0, 6, 16];
        assert_eq!(past, (kept < 3).then(|| starts[kept]..22), "{limit}");
    }
}
