//! Gives the shared library its SONAME: that of the ABI, which cargo-c makes of the same version.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let number =
            |part: &str| std::env::var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default();
        // Before 1.0 each minor version may change it.
        let abi = match number("MAJOR").as_str() {
            "0" => format!("0.{}", number("MINOR")),
            major => major.to_owned(),
        };
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsevenbit.so.{abi}");
    }
}
