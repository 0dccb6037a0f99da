//! Dialogues with engines of several kinds.

use super::*;

/// Sends lines to a translator, `>` those of the runner and `<` those of the engine, which answers every `ping`;
/// returns its other output.
fn talk(translator: &mut Translator, lines: &[&str]) -> Vec<String> {
    let mut said = Vec::new();
    let mut listen = |translator: &mut Translator| {
        loop {
            let taken = translator.take();
            if taken.is_empty() {
                return;
            }
            for line in taken {
                match line {
                    PassedLine::ToEngine(text) => match text.strip_prefix("ping ") {
                        Some(ping) => translator.hear_engine(&format!("pong {ping}")),
                        None => said.push(format!("> {text}")),
                    },
                    PassedLine::ToRunner(text) => said.push(format!("< {text}")),
                }
            }
        }
    };
    listen(translator);
    for line in lines {
        match line.split_at(1) {
            (">", line) => translator.hear_runner(line),
            (_, line) => translator.hear_engine(line),
        }
        listen(translator);
    }
    said
}

/// What is sent to the engine alone.
fn sent(translator: &mut Translator) -> Vec<String> {
    let lines = translator.take().into_iter();
    let for_engine = lines.filter_map(|line| match line {
        PassedLine::ToEngine(text) => Some(text),
        PassedLine::ToRunner(_) => None,
    });
    for_engine.collect()
}

const FEATURES: &str =
    "<feature ping=1 setboard=1 usermove=1 myname=\"X 1\" variants=\"normal,fischerandom\" done=1";

fn known() -> Translator {
    let mut translator = Translator::new("x", Vec::new());
    talk(&mut translator, &[">uci", FEATURES]);
    translator
}

#[test]
fn a_game_is_played_with_clocks_and_thinking() {
    let mut translator = known();
    assert_eq!(
        talk(&mut translator, &[">ucinewgame", ">isready"]),
        ["< readyok"]
    );
    assert_eq!(
        talk(
            &mut translator,
            &[
                ">position startpos moves e2e4",
                ">go wtime 60000 btime 59000 winc 100 binc 100"
            ]
        ),
        [
            "> new",
            "> force",
            "> level 0 0:59 0.1",
            "> easy",
            "> post",
            "> usermove e2e4",
            "> time 5900",
            "> otim 6000",
            "> go"
        ]
    );
    assert_eq!(
        talk(
            &mut translator,
            &["<3 -12 5 100 e5 Nf3", "<move e7e5", ">isready"]
        ),
        [
            "< info depth 3 score cp -12 time 50 nodes 100 pv e7e5 g1f3",
            "< bestmove e7e5",
            "< readyok"
        ]
    );
    // The next move is answered by itself.
    assert_eq!(
        talk(
            &mut translator,
            &[
                ">position startpos moves e2e4 e7e5 g1f3",
                ">go wtime 59000 btime 58000"
            ]
        ),
        ["> time 5800", "> otim 5900", "> usermove g1f3"]
    );
    assert_eq!(talk(&mut translator, &[">stop"]), ["> ?"]);
}

#[test]
fn a_line_comes_when_the_one_before_is_proved_to_be_read() {
    let mut translator = known();
    translator.hear_runner("position startpos");
    translator.hear_runner("go depth 3");
    let mut lines = Vec::new();
    for ping in 1.. {
        let mut together = sent(&mut translator);
        let asked = together.pop_if(|line| line.starts_with("ping "));
        assert_eq!(together.len(), 1, "{together:?}");
        lines.append(&mut together);
        let Some(asked) = asked else {
            break;
        };
        assert_eq!(asked, format!("ping {ping}"));
        // What proves nothing brings no line.
        translator.hear_engine("pong 0");
        assert!(sent(&mut translator).is_empty());
        // An overlooked ping is sent again, and answered twice.
        translator.doubts(ping);
        assert_eq!(sent(&mut translator), std::slice::from_ref(&asked));
        let answer = asked.replace("ping", "pong");
        translator.hear_engine(&answer);
        translator.hear_engine(&answer);
    }
    assert_eq!(
        lines,
        ["new", "force", "sd 3", "easy", "post", "time 8640000", "go"]
    );
    translator.hear_runner("isready");
    assert!(sent(&mut translator).is_empty(), "it thinks");
}

