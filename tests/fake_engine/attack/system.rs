//! System calls by their numbers: an attacker is not held to what libraries offer.
#![allow(
    unsafe_code,
    reason = "what a sandbox must refuse is what no safe library offers"
)]

use std::ffi::CString;
use std::io;

/// One argument of a system call.
pub(crate) enum Word {
    /// A number.
    Number(i64),
    /// A text, by its address.
    Text(CString),
    /// Bytes that the kernel reads or writes, by their address.
    Bytes(Vec<u8>),
}

/// A number as an argument.
pub(crate) fn n(number: impl Into<i64>) -> Word {
    Word::Number(number.into())
}

/// A text as an argument.
pub(crate) fn t(text: &str) -> Word {
    Word::Text(CString::new(text).expect("a text without zeros"))
}

/// Bytes as an argument.
pub(crate) fn b(bytes: impl Into<Vec<u8>>) -> Word {
    Word::Bytes(bytes.into())
}

/// So many zeros as an argument.
pub(crate) fn zeros(count: usize) -> Word {
    Word::Bytes(vec![0; count])
}

/// Makes the call; what it returned.
pub(crate) fn call<const N: usize>(number: i64, arguments: [Word; N]) -> io::Result<i64> {
    let mut arguments = arguments;
    let mut words = [0_i64; 6];
    for (place, argument) in words.iter_mut().zip(&mut arguments) {
        *place = match argument {
            Word::Number(number) => *number,
            Word::Text(text) => text.as_ptr().expose_provenance() as i64,
            Word::Bytes(bytes) => bytes.as_mut_ptr().expose_provenance() as i64,
        };
    }
    let [a, b, c, d, e, f] = words;
    // SAFETY: addresses point to buffers that live to the end of this function and have the length that the caller
    // passes to the kernel; everything else is a number.
    let answer = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    match answer {
        -1 => Err(io::Error::last_os_error()),
        answer => Ok(answer),
    }
}

/// The same, for a call with invalid arguments: if the call is allowed, the kernel reports the arguments instead.
pub(crate) fn reach<const N: usize>(number: i64, arguments: [Word; N]) -> io::Result<()> {
    let refusals = [libc::EPERM, libc::EACCES, libc::ENOSYS, libc::EROFS];
    let is_refusal = |error: &io::Error| {
        let number = error.raw_os_error();
        number.is_some_and(|number| refusals.contains(&number))
    };
    match call(number, arguments) {
        Err(error) if is_refusal(&error) => Err(error),
        _ => Ok(()),
    }
}
