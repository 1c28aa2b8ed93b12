//! Places where a tar file, a gz file or a zst file can be cut, found by reading it once.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sevenbit::mbox::Dialect;
use sevenbit_store::members::Members;
use sevenbit_store::packed::Packing;
use sevenbit_store::packed::pieces::{Piece, Pieces, observed};

use super::kind::{FileKind, Place};
use super::source::{
    BUFFER, Outage, PythonFile, Reading, Watched, first_octets, mbox_cuts, piece_of, unpacked_kind,
};

/// The places where a file can be cut: `(pieces, members, length)`.
///
/// - Pieces: where members of a gz file or frames of a zst file begin, packed and unpacked. None of a file that is not packed.
/// - Members: where those of a tar file begin, in its unpacked form. None of a mailbox.
/// - The length of the unpacked form.
#[derive(IntoPyObject)]
pub struct Index(Vec<(u64, u64)>, Vec<u64>, u64);

/// For `sevenbit.lake`: where a file can be cut. The source is the name of a local file, or a file that Python has opened.
/// Places less than `grain` octets after another one are left out. A ValueError says why nothing can be found.
#[pyfunction(name = "_index_of")]
pub fn index_of(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    path: PathBuf,
    grain: u64,
) -> PyResult<Index> {
    let name = if source.is_instance_of::<PyString>() { Some(source.extract()?) } else { None };
    let opened = PythonFile(source.clone().unbind());
    let outage = Outage::default();
    let found = py.detach(|| match name {
        Some(name) => {
            let file = File::open::<PathBuf>(name).map_err(|error| outage.keep(error))?;
            Index::of(Watched::new(file, &outage), &path, grain)
        }
        None => Index::of(Watched::new(opened, &outage), &path, grain),
    });
    if let Some(error) = outage.take() {
        return Err(error.into());
    }
    found.map_err(|error| PyValueError::new_err(error.to_string()))
}

const CANNOT_BE_CUT: &str = "is no tar, gz or zst file";

impl Index {
    fn of(
        mut file: impl Read + Seek + Send + Sync + 'static,
        path: &Path,
        grain: u64,
    ) -> io::Result<Self> {
        let first = first_octets(&mut file)?;
        file.rewind()?;
        match FileKind::of(&first, path, Place::Alone) {
            FileKind::Tar => {
                let (members, length) = members_of(file, grain);
                if members.is_empty() {
                    return Err(io::Error::other(
                        "has no member of a tar file far enough after the first",
                    ));
                }
                Ok(Self(Vec::new(), members, length))
            }
            FileKind::Packed => match Packing::of_octets(&first) {
                Packing::Gz => Self::of_packed(file, path, grain, "gz member"),
                Packing::Zst => Self::of_packed(file, path, grain, "zst frame"),
                _ => Err(io::Error::other(CANNOT_BE_CUT)),
            },
            _ => Err(io::Error::other(CANNOT_BE_CUT)),
        }
    }

    /// A damaged file has none: what is read after the damage would depend on where reading begins.
    fn of_packed(
        file: impl Read + Send + 'static,
        path: &Path,
        grain: u64,
        piece_in_words: &str,
    ) -> io::Result<Self> {
        let found = Arc::new(Mutex::new(Vec::new()));
        let pieces = Arc::clone(&found);
        let observer = move |piece: Piece| {
            let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
            if pieces.last().is_none_or(|(_, last)| piece.unpacked - last >= grain) {
                pieces.push((piece.packed, piece.unpacked));
            }
        };
        let damage = Outage::default();
        let mut unpacked = Watched::new(observed(file, Box::new(observer))?, &damage);

        let first = first_octets(&mut unpacked)?;
        let kind = unpacked_kind(&first, path);
        let mut unpacked = Cursor::new(first).chain(unpacked);
        let is_tar = kind == Some(FileKind::Tar);
        let (members, length) = match kind {
            Some(FileKind::Tar) => members_of(unpacked, grain),
            Some(FileKind::Mbox) => (Vec::new(), io::copy(&mut unpacked, &mut io::sink())?),
            _ => return Err(io::Error::other("holds neither a mailbox nor a tar file")),
        };
        if let Some(error) = damage.take() {
            return Err(error);
        }
        let pieces = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
        if pieces.len() < 2 {
            let why = format!("has no {piece_in_words} far enough after the first");
            return Err(io::Error::other(why));
        }
        if is_tar && members.is_empty() {
            return Err(io::Error::other("has no member of a tar file far enough after the first"));
        }
        Ok(Self(pieces, members, length))
    }
}

/// Returns where members of a tar file begin, at least `grain` octets apart, and its length. Places that cannot be read
/// are gone past as a reader of messages does.
fn members_of(file: impl Read, grain: u64) -> (Vec<u64>, u64) {
    // A reader of the least: nothing but its errors matters.
    let reading = Reading { dialect: Dialect::Auto, most_octets: 0, keeps_others: false };
    let mut members = Members::new(BufReader::with_capacity(BUFFER, file));
    let (mut found, mut last) = (Vec::new(), 0_u64);
    loop {
        let position = members.position();
        if members.next(|member, offset| reading.of_member(member, offset)).is_none() {
            return (found, position);
        }
        if position - last >= grain {
            found.push(position);
            last = position;
        }
    }
}

/// For `sevenbit.lake`: where a mailbox in a packed file can be cut that has such pieces and such a length, as `_cuts_of` says.
#[pyfunction(name = "_cuts_in")]
pub fn cuts_in(
    py: Python<'_>,
    pieces: Vec<(u64, u64)>,
    length: u64,
    step: u64,
) -> Vec<(u64, u64, u64)> {
    py.detach(|| {
        let pieces = Pieces::new(pieces.into_iter().map(piece_of).collect(), length);
        mbox_cuts(&pieces, step.max(1))
            .into_iter()
            .map(|(cut, piece)| (cut, piece.packed, piece.unpacked))
            .collect()
    })
}
