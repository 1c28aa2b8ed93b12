#!/usr/bin/env bash
# A cold pass in C: each message once, in a process that is started for it, by this library and by GMime (apt-get install
# libgmime-3.0-dev), in turns; medians of processor time. FOLDER... have the messages (*.eml, or all in a folder without),
# or FILE.tar; else corpus/mail. ROUNDS=9 is how often each takes its turn.
set -euo pipefail
[ $# -gt 0 ] || set -- "$(dirname "$0")/../corpus/mail"
places=()
for place in "$@"; do places+=("$(realpath "$place")"); done
cd "$(dirname "$0")"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target/capi}
./build.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-O2 -std=gnu99 -Wall -Wextra -Werror"
cc $strict -Iinclude pass/main.c pass/sevenbit.c "$CARGO_TARGET_DIR/release/libsevenbit.a" -lm -lpthread -ldl -o "$work/sevenbit"
cc $strict pass/main.c pass/gmime.c $(pkg-config --cflags --libs gmime-3.0) -o "$work/gmime"

# The middle of what an expression of awk gives for each turn.
middle() { awk "{ print $1 }" "$work/turns" | sort -n | awk '{ all[NR] = $1 } END { printf "%.3f", all[int((NR + 1) / 2)] }'; }

echo "GMime $(pkg-config --modversion gmime-3.0), ${ROUNDS:-9} turns; \"whole\" is with the start of the process and the reading of files"
echo
echo "| operation | messages | ours, s | GMime, s | times as fast | whole |"
echo "|---|---|---:|---:|---:|---:|"
for place in "${places[@]}"; do
    folder=$place
    if [ -f "$place" ]; then
        folder=$work/unpacked
        rm -rf "$folder" && mkdir "$folder" && tar -xf "$place" -C "$folder"
    fi
    mapfile -d '' files < <(find "$folder" -name '*.eml' -print0 | sort -z)
    [ ${#files[@]} -gt 0 ] || mapfile -d '' files < <(find "$folder" -type f -print0 | sort -z)
    for operation in transport view; do
        for form in sent stored; do
            for _ in $(seq "${ROUNDS:-9}"); do
                echo "$("$work/sevenbit" $operation $form "${files[@]}") $("$work/gmime" $operation $form "${files[@]}")"
            done >"$work/turns"
            echo "| $operation | $(basename "$place"), ${#files[@]}, as $form | $(middle '$1') | $(middle '$4') |" \
                "$(middle '$4 / $1') | $(middle '$5 / $2') |"
        done
    done
done
