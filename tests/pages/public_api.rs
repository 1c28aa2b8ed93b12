//! The public items, as `docs/public-api.txt` lists them: a change of the API shows in that file's
//! diff, and belongs in CHANGELOG.md and the version.
//!
//! `SEVENBIT_BLESS=1 cargo test --test pages public` rewrites the list. It is what rustdoc knows of
//! the library, with every feature that adds to it, and the words of codes; derived traits and
//! those of every type are left out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sevenbit::Code;

/// The packages whose items are public, each with the features that add to it: sevenbit, and those
/// of which it has items under its own name.
const PACKAGES: [(&str, &str); 3] = [
    ("sevenbit", "bindings,domains,files,html,rare-charsets,serde"),
    ("sevenbit-charset", "bindings,rare-charsets,serde"),
    ("sevenbit-mail", "domains,files,html,rare-charsets,repair,serde"),
];

/// The modules that only group files in these packages.
const FOLDERS: [&str; 7] = [
    "pub mod sevenbit_charset",
    "pub mod sevenbit_mail",
    "pub mod sevenbit::byte_order",
    "pub mod sevenbit::charset",
    "pub mod sevenbit::codec",
    "pub mod sevenbit::malformed",
    "pub mod sevenbit::report",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Has rustdoc describe a package as data. That is unstable, so the compiler has to be told to
/// allow it; the folder is one of its own, so that no other build waits for this one.
fn described(package: &str, features: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let status = Command::new(env::var_os("CARGO").expect("run by cargo"))
        .current_dir(root())
        .args([
            "rustdoc",
            "--quiet",
            "--package",
            package,
            "--lib",
            "--no-default-features",
            "--features",
            features,
            "--target-dir",
        ])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTC_BOOTSTRAP", "1")
        .status();
    assert!(status.expect("cargo runs").success(), "rustdoc describes the library");
    target.join(format!("doc/{}.json", package.replace('-', "_")))
}

/// Returns the public items of a package, a line each.
fn items(package: &str, features: &str) -> Result<Vec<String>, public_api::Error> {
    let api = public_api::Builder::from_rustdoc_json(described(package, features))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    Ok(api.items().map(|item| item.to_string()).collect())
}

/// Returns an item under its names in sevenbit: `sevenbit_charset::report::issue::Code` is
/// `sevenbit::Code` there.
fn in_sevenbit(item: &str) -> String {
    let mut item = item.replace("sevenbit_charset::codec::byte_order::", "sevenbit::utf16::");
    for codec in ["mailbox_name", "utf16", "utf7", "utf8"] {
        item = without_modules(
            &item,
            &format!("sevenbit_charset::codec::{codec}::"),
            &format!("sevenbit::{codec}::"),
        );
    }
    for module in ["charset", "codec", "report"] {
        item = without_modules(&item, &format!("sevenbit_charset::{module}::"), "sevenbit::");
    }
    let item = without_modules(&item, "sevenbit_mail::", "sevenbit::");
    item.replace("sevenbit_charset::", "sevenbit::")
}

/// Replaces `path`, with the names of modules that follow it, by `name`.
fn without_modules(item: &str, path: &str, name: &str) -> String {
    let mut pieces = item.split(path);
    let mut written = pieces.next().unwrap_or_default().to_owned();
    for mut piece in pieces {
        written.push_str(name);
        while let Some((module, rest)) = piece.split_once("::")
            && module
                .bytes()
                .all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'_')
        {
            piece = rest;
        }
        written.push_str(piece);
    }
    written
}

#[test]
fn the_public_items_are_those_of_the_list() {
    let items: Result<Vec<_>, _> =
        PACKAGES.into_iter().map(|(package, features)| items(package, features)).collect();
    let items = match items {
        Ok(items) => items.concat(),
        // The data has another form in each version of the compiler.
        Err(error) if env::var_os("SEVENBIT_REQUIRE").is_none_or(|tools| tools != "all") => {
            return println!("not compared, since public-api is for another compiler: {error}");
        }
        Err(error) => panic!("public-api is for another compiler: {error}"),
    };
    // What sevenbit only re-exports is described where it is defined, and listed under the name
    // that it has in sevenbit.
    let items = items
        .iter()
        .filter(|item| !item.starts_with("pub use sevenbit"))
        .map(|item| in_sevenbit(item));
    let items: BTreeSet<_> = items.filter(|item| !FOLDERS.contains(&item.as_str())).collect();
    let items = items.into_iter().map(|item| format!("{item}\n"));
    // Scripts depend on the words of codes, which are no items.
    let code = |code: &Code| format!("Code: {code} {} {}\n", code.severity(), code.rule());
    let found = items.chain(Code::ALL.iter().map(code)).collect::<String>();
    let list = root().join("docs/public-api.txt");
    if env::var_os("SEVENBIT_BLESS").is_some() {
        return fs::write(&list, found).expect("written");
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let missing = |from: &str, lines: &str| -> Vec<String> {
        from.lines()
            .filter(|line| !lines.lines().any(|other| other == *line))
            .map(str::to_owned)
            .collect()
    };
    let (new, gone) = (missing(&found, &listed), missing(&listed, &found));
    assert!(
        new.is_empty() && gone.is_empty(),
        "docs/public-api.txt lacks {new:#?}, and has no longer {gone:#?}"
    );
}
