#!/usr/bin/env bash
# pages.sh SHARE: man pages and completions, as they lie below /usr/share, by the command that was built for this machine.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

sevenbit=$(ls "$CARGO_TARGET_DIR/$(uname -m)"-unknown-linux-*/release/sevenbit | head -1)
mkdir -p "$1/bash-completion/completions" "$1/zsh/site-functions" "$1/fish/vendor_completions.d"
"$sevenbit" pages man --all "$1/man"
"$sevenbit" pages completions bash >"$1/bash-completion/completions/sevenbit"
"$sevenbit" pages completions zsh >"$1/zsh/site-functions/_sevenbit"
"$sevenbit" pages completions fish >"$1/fish/vendor_completions.d/sevenbit.fish"
