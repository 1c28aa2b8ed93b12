# The program was compiled elsewhere, against this tarball.
install_by 'C, Go, PHP'
ldconfig
mkdir out
./program out archive corpus/mail/*.eml
same out
