module example.org/sevenbit

go 1.19
