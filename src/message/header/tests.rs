use super::*;

fn rules(profile: Profile) -> FieldRules {
    FieldRules { profile, fallback: None }
}

/// What stands after, CRLF shown as `|`; the issues' codes.
fn archive(raw: &str) -> (String, Vec<&'static str>) {
    run(Profile::Archive, raw.as_bytes())
}

fn run(profile: Profile, raw: &[u8]) -> (String, Vec<&'static str>) {
    let mut issues = Vec::new();
    let out = match rules(profile).apply(raw, &mut issues) {
        Fate::Keep => "keep".to_owned(),
        Fate::Drop => "drop".to_owned(),
        Fate::Write(out) => {
            assert_eq!(
                rules(profile).apply(&out, &mut Vec::new()),
                Fate::Keep,
                "{:?}",
                String::from_utf8_lossy(&out)
            );
            String::from_utf8(out).unwrap().replace("\r\n", "|")
        }
    };
    (out, issues.iter().map(|i| i.code().as_str()).collect())
}

#[test]
fn demo() {
    for raw in [
        "Subject: Grüße aus Köln – schön\r\n",
        "Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?= \t =?utf-8?Q?_caf=C3=A9?= plain =?UTF-7?Q?+ZeVnLIqe-?=\r\n",
        "Subject: =?utf-8?Q?a=0D=0ABcc:_x@evil.example?=\r\n",
        "Subject: =?utf-8?Q?=3D=3Futf-8=3FQ=3Fx=3F=3D?=\r\n",
        "Subject: a\r\n \r\n b\r\n",
        "Subject : a\r\n",
        "Subject: 日本語のメールです。日本語のメールです。日本語のメールです。日本語のメールです。日本語のメールです。\r\n",
        "From: Jörg Müller <a@example.org>\r\n",
        "To: \"Jörg Müller\" <b@example.org>, c@example.org\r\n",
        "From: =?utf-8?Q?Moore=2C_Keith?= <k@example.org>\r\n",
        "From: \"=?utf-8?B?SsO2cmcsIE3DvGxsZXI=?=\" <k@example.org>\r\n",
        "From: Jörg <joerg@exämple.example>\r\n",
        "From: Jörg <jörg@exämple.example>\r\n",
        "To: Team (ä): a@b, \"Ü\" <ü@x>, c@d;, e@f (Jörg)\r\n",
        "Received: from x (Jörg [192.0.2.1]) by y; Thu, 19 Nov 2026 10:00:00 +0000\r\n",
        "Received: from x by y for <jörg@x>; Thu, 19 Nov 2026 10:00:00 +0000\r\n",
        "Message-ID: <é@example.org>\r\n",
        "Content-Disposition: attachment; filename=\"résumé.pdf\"\r\n",
        "Content-Disposition: attachment; filename*0*=iso-8859-1'fr'caf%E9%20; filename*1=\"au lait\"; filename*2*=%20cr%E8me.pdf\r\n",
        "Content-Disposition: attachment; filename=a b.txt\r\n",
        "Content-Disposition: attachment; filename=\"a.txt\"; filename*=utf-8''%E2%82%AC.txt\r\n",
        "Content-Type: text/plain; charset=utf-8; charset=koi8-r\r\n",
        "Content-Type: text/plain; name=\"=?utf-8?B?4oKsLnR4dA==?=\"; charset=us-ascii (Plain text)\r\n",
        "Content-Disposition: attachment; filename*=utf-8''a%0D%0AX-Evil:%20b.pdf\r\n",
        "Keywords: ä, b c, \"d, é\"\r\n",
        "List-Id: Jörg's list <list.example.org>\r\n",
    ] {
        println!("{raw:?}\n   {:?}\n   {:?}", archive(raw), run(Profile::Transport, raw.as_bytes()));
    }
}

mod laws;

#[test]
fn speed() {
    let Ok(dir) = std::env::var("SPEED") else { return };
    let text = std::fs::read(dir).unwrap();
    let mut fields: Vec<&[u8]> = Vec::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'\n', &text) {
        if text.get(at + 1).is_some_and(|o| *o != b' ' && *o != b'\t') {
            fields.push(&text[from..=at]);
            from = at + 1;
        }
    }
    for profile in [Profile::Archive, Profile::Transport] {
        let rules = rules(profile);
        let start = std::time::Instant::now();
        let mut kept = 0;
        for _ in 0..20 {
            for f in &fields {
                let mut issues = Vec::new();
                let keep = rules.apply(f, &mut issues) == Fate::Keep;
                if !keep && std::env::var("SHOW").is_ok() {
                    println!("{:?} {}", issues.first().map(|i| i.code()), f.escape_ascii());
                }
                kept += usize::from(keep);
            }
        }
        let t = start.elapsed().as_secs_f64() / 20.0;
        println!(
            "SPEED {profile:?} {} fields {} octets kept {} {:.1} MB/s {:.0} ns/field",
            fields.len(),
            text.len(),
            kept / 20,
            text.len() as f64 / t / 1e6,
            t * 1e9 / fields.len() as f64
        );
    }
}

#[test]
fn debug() {
    let Ok(path) = std::env::var("FIELD") else { return };
    let raw = std::fs::read(path).unwrap();
    for profile in [Profile::Transport, Profile::Archive] {
        let mut issues = Vec::new();
        match rules(profile).apply(&raw, &mut issues) {
            Fate::Write(out) => println!("{profile:?} {}\n{issues:?}", out.escape_ascii()),
            other => println!("{profile:?} {other:?}"),
        }
    }
    println!(
        "{:?}",
        crate::syntax::address::list(&raw[raw.iter().position(|o| *o == b':').unwrap() + 1..]).nodes
    );
}
