//! Messages of every shape, and every option.

use proptest::prelude::*;

use crate::{Limits, Markup, Normalizer, Profile, Signed, TextEncoding, Undecodable};

/// Returns a piece of a message, which may be followed by anything.
pub(super) fn piece() -> impl Strategy<Value = Vec<u8>> {
    let fixed = prop::sample::select(vec![
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "--",
        "--b\n",
        "--b--\n",
        "--bb\n",
        "--bb--\n",
        "\n--b\n",
        "\n--b--\n",
        "MIME-Version: 1.0\n",
        "Subject: caf\u{e9}\n",
        "Subject: x\n",
        "X: y",
        "=\n",
        "=3D",
        "YQ==\n",
        "YWI=\n",
        "text\n",
        "caf\u{e9}\n",
        "\u{e9}",
        "\0",
        "From x\n",
        ">From x\n",
        "=_sevenbit_1_\n",
        "=?utf-8?Q?=C3=A9?=\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "begin 644 x\n",
        "+AGEA-\n",
        "\u{1b}$B",
        "{",
        "Content-Type: multipart/mixed; boundary=b\n",
        "Content-Type: multipart/mixed; boundary=bb\n",
        "Content-Type: multipart/signed; boundary=b\n",
        "Content-Type: multipart/digest; boundary=bb\n",
        "Content-Type: message/rfc822\n",
        "Content-Type: message/global\n",
        "Content-Type: message/partial\n",
        "Content-Type: message/delivery-status\n",
        "Content-Type: text/rfc822-headers\n",
        "Content-Type: message/global-headers\n",
        "Content-Type: text/plain\n",
        "Content-Type: text/plain; charset=us-ascii\n",
        "Content-Type: text/plain; charset=utf-8\n",
        "Content-Type: text/plain; charset=utf-16\n",
        "Content-Type: text/plain; charset=utf-7\n",
        "Content-Type: text/plain; charset=iso-2022-jp\n",
        "Content-Type: text/html; charset=koi8-r\n",
        "Content-Type: text/plain; name=x\n",
        "Content-Type: text/csv\n",
        "Content-Type: application/zip\n",
        "Content-Type: application/zip; name=\"\u{e9}\"\n",
        "Content-Disposition: attachment\n",
        "Content-Transfer-Encoding: base64\n",
        "Content-Transfer-Encoding: 8bit\n",
        "Content-Transfer-Encoding: binary\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        "Content-Transfer-Encoding: x-uuencode\n",
        "Content-Transfer-Encoding: x-odd\n",
        "DKIM-Signature: d=x; h=subject:from; c=relaxed/relaxed; l=300\n",
        "DKIM-Signature: d=x; h=subject\n",
    ]);
    prop_oneof![
        6 => fixed.prop_map(|text| text.as_bytes().to_vec()),
        1 => Just(b"d\xE9j\xE0 vu\n".to_vec()),
        1 => "[ -~\n]{0,40}".prop_map(String::into_bytes),
        4 => run_of_any_kind(),
    ]
}

pub(super) fn options() -> impl Strategy<Value = Normalizer> {
    (
        any::<[bool; 5]>(),
        prop_oneof![3 => Just((100, 10_000, 1 << 20)), 1 => (0_usize..4, 0_usize..5, 0_usize..400)],
    )
        .prop_map(|([archive, refuse, utf7, replace, keep], (depth, parts, header_octets))| {
            let choose = |is| if is { 1 } else { 0 };
            Normalizer::new()
                .profile([Profile::Transport, Profile::Archive][choose(archive)])
                .signed([Signed::Break, Signed::Refuse][choose(refuse)])
                .text_encoding([TextEncoding::Mime, TextEncoding::Utf7][choose(utf7)])
                .undecodable([Undecodable::Keep, Undecodable::Replace][choose(replace)])
                .markup([Markup::Rewrite, Markup::Keep][choose(keep)])
                .limits(
                    Limits::new()
                        .with_depth(depth)
                        .with_parts(parts)
                        .with_header_octets(header_octets),
                )
        })
}

