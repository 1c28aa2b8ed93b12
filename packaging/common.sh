# Read by every script here: where things are, the tools, and how to build for another machine. A script may be called alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
work=$root/target/packaging
dist=${DIST:-$root/dist}
tools=$root/target/tools
mkdir -p "$work" "$dist" "$tools"
export PATH=$tools/bin:$PATH CARGO_TARGET_DIR=$work/build
# All times in the artefacts are that of the last commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' packaging/metadata.toml)
# What the command and the C library are built for; a C library older than this one does for none.
machines=${MACHINES:-x86_64 aarch64}
glibc=2.31

step() { printf '== %s, %4d s: %s\n' "$(basename "$0" .sh)" "$SECONDS" "$*"; }

# debian PACKAGE...: installs those that are missing.
debian() {
    dpkg-query -W "$@" >/dev/null 2>&1 && return
    apt-get -o DPkg::Lock::Timeout=600 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" >/dev/null
}

# python_tools PACKAGE...: from PyPI, in a place of their own.
python_tools() {
    [ -x "$tools/bin/pip" ] || python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# cargo_tool NAME...: from crates.io, once; not optimised, because they run for seconds.
cargo_tool() {
    for tool in "$@"; do
        [ -x "$tools/bin/$tool" ] || CARGO_TARGET_DIR=$work/tools cargo install --quiet --locked --debug --root "$tools" "$tool"
    done
}

# cross TRIPLE: gets a compiler for it ready. zig has the linker and the C libraries. Where the toolchain has no standard library for
# it (`rustup target add`), that is built along with the rest (`std`), from Debian's sources and by Debian's compiler.
cross() {
    python_tools ziglang cargo-zigbuild
    std=()
    [ ! -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ] || return 0
    debian rustc-web rust-web-src
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    # zig has the objects that a static program starts with, which rustc looks for beside a standard library of its own.
    std=(-Zbuild-std=std,panic_unwind -Zprofile-rustflags
        --config 'profile.release.package.sevenbit-cli.rustflags=["-Clink-self-contained=no"]')
}

# flags: what keeps every path of this machine out of what is built, so that it is the same wherever it is built.
flags() {
    local sources
    sources=$("${RUSTC:-rustc}" --print sysroot)/lib/rustlib/src/rust
    export RUSTFLAGS="--remap-path-prefix=$root=/sevenbit --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$sources=/rust"
    export CARGO_PROFILE_RELEASE_STRIP=symbols
}

# packed FOLDER: dist/FOLDER.tar.gz, the same octets whoever packs it. FOLDER is below $work.
packed() {
    tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
        --mtime="@$SOURCE_DATE_EPOCH" "$1" | gzip -9n >"$dist/$1.tar.gz"
    step "$1.tar.gz: $(du -k "$dist/$1.tar.gz" | cut -f1) kB"
}
