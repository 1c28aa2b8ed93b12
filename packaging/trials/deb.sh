# The command and the library from their packages: installed, upgraded, purged.
packages="sevenbit libsevenbit1 libsevenbit-dev"
everything() { find / -xdev \( -path /trial -o -path /proc -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \) -prune -o -print | sort; }
everything >before

install_by 'Debian, Ubuntu'
dpkg -i dist/libsevenbit*_amd64.deb
sevenbit normalize corpus/mail -o out --quiet
same out
[ -s /usr/share/bash-completion/completions/sevenbit ]

upgraded dist/sevenbit_*_amd64.deb dist/libsevenbit*_amd64.deb
sevenbit charset list >/dev/null

dpkg -P $packages
everything >after
if comm -13 before after | grep -v '^/etc/ld.so.cache'; then
    echo "that is left" >&2
    exit 1
fi
