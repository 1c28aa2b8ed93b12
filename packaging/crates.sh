# Read by scripts that pack crates: which there are, and how to build them of their tarballs before a registry has them.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' packaging/metadata.toml)
mapfile -t packages < <(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] is None:
        print(package["name"])')

# unpack TARBALLS FOLDER: each into a folder there; `patches` are the options for cargo with which they find one another.
unpack() {
    local package
    patches=()
    for package in "${packages[@]}"; do
        tar -xf "$1/$package-$version.crate" -C "$2"
        patches+=(--config "patch.crates-io.$package.path='$2/$package-$version'")
    done
}
