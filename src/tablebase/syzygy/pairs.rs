//! Compressed values: the code, and one value out of it.
//!
//! Values were joined in pairs again and again, as long as that helped: each symbol represents two
//! others, or one value. The symbols are written in a canonical Huffman code, in blocks of one
//! size. An index that is read first says in which block a value lies, more or less, and the numbers
//! of values of the blocks say it exactly.

use std::io::{self, BufRead};

use super::{Damage, FileBytes, byte, bytes, word};

/// All values are one: the value replaces the code.
const SINGLE_VALUE: u8 = 128;

/// No second half: the symbol represents a value.
const NO_SYMBOL: u16 = 0xFFF;

/// The compressed values of one part of a table.
#[derive(Debug)]
pub(super) struct Pairs {
    /// What the values mean.
    pub(super) flags: u8,
    code: Code,
}

#[derive(Debug)]
enum Code {
    Single(u16),
    Blocks(Blocks),
}

#[derive(Debug)]
struct Blocks {
    bytes: u64,
    count: u64,
    /// The number of values between two entries of the index.
    span: u64,
    entries: u64,
    /// How many of the numbers of values there are.
    lengths: u64,
    /// The shortest symbol, in bits.
    shortest: u32,
    /// For each length the first code of 64 bits, and its symbol.
    first_codes: Vec<u64>,
    first_symbols: Vec<u16>,
    halves: Vec<[u16; 2]>,
    /// How many values each symbol represents, minus one.
    values: Vec<u8>,
    /// Where index, numbers of values, and blocks begin in the file.
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
}

impl Pairs {
    /// Reads the code of a part with this number of values.
    pub(super) fn read(input: &mut impl BufRead, size: u64) -> Result<Pairs, Damage> {
        let flags = byte(input)?;
        if flags & SINGLE_VALUE != 0 {
            let code = Code::Single(byte(input)?.into());
            return Ok(Pairs { flags, code });
        }
        let [block_bytes, span] = [power(byte(input)?)?, power(byte(input)?)?];
        let padding = u64::from(byte(input)?);
        let count = u64::from(u32::from_le_bytes(bytes(input)?));
        let [longest, shortest] = [byte(input)?, byte(input)?];
        if !(1..=32).contains(&shortest) || !(shortest..=32).contains(&longest) || size == 0 {
            return Err(Damage::Content);
        }
        let lengths = usize::from(longest - shortest) + 1;
        let first_symbols = (0..lengths)
            .map(|_| word(input))
            .collect::<Result<Vec<_>, _>>()?;
        let halves = halves(input)?;
        let blocks = Blocks {
            bytes: block_bytes,
            count,
            span,
            entries: size.div_ceil(span),
            lengths: count + padding,
            shortest: shortest.into(),
            first_codes: first_codes(&first_symbols, shortest.into()),
            first_symbols,
            values: values(&halves)?,
            halves,
            index_at: 0,
            lengths_at: 0,
            blocks_at: 0,
        };
        let code = Code::Blocks(blocks);
        Ok(Pairs { flags, code })
    }

    /// Lays the parts of a table out in its file from `at` on: all indexes, all numbers of values,
    /// all blocks. Where they end.
    pub(super) fn lay_out<'a>(parts: impl Iterator<Item = &'a mut Pairs>, at: u64) -> u64 {
        let mut parts: Vec<&mut Blocks> = parts
            .filter_map(|pairs| match &mut pairs.code {
                Code::Single(_) => None,
                Code::Blocks(blocks) => Some(blocks),
            })
            .collect();
        let mut at = at;
        for part in &mut parts {
            part.index_at = at;
            at += part.entries * 6;
        }
        for part in &mut parts {
            part.lengths_at = at;
            at += part.lengths * 2;
        }
        for part in &mut parts {
            at = at.next_multiple_of(64);
            part.blocks_at = at;
            at = at.saturating_add(part.count.saturating_mul(part.bytes));
        }
        at
    }

    /// One value.
    pub(super) fn value(&self, content: &FileBytes, place: u64) -> Result<u16, Damage> {
        match &self.code {
            Code::Single(value) => Ok(*value),
            Code::Blocks(blocks) => blocks.value(content, place),
        }
    }
}

impl Blocks {
    fn value(&self, content: &FileBytes, place: u64) -> Result<u16, Damage> {
        let (block, mut before) = self.find(content, place)?;
        if block >= self.count {
            return Err(Damage::Content);
        }
        let mut bits = Bits::new(content.block(self.blocks_at + block * self.bytes, self.bytes)?);
        let mut symbol = loop {
            let symbol = self.symbol(&mut bits)?;
            let values = u64::from(self.values_of(symbol)?) + 1;
            if before < values {
                break symbol;
            }
            before -= values;
        };
        while self.values_of(symbol)? > 0 {
            let [left, right] = self.halves[usize::from(symbol)];
            let values = u64::from(self.values_of(left)?) + 1;
            (symbol, before) = if before < values {
                (left, before)
            } else {
                (right, before - values)
            };
        }
        Ok(self.halves[usize::from(symbol)][0])
    }

