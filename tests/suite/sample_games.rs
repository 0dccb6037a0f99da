//! Games for tests of the store and the sinks: legal moves from Chess960
//! starts, and every field of the record filled or left out at random.

use std::time::Duration;

use arbiter960::chess::{Color, Move, Position, StartNumber, Variant, start};
use arbiter960::clock::Stamp;
use arbiter960::internal::event::identity::EventIdentity;
use arbiter960::internal::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use arbiter960::internal::referee::{
    Blame, Breaches, DrawnBy, EngineTimes, Fault, FaultKind, FlagEvidence, GameRecord,
    HostEvidence, IdleTimes, MoveRecord, Observation, Outcome, Pondered, Thinking, ThreadState,
    VoidReason, WonBy,
};
use arbiter960::uci::{Bound, Score};
use serde_json::{Value, json};

pub use super::random::Random as Dice;

const STARTS: [u32; 3] = [518, 0, 959];

impl Dice {
    /// Something of any size, or nothing.
    fn maybe(&mut self) -> Option<u64> {
        let shift = self.below(64);
        (self.below(3) > 0).then(|| self.roll() >> shift)
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// The finished game `pair.game` that this seed means, of at most `plies` plies.
pub fn finished(pair: u64, game: u8, seed: u64, plies: usize) -> PlayedGame {
    let mut dice = Dice(seed);
    let won = |by, how| Outcome::Won { by, how };
    let outcome = dice.pick(&[
        won(Color::White, WonBy::Checkmate),
        won(Color::Black, WonBy::Forfeit(FaultKind::FlagFall)),
        won(Color::White, WonBy::ScoreAdjudication),
        Outcome::Drawn(DrawnBy::ThreefoldRepetition),
        Outcome::Drawn(DrawnBy::LengthAdjudication),
        Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(FaultKind::Stall)),
    ]);
    with_outcome(pair, game, dice, plies, outcome)
}

/// A game that was interrupted.
pub fn voided(pair: u64, game: u8, seed: u64) -> PlayedGame {
    let mut dice = Dice(seed);
    let reasons = [
        VoidReason::Interrupted,
        VoidReason::HostFault("no \"memory\"\n".into()),
        VoidReason::FaultReplayed,
    ];
    let reason = dice.pick(&reasons);
    with_outcome(pair, game, dice, 12, Outcome::Void(reason))
}

fn with_outcome(pair: u64, game: u8, mut dice: Dice, plies: usize, outcome: Outcome) -> PlayedGame {
    // Both games of a pair begin alike.
    let number = StartNumber(STARTS[(pair % STARTS.len() as u64) as usize]);
    let start = start::position(Variant::Chess960, number).unwrap();
    let moves = random_moves(&mut dice, &start, plies);
    let book = dice.below(5).min(moves.len());
    let later = moves[book..].iter();
    let record = GameRecord {
        start,
        opening: moves[..book].to_vec(),
        moves: later.map(|mv| move_record(&mut dice, *mv)).collect(),
        outcome,
        faults: faults(&mut dice),
        breaches: breaches(&mut dice),
        dialogue: None,
    };
    let seats = [Seat { engine: 0, copy: 0 }, Seat { engine: 1, copy: 0 }];
    let first = usize::from(game);
    let pair_id = PairId(pair);
    let id = GameId {
        pair: pair_id,
        game,
    };
    PlayedGame {
        id,
        cycle: dice.below(4) as u32,
        number: (pair % 5 != 4).then_some(number),
        seats: [seats[first], seats[1 - first]],
        started: UnixMillis(1_700_000_000_000 + (pair as i64) * 1000),
        ended: UnixMillis(1_700_000_060_000 + (pair as i64) * 1000),
        record,
    }
}

fn random_moves(dice: &mut Dice, start: &Position, plies: usize) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let chosen = legal[dice.below(legal.len())];
        position.play(chosen);
        moves.push(chosen);
    }
    moves
}

fn move_record(dice: &mut Dice, chess_move: Move) -> MoveRecord {
    let sent = dice.roll() >> 20;
    let idle = IdleTimes {
        watched: Duration::from_nanos(sent),
        cpu: Duration::from_nanos(sent / 7),
    };
    MoveRecord {
        chess_move,
        sent: Stamp(sent),
        received: Stamp(dice.roll() >> 20),
        taken: match sent % 4 {
            0 => Duration::from_nanos(sent / 5),
            _ => Duration::ZERO,
        },
        clock: dice.maybe().map(Duration::from_nanos),
        nodes_limit: dice.maybe(),
        thinking: thinking(dice),
        host: (dice.below(2) > 0).then(|| Box::new(observation(dice))),
        idle: sent.is_multiple_of(3).then_some(idle),
        pondered: match sent % 5 {
            0 => Some(Pondered::Hit),
            1 => Some(Pondered::Miss),
            _ => None,
        },
        lines: match sent % 7 {
            0 => vec![String::from("info string pgncomment 0.3")],
            1 => vec![String::from("a \"b\" {c}"), String::from("é")],
            _ => Vec::new(),
        },
        interruptions: match sent % 11 {
            0 => vec![Duration::from_nanos(sent), Duration::from_secs(7_200)],
            _ => Vec::new(),
        },
    }
}

