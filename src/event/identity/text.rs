//! Values that are kept as the text they are written as.

/// A module for `#[serde(with = …)]`: a value as the text that `$show` makes of it and `$read`
/// takes back.
macro_rules! as_text {
    ($name:ident, $type:ty, $show:expr, $read:expr) => {
        pub(super) mod $name {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            #[allow(unused_imports)]
            use super::*;

            pub(in crate::event::identity) fn serialize<S: Serializer>(
                value: &$type,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let show: fn(&$type) -> String = $show;
                serializer.serialize_str(&show(value))
            }

            pub(in crate::event::identity) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read: fn(&str) -> Option<$type> = $read;
                read(&text).ok_or_else(|| {
                    D::Error::custom(format!("{text:?} is no {}", stringify!($name)))
                })
            }
        }
    };
}

use crate::chess::FenDialect;
use crate::chess::start::Variant;
use crate::clock::Limits;

as_text!(
    variant,
    Variant,
    |variant| variant.name().to_owned(),
    |text| text.parse().ok()
);
as_text!(limits, Limits, Limits::to_string, |text| text.parse().ok());
as_text!(
    fen,
    FenDialect,
    |dialect| match dialect {
        FenDialect::Shredder => "shredder".to_owned(),
        FenDialect::XFen => "xfen".to_owned(),
    },
    |text| match text {
        "shredder" => Some(FenDialect::Shredder),
        "xfen" => Some(FenDialect::XFen),
        _ => None,
    }
);