    /// The block in which a value lies, and how many values of it come before.
    fn find(&self, content: &FileBytes, place: u64) -> Result<(u64, u64), Damage> {
        let entry = self.index_at + place / self.span * 6;
        if place / self.span >= self.entries {
            return Err(Damage::Content);
        }
        let [b0, b1, b2, b3, o0, o1] = content.bytes(entry)?;
        let mut block = i64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        let offset = i64::from(u16::from_le_bytes([o0, o1]));
        // An entry is about the middle of its values.
        let mut before = offset + (place % self.span) as i64 - (self.span / 2) as i64;
        while before < 0 {
            block -= 1;
            before += self.length(content, block)? + 1;
        }
        loop {
            let length = self.length(content, block)?;
            if before <= length {
                return Ok((block as u64, before as u64));
            }
            before -= length + 1;
            block += 1;
        }
    }

    /// How many values a block has, less one.
    fn length(&self, content: &FileBytes, block: i64) -> Result<i64, Damage> {
        let block = u64::try_from(block).ok();
        let block = block.filter(|&block| block < self.lengths);
        let at = self.lengths_at + block.ok_or(Damage::Content)? * 2;
        Ok(u16::from_le_bytes(content.bytes(at)?).into())
    }

    fn symbol(&self, bits: &mut Bits) -> Result<u16, Damage> {
        let mut first_codes = self.first_codes.iter();
        let longer = first_codes.position(|first| *first <= bits.buffer);
        let longer = longer.ok_or(Damage::Content)?;
        let length = longer as u32 + self.shortest;
        let number = (bits.buffer - self.first_codes[longer]) >> (64 - length);
        bits.skip(length);
        let number = u16::try_from(number).map_err(|_| Damage::Content)?;
        let symbol = self.first_symbols[longer].checked_add(number);
        symbol.ok_or(Damage::Content)
    }

    fn values_of(&self, symbol: u16) -> Result<u8, Damage> {
        let values = self.values.get(usize::from(symbol));
        values.copied().ok_or(Damage::Content)
    }
}

/// The bits of a block, the highest of each byte first; zeros follow.
struct Bits {
    block: Vec<u8>,
    next: usize,
    buffer: u64,
    filled: u32,
}

impl Bits {
    fn new(block: Vec<u8>) -> Bits {
        let mut bits = Bits {
            block,
            next: 0,
            buffer: 0,
            filled: 0,
        };
        bits.fill();
        bits
    }

    fn fill(&mut self) {
        while self.filled <= 56 {
            let byte = self.block.get(self.next).copied().unwrap_or(0);
            self.next += 1;
            self.buffer |= u64::from(byte) << (56 - self.filled);
            self.filled += 8;
        }
    }

    fn skip(&mut self, bits: u32) {
        self.buffer <<= bits;
        self.filled -= bits;
        self.fill();
    }
}

fn power(exponent: u8) -> Result<u64, Damage> {
    match exponent {
        0..=32 => Ok(1 << exponent),
        _ => Err(Damage::Content),
    }
}

fn halves(input: &mut impl BufRead) -> Result<Vec<[u16; 2]>, Damage> {
    let count = word(input)?;
    let half = |_| {
        let [low, middle, high] = bytes(input)?.map(u16::from);
        Ok([(middle & 0xF) << 8 | low, high << 4 | middle >> 4])
    };
    let halves: Vec<_> = (0..count).map(half).collect::<io::Result<_>>()?;
    if count % 2 == 1 {
        byte(input)?;
    }
    Ok(halves)
}

/// The first code of each length, moved to the highest bits. Longer codes are smaller numbers.
fn first_codes(symbols: &[u16], shortest: u32) -> Vec<u64> {
    let mut codes = vec![0_u64; symbols.len()];
    for index in (0..symbols.len() - 1).rev() {
        let more = u64::from(symbols[index]).wrapping_sub(symbols[index + 1].into());
        codes[index] = codes[index + 1].wrapping_add(more) / 2;
    }
    for (code, length) in codes.iter_mut().zip(shortest..) {
        *code <<= 64 - length;
    }
    codes
}

/// How many values each symbol represents, minus one.
fn values(halves: &[[u16; 2]]) -> Result<Vec<u8>, Damage> {
    let mut values = vec![None; halves.len()];
    for symbol in 0..halves.len() {
        count(symbol, halves, &mut values, 0)?;
    }
    let known = values.into_iter().collect::<Option<_>>();
    known.ok_or(Damage::Content)
}

fn count(
    symbol: usize,
    halves: &[[u16; 2]],
    values: &mut [Option<u8>],
    depth: u16,
) -> Result<u8, Damage> {
    let known = values.get(symbol).ok_or(Damage::Content)?;
    if let Some(count) = known {
        return Ok(*count);
    }
    let [left, right] = halves[symbol];
    let total = if right == NO_SYMBOL {
        0
    } else if depth > u16::from(u8::MAX) {
        // It represents more values than any can: a circle.
        return Err(Damage::Content);
    } else {
        let mut of = |half: u16| count(half.into(), halves, values, depth + 1);
        let sum = u16::from(of(left)?) + u16::from(of(right)?) + 1;
        u8::try_from(sum).map_err(|_| Damage::Content)?
    };
    values[symbol] = Some(total);
    Ok(total)
}
