//! Short texts: their octets and code units are in memory that JavaScript reads and writes itself, so that one call with three
//! numbers does it, where passing an array, a label and a text would cost more than the work.

use std::cell::RefCell;

use sevenbit::{Charset, CodeUnits};
use wasm_bindgen::prelude::*;

/// How many octets and how many code units there is room for. `lib/short.ts` has the same numbers.
const OCTETS: usize = 1024;
const UNITS: usize = 256;

/// Memory that JavaScript has the addresses of.
struct Room {
    octets: Box<[u8; OCTETS]>,
    units: Box<[u16; UNITS]>,
    charsets: Vec<Charset>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room {
        octets: Box::new([0; OCTETS]),
        units: Box::new([0; UNITS]),
        charsets: Charset::all().collect(),
    });
}

/// Where the octets are.
#[wasm_bindgen(js_name = shortOctets)]
pub fn short_octets() -> *const u8 {
    ROOM.with_borrow_mut(|room| room.octets.as_mut_ptr().cast_const())
}

/// Where the code units are.
#[wasm_bindgen(js_name = shortUnits)]
pub fn short_units() -> *const u16 {
    ROOM.with_borrow_mut(|room| room.units.as_mut_ptr().cast_const())
}

/// The memory that both are in.
#[wasm_bindgen(js_name = shortMemory)]
pub fn short_memory() -> JsValue {
    wasm_bindgen::memory()
}

/// The number by which the next two functions know the charset of a label; none if it means none.
#[wasm_bindgen(js_name = charsetNumber)]
pub fn charset_number(label: &str) -> Option<u32> {
    let (wanted, _) = Charset::for_label_lenient(label)?;
    ROOM.with_borrow(|room| room.charsets.iter().position(|charset| *charset == wanted))
        .map(|at| at as u32)
}

/// Decodes the first `length` octets, and returns how many code units they are; -1 if they are not well-formed, or if there is
/// another way for the charset.
#[wasm_bindgen(js_name = decodeShort)]
pub fn decode_short(charset: u32, length: u32) -> i32 {
    ROOM.with_borrow_mut(|room| decode(room, charset as usize, length as usize)).unwrap_or(-1)
}

fn decode(room: &mut Room, charset: usize, length: usize) -> Option<i32> {
    let octets = room.octets.get(..length)?;
    let decoded = room.charsets.get(charset)?.decode_code_units(octets)?;
    let count = match decoded {
        CodeUnits::Utf16(units) => {
            room.units.get_mut(..units.len())?.copy_from_slice(&units);
            units.len()
        }
        CodeUnits::Ascii(text) => {
            let units = room.units.get_mut(..text.len())?;
            units.iter_mut().zip(text.bytes()).for_each(|(unit, octet)| *unit = octet.into());
            text.len()
        }
    };
    Some(count as i32)
}

/// Encodes the first `length` code units, and returns how many octets they are; -1 as `encodeUnits` returns none.
#[wasm_bindgen(js_name = encodeShort)]
pub fn encode_short(charset: u32, length: u32) -> i32 {
    ROOM.with_borrow_mut(|room| encode(room, charset as usize, length as usize)).unwrap_or(-1)
}

fn encode(room: &mut Room, charset: usize, length: usize) -> Option<i32> {
    let octets = room.charsets.get(charset)?.encode_code_units(room.units.get(..length)?)?;
    room.octets.get_mut(..octets.len())?.copy_from_slice(&octets);
    Some(octets.len() as i32)
}
