pub fn rows(_: &mut crate::table::Table) {}
