install_by 'any Linux, x86-64'
sevenbit normalize corpus/mail -o out --quiet
same out
