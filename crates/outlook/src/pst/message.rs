//! Messages with their recipients and attachments (MS-PST, 2.4.5 and 2.4.6).

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use super::data::data;
use super::error::Error;
use super::file::{File, Node};
use super::format::u32_at;
use super::properties::{Item, Table};
use crate::fault::Fault;
use crate::model::{Attachment, Content, Message, Names, Value};
use crate::tags;

/// The types of ids of nodes.
pub(super) mod types {
    pub(in super::super) const FOLDER: u32 = 0x02;
    pub(in super::super) const MESSAGE: u32 = 0x04;
    pub(in super::super) const ATTACHMENT: u32 = 0x05;
    pub(in super::super) const ASSOCIATED: u32 = 0x08;
    pub(in super::super) const FOLDERS: u32 = 0x0d;
    pub(in super::super) const CONTENTS: u32 = 0x0e;
    pub(in super::super) const ASSOCIATED_CONTENTS: u32 = 0x0f;
    pub(in super::super) const ATTACHMENTS: u32 = 0x11;
    pub(in super::super) const RECIPIENTS: u32 = 0x12;
}

/// How an attachment is there (MS-OXCMSG, 2.2.2.9).
mod methods {
    pub(super) const MESSAGE: i64 = 5;
    /// By reference, by reference that is resolved, by reference only, in the cloud.
    pub(super) const REFERENCES: [i64; 4] = [2, 3, 4, 7];
}

/// The deepest that messages in messages are read.
const MAX_DEPTH: usize = 32;

/// What all messages of a store have in common.
#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) names: Names,
    pub(super) code_page: Option<u32>,
}

/// Reads messages, and those inside of them.
pub(super) struct Reading<'s, R> {
    pub(super) file: &'s mut File<R>,
    pub(super) common: &'s Common,
    /// The data of the messages around the one that is read.
    around: Vec<u64>,
}

impl<'s, R: Read + Seek> Reading<'s, R> {
    pub(super) fn new(file: &'s mut File<R>, common: &'s Common) -> Self {
        Self { file, common, around: Vec::new() }
    }

    /// Reads the message that a node is.
    pub(super) fn message(&mut self, node: Node) -> Result<Message, Error> {
        if self.around.len() == MAX_DEPTH || self.around.contains(&node.data) {
            return Err(Error::TooDeep);
        }

        let mismatches = self.file.mismatches();
        let mut item = Item::open(self.file, node)?;
        let (properties, broken) = item.properties(self.file, &self.common.names)?;
        let mut faults: Vec<_> = broken.into_iter().map(fault_of).collect();
        if item.below.is_broken {
            faults.push(Fault::Properties);
        }

        let recipients = self.recipients(&item, &mut faults);
        self.around.push(node.data);
        let attachments = self.attachments(&item, &mut faults);
        self.around.pop();
        if self.file.mismatches() != mismatches {
            faults.push(Fault::Checksum);
        }
        let code_page = self.common.code_page;
        Ok(Message { properties, recipients, attachments, code_page, faults })
    }

    fn recipients(
        &mut self,
        item: &Item,
        faults: &mut Vec<Fault>,
    ) -> Vec<crate::model::Properties> {
        let Some(node) = item.below.of_type(types::RECIPIENTS).next() else { return Vec::new() };
        let rows = Table::open(self.file, node)
            .and_then(|mut table| table.rows(self.file, &self.common.names));
        let Ok(rows) = rows else {
            faults.push(Fault::Recipient { number: 0 });
            return Vec::new();
        };

        let mut recipients = Vec::new();
        for (number, row) in rows.into_iter().enumerate() {
            match row {
                Ok(properties) => recipients.push(properties),
                Err(_) => faults.push(Fault::Recipient { number }),
            }
        }
        recipients
    }

    fn attachments(&mut self, item: &Item, faults: &mut Vec<Fault>) -> Vec<Attachment> {
        let listed =
            item.below.of_type(types::ATTACHMENTS).next().map(|node| self.listed_attachments(node));
        let nodes: Vec<_> = match listed {
            None => return Vec::new(),
            Some(Ok(ids)) => ids.into_iter().map(|id| item.below.get(id)).collect(),
            // Without the table, what is there is taken.
            Some(Err(_)) => item.below.of_type(types::ATTACHMENT).map(Some).collect(),
        };

        let mut attachments = Vec::new();
        for (number, node) in nodes.into_iter().enumerate() {
            let read = match node {
                Some(node) => self.attachment(node, number, faults),
                None => Err(Error::Head),
            };
            attachments.push(read.unwrap_or_else(|_| {
                faults.push(Fault::Attachment { number });
                Attachment::default()
            }));
        }
        attachments
    }

    fn listed_attachments(&mut self, node: Node) -> Result<BTreeSet<u32>, Error> {
        let mut table = Table::open(self.file, node)?;
        let mut ids = table.ids(self.file)?;
        let mut found = BTreeSet::new();
        while let Some(id) = table.next_id(self.file, &mut ids) {
            found.insert(id?.0);
        }
        Ok(found)
    }

    fn attachment(
        &mut self,
        node: Node,
        number: usize,
        faults: &mut Vec<Fault>,
    ) -> Result<Attachment, Error> {
        let mut item = Item::open(self.file, node)?;
        let (mut properties, broken) = item.properties(self.file, &self.common.names)?;
        let is_lost = broken.iter().any(|id| matches!(id, None | Some(tags::ATTACH_DATA)));
        faults.extend(is_lost.then_some(Fault::Attachment { number }));

        let method = properties.integer(tags::ATTACH_METHOD);
        let content = match properties.remove(tags::ATTACH_DATA) {
            Some(Value::Binary(octets)) => Content::Octets(octets),
            Some(Value::Object(place)) => {
                let inside = u32_at(&place, 0).and_then(|id| item.below.get(id));
                let content = match inside {
                    None => Err(Error::Head),
                    Some(inside) if method == Some(methods::MESSAGE) => {
                        self.message(inside).map(|message| Content::Message(Box::new(message)))
                    }
                    Some(inside) => data(self.file, inside.data).map(Content::Object),
                };
                content.unwrap_or_else(|error| {
                    faults.push(match error {
                        Error::TooDeep => Fault::TooDeep,
                        Error::TooMuch => Fault::TooLarge,
                        _ => Fault::Attachment { number },
                    });
                    Content::None
                })
            }
            _ if method.is_some_and(|method| methods::REFERENCES.contains(&method)) => {
                Content::Reference
            }
            _ => Content::None,
        };
        Ok(Attachment { properties, content })
    }
}

fn fault_of(id: Option<u16>) -> Fault {
    match id {
        Some(id) => Fault::Property { id },
        None => Fault::Properties,
    }
}
