//! Lists that hardly ever have more than one item.

use std::iter::Chain;
use std::ops::{Deref, DerefMut};
use std::{option, slice, vec};

/// A list whose only item needs no memory of its own: half of all messages have one entity, and
/// hardly any more than one source of octets. (`SmallVec` is not covariant, but lists of what
/// borrows the message have to be.)
#[derive(Clone, Debug)]
pub enum Few<T> {
    One(T),
    /// Any other number of them.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// How many have room once there are two.
    const ROOM: usize = 4;

    pub fn push(&mut self, item: T) {
        match self {
            Self::Many(list) if list.capacity() == 0 => *self = Self::One(item),
            Self::Many(list) => list.push(item),
            Self::One(_) => {
                let first = std::mem::replace(self, Self::Many(Vec::with_capacity(Self::ROOM)));
                first.into_iter().chain([item]).for_each(|item| self.push(item));
            }
        }
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Few<T> {}

impl<T> Deref for Few<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::One(item) => slice::from_ref(item),
            Self::Many(list) => list,
        }
    }
}

impl<T> DerefMut for Few<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::One(item) => slice::from_mut(item),
            Self::Many(list) => list,
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        if items.size_hint().0 > 1 {
            return Self::Many(items.collect());
        }
        let mut few = items.next().map_or_else(Self::default, Self::One);
        items.for_each(|item| few.push(item));
        few
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = Chain<option::IntoIter<T>, vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self {
            Self::One(item) => (Some(item), Vec::new()),
            Self::Many(list) => (None, list),
        };
        one.into_iter().chain(many)
    }
}

impl<'f, T> IntoIterator for &'f Few<T> {
    type Item = &'f T;
    type IntoIter = slice::Iter<'f, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_is_a_list() {
        for length in 0..9 {
            let mut few: Few<usize> = (0..length).collect();
            assert_eq!(*few, Vec::from_iter(0..length));
            assert_eq!(few.clone().into_iter().collect::<Vec<_>>(), *few);
            assert_eq!(Few::Many(few.to_vec()), few);
            assert_eq!(matches!(few, Few::One(_)), length == 1);
            few.iter_mut().for_each(|item| *item += 1);
            assert_eq!(*few, Vec::from_iter(1..=length));
        }
    }
}