#[test]
fn an_engine_of_the_first_version_is_known_after_a_while() {
    let mut translator = Translator::new("fairymax", vec!["random".to_owned()]);
    talk(&mut translator, &[">uci"]);
    translator.has_waited();
    assert_eq!(talk(&mut translator, &[]), ["> protover 2"]);
    assert_eq!(translator.pause(), Some(LINE_INTERVAL));
    translator.has_waited();
    assert_eq!(
        talk(&mut translator, &[">isready"]),
        [
            "> post",
            "> random",
            "< id name fairymax",
            "< uciok",
            "< readyok"
        ]
    );
    talk(
        &mut translator,
        &[">position startpos", ">go movetime 1000"],
    );
    assert_eq!(
        talk(&mut translator, &["<1. ... d2d4"]),
        ["< bestmove d2d4"]
    );
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let said = talk(
        &mut translator,
        &[&format!(">position fen {fen}"), ">go depth 1"],
    );
    assert_eq!(
        said[2..10],
        [
            "> b2b3", "> edit", "> #", "> Ke1", "> Pe2", "> c", "> Ke8", "> ."
        ],
        "{said:?}"
    );
}

#[test]
fn chess960_castles_in_words() {
    let mut translator = known();
    let start = "position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let said = talk(
        &mut translator,
        &[
            ">setoption name UCI_Chess960 value true",
            &format!(">{start}"),
            ">go depth 3",
            "<move O-O",
            &format!(">{start} moves e1g1 e8b8"),
            ">go depth 3",
            "<resign",
        ],
    );
    assert!(
        said.contains(&"> variant fischerandom".to_owned()),
        "{said:?}"
    );
    assert!(said.contains(&"< bestmove e1g1".to_owned()), "{said:?}");
    assert!(said.contains(&"> usermove O-O-O".to_owned()), "{said:?}");
    assert_eq!(said.last().unwrap(), "< bestmove resign");
}

#[test]
fn what_is_no_move_is_for_the_referee() {
    let mut translator = known();
    talk(&mut translator, &[">position startpos", ">go depth 1"]);
    assert!(talk(&mut translator, &["<Illegal move: sd 1"]).is_empty());
    assert_eq!(talk(&mut translator, &["<move e2e5"]), ["< bestmove e2e5"]);
    assert!(
        talk(
            &mut translator,
            &["<move e7e5", "<1-0 {won}", "<# a remark"]
        )
        .is_empty()
    );
}

/// As in cutechess-cli.
#[test]
fn a_result_that_is_claimed_is_no_move_and_a_draw_must_be_one() {
    let claims = |lines: &[&str]| {
        let mut translator = known();
        talk(&mut translator, &[">position startpos", ">go depth 1"]);
        talk(&mut translator, lines)
    };
    assert_eq!(
        claims(&["<1-0 {I win}"]),
        ["< info string 1-0 {I win}", "< bestmove 1-0"]
    );
    assert_eq!(claims(&["<* {done}"]).last().unwrap(), "< bestmove *");
    assert_eq!(
        claims(&["<0-1 {lost}"]).last().unwrap(),
        "< bestmove resign"
    );
    assert!(claims(&["<1/2-1/2 {repetition}"]).is_empty());
    let wrong = claims(&["<1/2-1/2 {repetition}", "<move e2e4"]);
    assert_eq!(wrong.last().unwrap(), "< bestmove 1/2-1/2");
    assert_eq!(
        claims(&["<offer draw", "<move e2e4"]),
        ["< info string offers a draw", "< bestmove e2e4"]
    );
    let mut translator = known();
    let bare = ">position fen 7k/8/8/8/8/8/p7/K7 w - - 0 1";
    talk(&mut translator, &[bare, ">go depth 1"]);
    let right = talk(
        &mut translator,
        &["<1/2-1/2 {nothing to mate with}", "<move a1a2"],
    );
    assert_eq!(right.last().unwrap(), "< bestmove a1a2");
}
