//! What the headers of a request contain: the reader's version of a text, compression, the name of this machine.

use hyper::header::{self, HeaderMap};

/// The words of a header, separated by commas.
fn words_of(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether the reader already has the text with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let mut known = words_of(headers, header::IF_NONE_MATCH);
    known.any(|known| known == "*" || known.trim_start_matches("W/").trim_matches('"') == tag)
}

/// Whether the reader accepts a compressed answer.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    words_of(headers, header::ACCEPT_ENCODING).any(|word| {
        let (name, weight) = word.split_once(';').unwrap_or((word, "q=1"));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim() == "gzip" && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
    })
}

/// Whether the host name in the request is one of this machine's own. Otherwise a page elsewhere whose name resolves to
/// this machine could read what is here.
pub(super) fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST) else {
        return true;
    };
    let host = host.to_str().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let local: Option<std::net::IpAddr> = name.parse().ok();
    name.eq_ignore_ascii_case("localhost") || local.is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        let takes = |value| accepts_gzip(&headers(header::ACCEPT_ENCODING, value));
        assert!(takes("gzip, deflate, br"));
        assert!(takes("br, gzip;q=0.5"));
        assert!(!takes("gzip;q=0, br"));
        assert!(!takes("br"));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_tag_is_known_with_or_without_its_mark() {
        let known = |value| is_known(&headers(header::IF_NONE_MATCH, value), "ab12");
        assert!(known("W/\"ab12\""));
        assert!(known("\"x\", \"ab12\""));
        assert!(known("*"));
        assert!(!known("\"ab1\""));
    }

    #[test]
    fn a_name_from_elsewhere_is_not_this_machine() {
        let own = |value| names_this_machine(&headers(header::HOST, value));
        assert!(own("127.0.0.1:9600"));
        assert!(own("LOCALHOST:9600"));
        assert!(own("[::1]:9600"));
        assert!(!own("localhost.example.org:9600"));
        assert!(!own("192.168.1.1"));
    }
}
