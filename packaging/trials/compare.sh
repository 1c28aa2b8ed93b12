# Read before each trial: how something is installed, and what the main job has to give.

# install_by ROW: in dist/, by the command that packaging/README.md has in that row.
install_by() {
    command=$(sed -n "s/^| $1 | \`\([^\`]*\)\`.*/\1/p" README.md)
    [ -n "$command" ] || { echo "no row in README.md: $1" >&2; exit 1; }
    (cd dist && eval "$command")
}

# same FOLDER: the messages in it are those of corpus/expected.
same() {
    local count=0
    for message in "$1"/*.eml; do
        cmp "$message" "corpus/expected/archive/$(basename "$message")"
        count=$((count + 1))
    done
    [ "$count" = "$(ls corpus/mail/*.eml | wc -l)" ]
    echo "$count messages as expected"
}

# upgraded PACKAGE...: installs each of them again, as the next version.
upgraded() {
    mkdir -p next
    for package in "$@"; do
        rm -rf unpacked
        dpkg-deb -R "$package" unpacked
        sed -i "s/\b$(dpkg-deb -f "$package" Version)\b/&+next/" unpacked/DEBIAN/control
        dpkg-deb -Znone -b unpacked "next/$(basename "$package")" >/dev/null
    done
    dpkg -i next/*.deb
}
