//! The command `sevenbit`, run as a real process: the interface that scripts rely on, as far as it
//! does not depend on the normal form. The rest is in `normal_form.rs`.

mod archives;
mod charset;
mod directories;
mod documented;
mod explain;
mod export;
mod extract;
mod files;
mod folders;
mod hostile;
mod inspect;
mod interrupted;
mod kept;
mod killed;
mod kinds;
mod large;
mod lines;
mod mailboxes;
mod maildir;
mod normal_form;
mod numbers;
mod repair;
mod safety;
mod selection;
mod splitting;
mod streams;
mod support;
mod swallowed;
mod usage;
mod zips;
