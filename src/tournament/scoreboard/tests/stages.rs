//! Events in stages, whatever is decided.

use super::*;
use crate::event::{
    GroupSeeding, StageEntrants, StageFormat, StagePlaces, StageRules, SwappedGames,
};
use crate::schedule::StageGroup;

fn stage(format: StageFormat, entrants: StageEntrants) -> StageRules {
    StageRules {
        name: String::new(),
        format,
        entrants,
        groups: 1,
        seeding: GroupSeeding::Snake,
        tie_breaks: vec![TieBreak::Wins, TieBreak::SonnebornBerger],
        carries_points: false,
        promotes: 0,
        relegates: 0,
        limits: None,
        adjudication: None,
        swapped_games: SwappedGames::AtOnce,
        openings: Vec::new(),
    }
}

/// A round-robin, a stage of its first three, and a round-robin of the first two of that.
fn season(engines: u16, second: StageFormat) -> RoundFormat {
    let first = StageEntrants {
        named: (0..engines).collect(),
        placed: Vec::new(),
    };
    let placed = |stage, places: &[u16]| StageEntrants {
        named: Vec::new(),
        placed: vec![StagePlaces {
            stage,
            places: places.to_vec(),
            best: None,
        }],
    };
    RoundFormat::Stages(vec![
        stage(StageFormat::League(1), first),
        stage(second, placed(0, &[1, 2, 3])),
        stage(StageFormat::League(2), placed(1, &[1, 2])),
    ])
}

#[test]
fn every_stage_is_played_to_its_end_whatever_is_decided() {
    let mut random = Random::new(12);
    let (mut decisions, mut unpaired) = (0, 0);
    for nth in 0..150_u32 {
        let engines = 3 + (nth % 4) as u16;
        let second = match formats(3).swap_remove(nth as usize % 7) {
            RoundFormat::Swiss(rules) => StageFormat::Swiss(rules),
            RoundFormat::Elimination(_, rules) => StageFormat::Knockout(rules),
            _ => StageFormat::League(2),
        };
        let mut played = Played::new(season(engines, second), engines);
        decisions += played.play_on(&mut random, 80);
        unpaired += played.book.unpaired().len();
        let board = played.board();
        let contest = board.contest().unwrap();
        assert_eq!(played.rounds.next(&contest.history), Ok(Following::Over));
        assert_eq!(board.missing_games(), Some(0));
        for part in contest.groups() {
            let StageFormat::League(cycles) = played.rules(&part).format else {
                continue;
            };
            let encounters = part.history.encounters();
            for (nth, one) in part.engines.iter().enumerate() {
                for other in &part.engines[..nth] {
                    let have_met =
                        |met: &&Encounter| met.side(*one).is_some() && met.side(*other).is_some();
                    let count = encounters.values().filter(have_met).count();
                    assert_eq!(count, cycles as usize, "{one} {other} {:?}", played.rounds);
                }
            }
        }
    }
    assert!(decisions > 300 && unpaired > 3, "{decisions} {unpaired}");
}

impl Played {
    fn rules(&self, part: &StageGroup) -> StageRules {
        let RoundFormat::Stages(stages) = &self.rounds.format else {
            panic!("stages");
        };
        let first = self.rounds.rounds_by_stage();
        let stage = first.iter().position(|rounds| *rounds == part.rounds);
        stages[stage.unwrap()].clone()
    }
}
