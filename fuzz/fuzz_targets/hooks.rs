#![cfg_attr(fuzzing, no_main)]

sevenbit_fuzz::target!("hooks");
