//! Each kind of finding, with its line and ply; and what is none.

use arbiter960::verify::{Options, verify};

/// What is found in a text, as `line ply: words`.
fn findings(text: &str, strict: bool) -> Vec<String> {
    let mut found = Vec::new();
    let options = Options {
        strict,
        ..Options::default()
    };
    let summary = verify(text.as_bytes(), options, |finding| {
        let place = finding.place;
        found.push(format!("{} {}: {finding}", place.line, place.ply));
        if !strict {
            eprintln!("refused in a PGN: {finding}");
        }
    });
    let summary = summary.expect("a text can be read");
    assert!(!strict || summary.findings == found.len() as u64);
    found
}

#[test]
fn every_kind_of_finding_has_its_line_and_ply() {
    let file = super::data("findings.txt");
    let cases: Vec<&str> = file.split("\n=== ").skip(1).collect();
    assert_eq!(cases.len(), 60);
    for case in cases {
        let (about, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("\n>").unwrap();
        let expected = expected
            .trim()
            .split("\n> ")
            .filter(|words| !words.is_empty());
        let found = findings(&format!("{text}\n"), about.starts_with("strict: "));
        assert_eq!(found, expected.collect::<Vec<_>>(), "{about}");
    }
}

#[test]
fn oddities_are_warnings() {
    let text = "[Variation \"chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n*";
    let summary = verify(text.as_bytes(), Options::default(), drop).expect("a text can be read");
    assert_eq!((summary.findings, summary.warnings), (0, 1));
}
