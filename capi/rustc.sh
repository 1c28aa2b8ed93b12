#!/bin/sh
# rustc, as build.sh has cargo call it: RUSTC ARGUMENTS. cargo tells packages of the same name apart by a number that it makes of
# the folder they are in; it ends up in symbols and their order. The two packages here get a word instead.
case " $* " in
*" --crate-name sevenbit "*" --crate-type cdylib "*) word=sevenbit-capi ;;
*" --crate-name sevenbit "*) word=sevenbit ;;
*) exec "$@" ;;
esac
left=$#
while [ "$left" -gt 0 ]; do
    case $1 in
    metadata=*) set -- "$@" "metadata=$word" ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    left=$((left - 1))
done
exec "$@"
