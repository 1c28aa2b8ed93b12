#!/usr/bin/env bash
# The cost of the C interface over the call in Rust: the same messages (corpus/mail, or the given ones) normalised through
# both, in turns; the median of the ratios. `--instructions` counts them with valgrind instead: the same on a busy machine.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/../target/capi}
export CARGO_TARGET_DIR=$target
cargo build --quiet --release --lib --example overhead
cc -O2 -std=gnu99 -Wall -Wextra -Werror -Iinclude tests/overhead.c "$target/release/libsevenbit.a" -lm -lpthread -ldl -o "$target/overhead-c"
if [ "${1:-}" = --instructions ]; then
    shift
    [ $# -gt 0 ] || set -- ../corpus/mail/*.eml
    instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*Collected : //p'; }
    for program in "$target/release/examples/overhead" "$target/overhead-c"; do
        one=$(instructions "$program" 1 "$@") three=$(instructions "$program" 3 "$@")
        all+=($(((three - one) / 2)))
    done
    awk "BEGIN { printf \"instructions a round: Rust %d, C %d, C / Rust %.4f\\n\", ${all[0]}, ${all[1]}, ${all[1]} / ${all[0]} }"
    exit
fi
[ $# -gt 0 ] || set -- ../corpus/mail/*.eml
ratios=
for turn in $(seq 15); do
    rust=$("$target/release/examples/overhead" "${ROUNDS:-40}" "$@")
    c=$("$target/overhead-c" "${ROUNDS:-40}" "$@")
    [ "${rust#* }" = "${c#* }" ] || { echo "not the same work: $rust, $c" >&2; exit 1; }
    ratios+="$(awk "BEGIN { print ${c% *} / ${rust% *} }")"$'\n'
done
echo "nanoseconds a message, the last turn: Rust ${rust% *}, C ${c% *}"
printf '%s' "$ratios" | sort -n | awk '{ all[NR] = $1 } END { printf "C / Rust, the middle of %d: %.3f\n", NR, all[int((NR + 1) / 2)] }'