/// Returns lines of a few lengths, which decode to US-ASCII text or to data; perhaps with others in
/// their midst, which are found only in the whole message.
fn run_of_any_kind() -> impl Strategy<Value = Vec<u8>> {
    let symbols =
        prop::sample::select(vec!["VGV4dCwg", "aB3+cD/fgH1j", "w6nDqcOp", "dGV4dA0K", "QWJjZGVm"]);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r\r\n"]);
    let stretch = (6_usize..=27, symbols, 1_usize..60);
    (prop::collection::vec(stretch, 1..4), end).prop_map(|(stretches, end)| {
        let stretch = |(quads, symbols, lines): (usize, &str, usize)| {
            format!("{}{end}", &symbols.repeat(27)[..4 * quads]).repeat(lines)
        };
        stretches.into_iter().map(stretch).collect::<String>().into_bytes()
    })
}

/// Returns a part as found in mail: what it says it is, and a body with a run.
fn part() -> impl Strategy<Value = Vec<u8>> {
    let of = |texts: &[&'static str]| prop::sample::select(texts.to_vec());
    let media_type = of(&[
        "",
        "text/plain",
        "text/plain",
        "text/plain; charset=utf-8",
        "text/plain; charset=us-ascii",
        "text/html; charset=utf-8",
        "text/plain; charset=iso-8859-1",
        "text/plain; charset=x-odd",
        "text/plain; charset=utf-16",
        "text/plain; charset=us-ascii",
        "text/csv",
        "application/zip",
        "application/zip",
        "application/zip",
        "image/png; name=\"\u{e9}\"",
        "message/rfc822",
        "message/partial",
        "message/delivery-status",
        "message/global-headers",
        "multipart/mixed; boundary=none",
    ]);
    let encoding = of(&[
        "base64",
        "base64",
        "base64",
        "7bit",
        "8bit",
        "binary",
        "quoted-printable",
        "x-uue",
        "x-odd",
        " base64;",
    ]);
    let disposition = of(&[
        "",
        "Content-Disposition: attachment\n",
        "Content-Disposition: inline; filename=\"\u{e9}\"\n",
    ]);
    let odd = of(&[
        "caf\u{e9}\n",
        "x\r\n",
        "-----BEGIN PGP SIGNED MESSAGE-----\n",
        "A: b\n",
        "--bogus\n",
    ]);
    let begin = prop_oneof![4 => Just(""), 1 => odd];
    let odd = of(&["YQ==", "YR==\n", "Y\n", "caf\u{e9}\n", "=\n", "\r", "--bogus\n"]);
    let end = prop_oneof![2 => Just(""), 2 => Just("YQ==\n"), 1 => odd];
    (media_type, encoding, disposition, begin, run_of_any_kind(), end).prop_map(
        |(media_type, encoding, disposition, begin, run, end)| {
            let fields = format!("Content-Transfer-Encoding: {encoding}\n{disposition}\n{begin}");
            let media_type =
                if media_type.is_empty() { "" } else { &format!("Content-Type: {media_type}\n") };
            [media_type.as_bytes(), fields.as_bytes(), &run, end.as_bytes()].concat()
        },
    )
}

/// Returns a message as found in mail, of one part or of several.
pub(super) fn message() -> impl Strategy<Value = Vec<u8>> {
    let fields = prop::sample::select(vec![
        "",
        "",
        "Subject: caf\u{e9}\n",
        "DKIM-Signature: d=x; h=subject\n",
        "DKIM-Signature: d=x; l=1000\n",
        "DKIM-Signature: d=x; c=relaxed/relaxed; l=3000\n",
        "ARC-Message-Signature: d=x; l=9000\n",
    ]);
    let multipart = prop::sample::select(vec!["mixed", "mixed", "signed", "digest", "report"]);
    let parts = prop::collection::vec(part(), 1..4);
    let around =
        (prop::option::of(run_of_any_kind()), prop::option::of(run_of_any_kind()), any::<bool>());
    (fields, multipart, parts, around).prop_map(
        |(fields, multipart, parts, (preamble, epilogue, nested))| {
            let mut octets = format!("{fields}MIME-Version: 1.0\n").into_bytes();
            if let [only] = parts.as_slice() {
                octets.extend_from_slice(only);
                return octets;
            }
            if nested {
                octets.extend_from_slice(b"Content-Type: message/rfc822\n\nSubject: x\n");
            }
            octets.extend_from_slice(
                format!("Content-Type: multipart/{multipart}; boundary=b\n\n").as_bytes(),
            );
            if nested {
                octets.extend(preamble.into_iter().flatten());
            }
            for part in parts {
                octets.extend_from_slice(b"\n--b\n");
                octets.extend(part);
            }
            if let Some(epilogue) = epilogue {
                octets.extend_from_slice(b"\n--b--\n");
                octets.extend(epilogue);
            }
            octets
        },
    )
}
