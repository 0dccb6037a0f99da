//! Numbers, clocks and dates as text, without `format!`, because a game has hundreds of them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::event::UnixMillis;

/// Appends a whole number.
pub(super) fn push_number(out: &mut String, number: u64) {
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    let mut rest = number;
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}

/// Appends a number with at least this many digits.
pub(super) fn push_padded(out: &mut String, number: u64, width: u32) {
    let mut bound = 10u64.pow(width.saturating_sub(1));
    while bound > 1 && number < bound {
        out.push('0');
        bound /= 10;
    }
    push_number(out, number);
}

/// Appends hundredths as a decimal number with two places: `-31` is `-0.31`.
pub(super) fn push_hundredths(out: &mut String, hundredths: i64) {
    if hundredths < 0 {
        out.push('-');
    }
    let size = hundredths.unsigned_abs();
    push_number(out, size / 100);
    out.push('.');
    push_padded(out, size % 100, 2);
}

/// Appends a time as `h:mm:ss`, with milliseconds up to the last digit that is not zero; shorter fractions are cut off,
/// so that no clock shows more than it has.
pub(super) fn push_clock(out: &mut String, time: Duration) {
    let seconds = time.as_secs();
    push_number(out, seconds / 3600);
    out.push(':');
    push_padded(out, seconds / 60 % 60, 2);
    out.push(':');
    push_padded(out, seconds % 60, 2);
    let millis = u64::from(time.subsec_millis());
    if millis > 0 {
        out.push('.');
        push_padded(out, millis, 3);
        out.truncate(out.trim_end_matches('0').len());
    }
}

/// A moment as a calendar date and time in UTC; `None` outside the years -9999 to 9999.
pub(super) fn date_time(at: UnixMillis) -> Option<DateTime> {
    let timestamp = Timestamp::from_millisecond(at.0).ok()?;
    Some(Offset::UTC.to_datetime(timestamp))
}

/// Appends a date in the form of PGN: `2026.11.20`.
pub(super) fn push_date(out: &mut String, moment: DateTime) {
    push_fields(
        out,
        &[
            moment.year().into(),
            moment.month().into(),
            moment.day().into(),
        ],
        '.',
    );
}

/// Appends the time of day to the second: `11:26:23`.
pub(super) fn push_time(out: &mut String, moment: DateTime) {
    let fields = [
        moment.hour().into(),
        moment.minute().into(),
        moment.second().into(),
    ];
    push_fields(out, &fields, ':');
}

/// Appends a moment in ISO 8601 with milliseconds: `2026-11-20T11:26:23.394Z`.
pub(super) fn push_iso(out: &mut String, moment: DateTime) {
    push_fields(
        out,
        &[
            moment.year().into(),
            moment.month().into(),
            moment.day().into(),
        ],
        '-',
    );
    out.push('T');
    push_time(out, moment);
    out.push('.');
    push_padded(out, moment.millisecond().unsigned_abs().into(), 3);
    out.push('Z');
}

/// Appends numbers with two digits each (a year has four digits anyway), with a separator.
fn push_fields(out: &mut String, fields: &[i64], separator: char) {
    for (place, field) in fields.iter().enumerate() {
        if place > 0 {
            out.push(separator);
        }
        push_padded(out, field.unsigned_abs(), 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn numbers() {
        assert_eq!(text(|out| push_number(out, 0)), "0");
        assert_eq!(text(|out| push_number(out, u64::MAX)), u64::MAX.to_string());
        assert_eq!(text(|out| push_padded(out, 7, 3)), "007");
        assert_eq!(text(|out| push_padded(out, 0, 2)), "00");
        assert_eq!(text(|out| push_hundredths(out, -5)), "-0.05");
        assert_eq!(text(|out| push_hundredths(out, 1234)), "12.34");
    }

    #[test]
    fn clocks_show_no_more_than_they_have() {
        let clock = |millis| text(|out| push_clock(out, Duration::from_micros(millis)));
        assert_eq!(clock(9_800_000), "0:00:09.8");
        assert_eq!(clock(3_723_000_999), "1:02:03");
        assert_eq!(clock(60_050_000), "0:01:00.05");
    }

    #[test]
    fn moments_are_in_utc() {
        let moment = date_time(UnixMillis(1_606_148_307_275)).expect("in range");
        assert_eq!(text(|out| push_date(out, moment)), "2020.11.23");
        assert_eq!(text(|out| push_time(out, moment)), "16:18:27");
        assert_eq!(
            text(|out| push_iso(out, moment)),
            "2020-11-23T16:18:27.275Z"
        );
        assert_eq!(date_time(UnixMillis(i64::MAX)), None);
    }
}
