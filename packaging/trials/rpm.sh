# The command and the units from their RPMs: installed, verified, removed. By Debian's rpm, whose database knows no other
# package: dependencies are not asked for, and directories that other packages of such systems have may stay.
everything() { find / -xdev \( -path /trial -o -path /proc -o -path /var -o -path /root \) -prune -o ! -type d -print | sort; }
everything >before

rpm --install --nodeps dist/sevenbit-[0-9]*.x86_64.rpm dist/sevenbit-mta-*.noarch.rpm
sevenbit normalize corpus/mail -o out --quiet
same out
[ -s /usr/share/bash-completion/completions/sevenbit ]
sevenbit milter --check-config --config /etc/sevenbit/milter.conf
rpm --query --docfiles sevenbit-mta | grep -q '/mta.md$'
rpm --verify --nodeps sevenbit sevenbit-mta

rpm --erase sevenbit-mta sevenbit
everything >after
left=$(comm -13 before after)
[ -z "$left" ] || { echo "left: $left" >&2; exit 1; }
