#!/usr/bin/env bash
# The recipes for Alpine and Homebrew, with the version and the checksums of the crate in dist/; that for Nix needs neither. Their
# languages' linters find nothing wrong; the steps of Alpine's that need none of its tools are run. None was tried where it belongs.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

debian shellcheck ruby rubocop nix-bin
crate=$dist/sevenbit-cli-$version.crate
sum() { "$1" "$crate" | cut -d' ' -f1; }
for recipe in APKBUILD sevenbit.rb; do
    sed -e "s/@VERSION@/$version/g" -e "s/@SHA256@/$(sum sha256sum)/" -e "s/@SHA512@/$(sum sha512sum)/" \
        "packaging/recipes/$recipe" >"$dist/$recipe"
done

# abuild reads the variables that are not read here, and has those that are not set.
shellcheck --shell=dash --exclude=SC2034,SC2154 "$dist/APKBUILD"
ruby -wc "$dist/sevenbit.rb" >/dev/null
# Homebrew writes paths as `bin/"sevenbit"`.
rubocop --only Lint,Security,Layout --except Layout/LineLength,Layout/SpaceAroundOperators --format quiet "$dist/sevenbit.rb"
for file in flake package; do
    nix-instantiate --parse "packaging/recipes/$file.nix" >/dev/null
done
# A package without Nix's own library: what the recipe itself says.
said=$(NIX_STORE_DIR=$work/nix/store NIX_STATE_DIR=$work/nix/state nix-instantiate --eval --expr "(import $root/packaging/recipes/package.nix {
    lib = { licenses = { mit = 1; asl20 = 2; }; optionalString = is: text: text; };
    stdenv = { buildPlatform.canExecute = host: true; hostPlatform = null; };
    rustPlatform.buildRustPackage = it: it;
    installShellFiles = null;
}).version")
[ "$said" = "\"$version\"" ] || { echo "package.nix has version $said" >&2; exit 1; }

step "package() of APKBUILD, with the static command in place of the one that it builds"
rm -rf "$work/alpine"
mkdir -p "$work/alpine/source/target/release" "$work/alpine/root"
tar -xf "$crate" -C "$work/alpine/source" --strip-components=1
tar -xf "$dist/sevenbit-$version-x86_64-linux.tar.gz" -C "$work/alpine/source/target/release" --strip-components=2 \
    "sevenbit-$version-x86_64-linux/bin/sevenbit"
(
    cd "$work/alpine/source"
    pkgdir=$work/alpine/root
    . "$dist/APKBUILD"
    package
)
for file in bin/sevenbit share/licenses/sevenbit/LICENSE-MIT share/man/man1/sevenbit.1 share/bash-completion/completions/sevenbit; do
    [ -s "$work/alpine/root/usr/$file" ] || { echo "APKBUILD installs no $file" >&2; exit 1; }
done
step "recipes for Alpine, Homebrew and Nix"
