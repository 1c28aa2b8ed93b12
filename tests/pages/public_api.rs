//! The public items, as `docs/public-api.txt` lists them: a change of the API shows in that file's diff, and belongs in
//! CHANGELOG.md and the version.
//!
//! `SEVENBIT_BLESS=1 cargo test --test pages public` rewrites the list. It is what rustdoc knows of the library, with every
//! feature that adds to it, and the words of codes; derived traits and those of every type are left out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use sevenbit::Code;

/// The features that add to the interface.
const FEATURES: &str = "bindings,domains,files,html,rare-charsets,serde";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Has rustdoc describe the library as data. That is unstable, so the compiler has to be told to allow it; the folder is one of
/// its own, so that no other build waits for this one.
fn described() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let status = Command::new(env::var_os("CARGO").expect("run by cargo"))
        .current_dir(root())
        .args([
            "rustdoc",
            "--quiet",
            "--package",
            "sevenbit",
            "--lib",
            "--no-default-features",
            "--features",
            FEATURES,
            "--target-dir",
        ])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .env("RUSTC_BOOTSTRAP", "1")
        .status();
    assert!(status.expect("cargo runs").success(), "rustdoc describes the library");
    target.join("doc/sevenbit.json")
}

#[test]
fn the_public_items_are_those_of_the_list() {
    let api = public_api::Builder::from_rustdoc_json(described())
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build();
    let api = match api {
        Ok(api) => api,
        // The data has another form in each version of the compiler.
        Err(error) if env::var_os("SEVENBIT_REQUIRE").is_none_or(|tools| tools != "all") => {
            return println!("not compared, since public-api is for another compiler: {error}");
        }
        Err(error) => panic!("public-api is for another compiler: {error}"),
    };
    // Scripts depend on the words of codes, which are no items.
    let code = |code: &Code| format!("Code: {code} {} {}\n", code.severity(), code.rule());
    let items = api.items().map(|item| format!("{item}\n"));
    let found = items.chain(Code::ALL.iter().map(code)).collect::<String>();
    let list = root().join("docs/public-api.txt");
    if env::var_os("SEVENBIT_BLESS").is_some() {
        return fs::write(&list, found).expect("written");
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let missing = |from: &str, lines: &str| -> Vec<String> {
        from.lines().filter(|line| !lines.lines().any(|other| other == *line)).map(str::to_owned).collect()
    };
    let (new, gone) = (missing(&found, &listed), missing(&listed, &found));
    assert!(
        new.is_empty() && gone.is_empty(),
        "docs/public-api.txt lacks {new:#?}, and has no longer {gone:#?}"
    );
}
