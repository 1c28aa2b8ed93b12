//! Gives the shared library its SONAME: that of the ABI, which cargo-c makes of the same version.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsevenbit.so.0.1");
    }
}
