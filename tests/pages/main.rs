//! Pages that are made from the library: each is as it would be made now.

mod normal_form;
mod public_api;
mod words;
