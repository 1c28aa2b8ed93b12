install_by 'any Linux'
sevenbit normalize corpus/mail -o out --quiet
same out