fn time(dice: &mut Dice) -> Duration {
    Duration::from_nanos(dice.maybe().unwrap_or(0))
}

fn observation(dice: &mut Dice) -> Observation {
    let maybe = |dice: &mut Dice| dice.maybe().map(Duration::from_nanos);
    let times = EngineTimes {
        cpu: time(dice),
        wait: time(dice),
        complete: dice.below(2) > 0,
    };
    Observation {
        watched: time(dice),
        wakeup: maybe(dice),
        lane_wait: maybe(dice),
        engine: dice.pick(&[None, Some(times)]),
        pressure: maybe(dice),
        suspended: time(dice),
    }
}

/// As from a file: the verdict need not follow from what was seen.
fn evidence(dice: &mut Dice) -> FlagEvidence {
    use ThreadState::{Asleep, Blocked, Runnable, Stopped};
    FlagEvidence {
        verdict: dice.pick(&Blame::ALL),
        elapsed: time(dice),
        late: time(dice),
        answered: dice.below(2) > 0,
        reported_ms: dice.maybe(),
        seen: HostEvidence {
            host: observation(dice),
            pending: time(dice),
            standing: dice.pick(&[Asleep, Runnable, Blocked, Stopped]),
            answerer_wait: dice.maybe().map(Duration::from_nanos),
            busiest: time(dice),
            own: Duration::from_nanos(7),
        },
        taken: Duration::from_nanos(11),
    }
}

fn thinking(dice: &mut Dice) -> Thinking {
    let small = |dice: &mut Dice| dice.maybe().map(|value| value as u32);
    let value = dice.roll() as i32;
    let [centipawns, mate] = [Score::Centipawns(value), Score::Mate(value)];
    let score = [None, Some(centipawns), Some(mate)];
    let pvs = [
        "",
        "e2e4 e7e5",
        "tab\t quote \" back \\ nul \0 bell \u{7} é \u{9b}31m",
    ];
    Thinking {
        score: dice.pick(&score),
        bound: dice.pick(&[None, Some(Bound::Lower), Some(Bound::Upper)]),
        wdl: dice.pick(&[None, Some([300, 400, 300]), Some([0, 0, u16::MAX])]),
        depth: small(dice),
        seldepth: small(dice),
        nodes: dice.maybe(),
        nps: dice.maybe(),
        hashfull: small(dice),
        tbhits: dice.maybe(),
        time_ms: dice.maybe(),
        pv: dice.pick(&pvs).to_owned(),
    }
}

fn faults(dice: &mut Dice) -> Vec<Fault> {
    let one = |dice: &mut Dice| Fault {
        side: dice.pick(&Color::ALL),
        kind: dice.pick(&FaultKind::ALL),
        ply: dice.below(300) as u32,
        at: Stamp(dice.roll() >> 8),
        detail: dice.pick(&["", "bestmove \"e9e9\"\u{1b}[2J\\"]).to_owned(),
        stderr: (dice.below(4) == 0).then(|| "Segmentation fault; stderr: }\n".to_owned()),
        evidence: (dice.below(2) > 0).then(|| evidence(dice)),
    };
    let count = dice.below(3);
    (0..count).map(|_| one(dice)).collect()
}

fn breaches(dice: &mut Dice) -> [Breaches; 2] {
    let side = |dice: &mut Dice| Breaches {
        unasked_bestmoves: dice.below(2) as u32,
        overlong_lines: dice.below(2) as u32,
    };
    [side(dice), side(dice)]
}

/// What an event with these engines is; all of them are the built-in one.
pub fn identity(names: &[&str]) -> EventIdentity {
    let engine = |name: &&str| {
        json!({
            "name": name, "launch": {"sparring": "0.1.0"}, "options": {}, "fen": "shredder",
            "limits": "10+0.1", "margin_us": 0, "nodes_jitter": null, "restart": "auto",
            "copies": 1, "files": [],
        })
    };
    let engines: Vec<Value> = names.iter().map(engine).collect();
    let identity = json!({
        "version": 2, "variant": "chess960", "format": "round-robin", "heroes": [], "pairs": 1,
        "games_per_pair": 2,
        "positions": "0-959", "engines": engines, "files": [], "sprt": null, "seed": 0,
        "adjudication": {"draw": null, "resign": null, "max_moves": null, "flag_fall": "loss"},
    });
    serde_json::from_value(identity).expect("an identity")
}
