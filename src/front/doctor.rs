//! The command lines of other runners in a script, a Makefile or a workflow: whether this program can run them, and
//! which of their words have another meaning here. The script is read, not run, so the values of variables are not
//! known.

use super::common::event_engine::split_arguments;
use super::names::Front;

/// A command line that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundCommandLine {
    /// The line of the script on which it begins, from 1.
    pub(crate) line: usize,
    /// The runner that it belongs to.
    pub(crate) front: Front,
    /// The message with which it is refused, if it is.
    pub(crate) refused: Option<String>,
    /// What is different here, and what is not known.
    pub(crate) remarks: Vec<String>,
}

/// Characters at the end of a line that continue it in the next: shells and Makefiles, `cmd.exe`, PowerShell.
const CONTINUES: [char; 3] = ['\\', '^', '`'];

/// Beginnings of comments.
const COMMENTS: [&str; 4] = ["#", "//", "::", "rem "];

/// Words, or beginnings of words, that have another meaning here: the runner, the word, the difference.
const DIFFERENT: &str = "\
fastchess compress=true the log is not compressed
fastchess realtime=false the log is always written at once
fastchess option.UCI_Chess960= -variant decides it
fastchess option.Ponder=true engines do not ponder
fastchess match_line= without look-around and back-references
cutechess-cli trust no effect: every move is checked
cutechess-cli debug the engine is not sent `debug on`
cutechess-cli -bookmode no effect
cutechess-cli proto=xboard -debug shows it as UCI
cutechess-cli knockout encounters are played to their end, and the tree is not printed
cutechess-cli tc=hg an hourglass is played as that time for all moves";

/// The command lines of a script, in order.
pub(crate) fn examine(script: &str) -> Vec<FoundCommandLine> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(script.lines());
    while let Some((number, first)) = lines.next() {
        let lower = first.trim_start().to_ascii_lowercase();
        if COMMENTS.iter().any(|comment| lower.starts_with(comment)) {
            continue;
        }
        let mut text = first.trim_end().to_owned();
        while text.ends_with(CONTINUES) {
            text.pop();
            let Some((_, next)) = lines.next() else {
                break;
            };
            text = format!("{text} {}", next.trim());
        }
        found.extend(of_line(number, &text));
    }
    found
}

/// The command line in a line of a script, if there is one.
fn of_line(line: usize, text: &str) -> Option<FoundCommandLine> {
    let words = words(text);
    let program = words
        .iter()
        // In `arbiter960 fastchess` and `arbiter960 cutechess` the front's own name.
        .position(|word| Front::of(word).is_some() || word == "cutechess");
    let begins = match program {
        Some(at) => at + 1,
        None => words.iter().position(|word| word.starts_with('-'))?,
    };
    let ends = |word: &String| {
        let word = word.trim_start_matches(|one: char| one.is_ascii_digit());
        word.starts_with(['|', '>', '&', ';', '<']) || word == ")"
    };
    let own = words[begins..].iter().take_while(|word| !ends(word));
    let own: Vec<String> = own.cloned().collect();
    if !own.iter().any(|word| word == "-engine") {
        return None;
    }
    let named = program.and_then(|at| Front::of(&words[at]));
    let front = named
        .or_else(|| Front::of_words(&own))
        .unwrap_or(Front::Fastchess);
    let remark = |row: &str| {
        let [whose, begin, why] = row.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
        let applies = whose == front.name() && own.iter().any(|word| word.starts_with(begin));
        applies.then(|| format!("{}: {why}", begin.trim_end_matches('=')))
    };
    let mut remarks: Vec<String> = DIFFERENT.lines().filter_map(remark).collect();
    let (known, unknown) = without_variables(&own);
    if !unknown.is_empty() {
        remarks.push(format!("not read: {}", unknown.join(" ")));
    }
    let refused = front.read(&known, 0, &mut |_| ()).err();
    Some(FoundCommandLine {
        line,
        front,
        refused,
        remarks,
    })
}

/// The words, split as a shell would do it; a backslash before a letter or a digit is part of a path.
fn words(text: &str) -> Vec<String> {
    let mut kept = String::new();
    let mut rest = text.chars().peekable();
    while let Some(one) = rest.next() {
        kept.push(one);
        if one == '\\' && rest.peek().is_some_and(char::is_ascii_alphanumeric) {
            kept.push('\\');
        }
    }
    split_arguments(&kept)
}

/// The words with usual values instead of variables, and the variables that may contain anything: those that are not
/// the value of an option.
fn without_variables(words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for word in words {
        let option = known.last().filter(|last: &&String| last.starts_with('-'));
        match option.map(String::as_str) {
            _ if !is_variable(word) => known.push(filled(word)),
            Some("-variant") => known.push("standard".to_owned()),
            Some(_) if !word.contains(['@', '*']) => known.push("1".to_owned()),
            _ => unknown.push(word.clone()),
        }
    }
    (known, unknown)
}

/// Whether a word consists of a variable, which may expand to any number of words.
fn is_variable(word: &str) -> bool {
    let is_percent = word.len() > 2 && word.starts_with('%') && word.ends_with('%');
    is_percent || word.starts_with('$') && !word.contains('=')
}

/// A word with a usual value if its value contains variables, so that it can be read.
fn filled(word: &str) -> String {
    let pair = word.split_once('=');
    let Some((key, value)) = pair.filter(|(_, value)| value.contains(['$', '%', '{'])) else {
        return word.to_owned();
    };
    let usual = match key {
        "tc" => "1+1",
        "format" => "epd",
        "order" => "random",
        "proto" => "uci",
        "restart" => "off",
        "cmd" | "name" | "dir" | "arg" | "args" | "file" | "conf" => value,
        _ => "1",
    };
    format!("{key}={usual}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_scripts_of_every_kind() {
        let script = "#!/bin/sh\n# fastchess -engine cmd=x\nexport A=1\n\
            ./fastchess-1.8 -engine cmd=./a name=a \\\n  -engine cmd=./b name=b -each tc=$TC \\\n  \
            -log file=l compress=true -rounds $N \"$@\" | tee log\n\
            cutechess-cli.exe -engine cmd=C:\\e\\a.exe proto=uci ^\n -engine cmd=b proto=uci -each tc=1 -tournament knockout > out\n\
            \tarbiter960 cutechess -engine cmd=a proto=uci arg=x -engine cmd=b proto=xboard -each tc=0/1+1 && echo done\n\
            echo fastchess -version\n";
        let found = examine(script);
        let lines: Vec<(usize, Front)> = found.iter().map(|one| (one.line, one.front)).collect();
        assert_eq!(
            lines,
            [
                (4, Front::Fastchess),
                (7, Front::Cutechess),
                (9, Front::Cutechess)
            ]
        );
        assert_eq!(found[0].refused, None);
        assert_eq!(
            found[0].remarks,
            ["compress=true: the log is not compressed", "not read: $@"]
        );
        assert_eq!(found[1].refused, None);
        assert_eq!(found[2].refused, None);
    }

    #[test]
    fn what_is_wrong_is_said_in_the_words_of_the_runner() {
        let found = examine("fastchess -engine cmd=a colour=red -engine cmd=b");
        let refused = found[0].refused.as_ref().unwrap();
        assert!(refused.contains("Unrecognized engine option"), "{refused}");
    }
}
