//! Builds the shims of the C peers: for those that are installed, and stubs for the others.

fn main() {
    shim("gmime-3.0", "gmime");
    shim("icu-uc", "icu");
}

fn shim(library: &str, name: &str) {
    let source = format!("shim/{name}.c");
    println!("cargo::rerun-if-changed={source}");
    let mut build = cc::Build::new();
    build.file(&source).opt_level(2);
    // Found before the shim is built, linked after it: the order that linkers want.
    let found = pkg_config::Config::new().cargo_metadata(false).probe(library);
    if let Ok(found) = &found {
        build.includes(&found.include_paths).define("INSTALLED", None);
        let version = format!("{} {}", if name == "icu" { "ICU" } else { "GMime" }, found.version);
        println!("cargo::rustc-env=VERSION_{}={version}", name.to_uppercase());
    } else {
        println!("cargo::rustc-env=VERSION_{}={name}, not installed", name.to_uppercase());
        println!("cargo::warning={library} is not installed: its rows are left out");
    }
    build.compile(&format!("{name}_shim"));
    if found.is_ok() {
        pkg_config::Config::new().probe(library).expect("it was there a moment ago");
    }
}
