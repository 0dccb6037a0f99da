//! Cost of the live statistics: everything a running display needs after one more pair
//! must take well under a millisecond. `cargo bench --bench statistics`

use arbiter960::chess::start::Variant;
use arbiter960::chess::{Color, StartNumber};
use arbiter960::internal::event::{GameId, PairId, Seat};
use arbiter960::internal::referee::{DrawnBy, Outcome, WonBy};
use arbiter960::internal::sink::standings_json;
use arbiter960::internal::store::ResultRow;
use arbiter960::internal::tournament::{EventState, Participant, Roster, Scoreboard, SprtWatch};
use arbiter960::stats::counts::Sample;
use arbiter960::stats::counts::{GameScore, PairScore, Pentanomial};
use arbiter960::stats::interval::profile_interval;
use arbiter960::stats::match_statistics::MatchStatistics;
use arbiter960::stats::sprt::{Hypotheses, Model, Sprt, log_likelihood_ratio};
use arbiter960::stats::start_pairs::StartPairs;
use measure::measure;

mod measure;

const FEW: Pentanomial = Pentanomial([0, 3, 10, 7, 0]);
const MANY: Pentanomial = Pentanomial([39, 2226, 31451, 2412, 40]);

fn test(model: Model) -> Hypotheses {
    Hypotheses::new(model, 0.0, 5.0, 0.05, 0.05).expect("a possible test")
}

/// A test that looks after every pair, fed with results that do not decide it soon.
fn running_test() -> Sprt {
    use GameScore::{Draw, Loss, Win};
    let mut sprt = Sprt::new(test(Model::Normalized), 1, true);
    for (first, second) in [(Win, Loss), (Draw, Draw), (Loss, Draw), (Win, Draw)].repeat(25) {
        sprt.update(PairScore::new(first, second));
    }
    sprt
}

fn live_update() {
    let sprt = running_test();
    measure(
        "live update: SPRT, time left, always-valid interval",
        || sprt.clone(),
        |mut sprt| {
            let status = sprt.update(PairScore::new(GameScore::Win, GameScore::Loss));
            let interval = sprt.sample().always_valid(0.95);
            (status, sprt.expected_pairs_left(), interval)
        },
    );
    measure("stage-wise estimate", || (), |()| sprt.estimate(0.95));
}

fn roster() -> Roster {
    let participant = |engine, name: &str| Participant {
        seat: Seat { engine, copy: 0 },
        name: name.to_owned(),
    };
    Roster {
        event: "bench".to_owned(),
        site: "?".to_owned(),
        variant: Variant::Chess960,
        format: None,
        participants: vec![participant(0, "one"), participant(1, "other")],
        voided_games: 0,
        decided_by_host: 0,
        host_faults: Default::default(),
        adaptive: None,
        decisions: Default::default(),
        games: Default::default(),
        rebuilt: None,
    }
}

/// Both games of a pair; the results repeat with a period of 7 pairs.
fn pair(number: u64) -> [ResultRow; 2] {
    const DRAWN: Outcome = Outcome::Drawn(DrawnBy::Stalemate);
    let won = |by| Outcome::Won {
        by,
        how: WonBy::Checkmate,
    };
    let outcomes = [
        won(Color::White),
        DRAWN,
        DRAWN,
        won(Color::Black),
        DRAWN,
        DRAWN,
        DRAWN,
    ];
    [0, 1].map(|game| {
        let seats = [0, 1].map(|engine| Seat { engine, copy: 0 });
        ResultRow {
            playing: 0,
            sequence: 2 * number + u64::from(game) + 1,
            id: GameId {
                pair: PairId(number),
                game,
            },
            cycle: 0,
            number: Some(StartNumber((number % 960) as u32)),
            start: number % 960,
            seats: if game == 0 {
                seats
            } else {
                [seats[1], seats[0]]
            },
            outcome: outcomes[(number % 7) as usize].clone(),
            plies: 80,
            fault: None,
            moves_hash: number,
        }
    })
}

/// All that a run counts, computes and shows when a pair is finished.
fn live_pair() {
    let roster = roster();
    for pairs in [1_000, 100_000] {
        let mut board = Scoreboard::new(&roster.participants);
        let mut watch = SprtWatch::new(Sprt::new(test(Model::Normalized), 1, true));
        let finish = |board: &mut Scoreboard, watch: &mut SprtWatch, number| {
            for result in pair(number) {
                board.add_result(&result);
                let white = result.outcome.white_score().expect("a score");
                watch.result(result.id, result.seats, white, result.start);
            }
        };
        (0..pairs).for_each(|number| finish(&mut board, &mut watch, number));
        measure(
            &format!("live pair after {pairs} pairs"),
            || (board.clone(), watch.clone()),
            |(mut board, mut watch)| {
                finish(&mut board, &mut watch, pairs);
                let standings = standings_json(&EventState::new(roster.clone(), board, None), 2);
                (standings, watch.text(), watch.json())
            },
        );
    }
}

fn likelihoods() {
    for (name, counts) in [("20 pairs", FEW), ("36,168 pairs", MANY)] {
        let sample = || Sample::from(counts);
        for model in [Model::Normalized, Model::Logistic] {
            measure(&format!("LLR {model:?}, {name}"), sample, |sample| {
                log_likelihood_ratio(model, [0.0, 5.0], &sample)
            });
        }
        measure(&format!("profile interval, {name}"), sample, |sample| {
            profile_interval(&sample, 0.95)
        });
        measure(
            &format!("all match statistics, {name}"),
            || counts,
            |counts| MatchStatistics::of_pairs(&StartPairs::on_own_starts(counts), 0.95),
        );
    }
}

fn main() {
    live_update();
    live_pair();
    likelihoods();
}
