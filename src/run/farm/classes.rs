//! Pairs by what a machine must have to play them. Each class has its own subjects and its own consumer: a worker
//! asks for those that it can play, and what it cannot play keeps it from nothing.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::messages::hex;
use crate::config::{EngineSpec, Tournament};
use crate::host::features::Features;
use crate::schedule::PairSpec;

/// Pairs for machines that have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    /// What both engines of its pairs need, sorted, each once.
    needs: Vec<String>,
}

impl Class {
    fn of(engines: [&EngineSpec; 2]) -> Class {
        let mut needs = engines.map(|spec| spec.needs.clone()).concat();
        needs.sort();
        needs.dedup();
        Class { needs }
    }

    /// What it is called in subjects: the same for the same needs, whatever else the event has.
    pub(super) fn token(&self) -> String {
        if self.needs.is_empty() {
            return "any".to_owned();
        }
        hex(&Sha256::digest(self.needs.join(" "))[..4])
    }

    /// Whether a machine that lacks this can play its pairs.
    pub(super) fn is_for(&self, lacks: &[String]) -> bool {
        !self.needs.iter().any(|need| lacks.contains(need))
    }
}

/// All classes of an event.
#[derive(Debug)]
pub(super) struct Classes {
    /// Those with the most needs first: fewer machines play them.
    pub(super) all: Vec<Class>,
    /// The place in `all` for each two engines.
    places: Vec<Vec<usize>>,
}

impl Classes {
    /// Those of the pairs that an event can have.
    pub(super) fn of(tournament: &Tournament) -> Classes {
        let engines = &tournament.engines;
        let meet = |one: usize, other: usize| one != other || engines[one].copies > 1;
        let mut all: Vec<Class> = Vec::new();
        for (one, spec) in engines.iter().enumerate() {
            let others = engines.iter().enumerate().skip(one);
            for (_, met) in others.filter(|(other, _)| meet(one, *other)) {
                let class = Class::of([spec, met]);
                if !all.contains(&class) {
                    all.push(class);
                }
            }
        }
        all.sort_by_key(|class| std::cmp::Reverse(class.needs.len()));
        let place = |one, other| {
            let class = Class::of([one, other]);
            let place = all.iter().position(|known| *known == class);
            // Only of two that do not meet.
            place.unwrap_or_default()
        };
        let places = engines.iter().map(|one| {
            let of_one = engines.iter().map(|other| place(one, other));
            of_one.collect()
        });
        Classes {
            places: places.collect(),
            all,
        }
    }

    /// What pairs of this event need among these, each once.
    pub(super) fn needs_among(&self, lacks: &[String]) -> Vec<String> {
        let needs = self.all.iter().flat_map(|class| &class.needs);
        let needs: BTreeSet<&String> = needs.filter(|need| lacks.contains(need)).collect();
        needs.into_iter().cloned().collect()
    }

    /// The place of a pair's class among all.
    pub(super) fn place(&self, pair: &PairSpec) -> usize {
        self.places[usize::from(pair.first.engine)][usize::from(pair.second.engine)]
    }

    /// The class of a pair.
    pub(super) fn of_pair(&self, pair: &PairSpec) -> &Class {
        &self.all[self.place(pair)]
    }
}

/// What the engines of an event need and a machine does not have, sorted, each once.
pub(super) fn lacks(tournament: &Tournament, features: &Features) -> Vec<String> {
    let needs = tournament.engines.iter().flat_map(|spec| &spec.needs);
    let mut needs: Vec<String> = needs.cloned().collect();
    needs.sort();
    needs.dedup();
    features.missing(&needs)
}

/// Which engines a machine cannot play, in words; `None` if it can play all.
pub(super) fn unplayable(tournament: &Tournament, lacks: &[String]) -> Option<String> {
    let of_engine = |spec: &EngineSpec| {
        let missing = spec.needs.iter().filter(|need| lacks.contains(need));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        let words = format!("\"{}\", which needs {}", spec.name, missing.join(", "));
        (!missing.is_empty()).then_some(words)
    };
    let engines: Vec<String> = tournament.engines.iter().filter_map(of_engine).collect();
    (!engines.is_empty()).then(|| format!("cannot play {}", engines.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(needs: &[&str]) -> Class {
        let needs = needs.iter().map(|need| (*need).to_owned()).collect();
        Class { needs }
    }

    #[test]
    fn a_class_is_for_machines_that_lack_none_of_its_needs() {
        let lacks = ["avx512f".to_owned()];
        assert!(class(&[]).is_for(&lacks) && class(&["avx2"]).is_for(&lacks));
        assert!(!class(&["avx2", "avx512f"]).is_for(&lacks));
        assert!(class(&["avx512f"]).is_for(&[]));
    }

    #[test]
    fn other_needs_have_another_name_that_fits_into_a_subject() {
        assert_eq!(class(&[]).token(), "any");
        let tokens = [&["a.b"][..], &["avx2"], &["avx2", "bmi2"]].map(|needs| class(needs).token());
        assert!(tokens.iter().all(|token| token.len() == 8), "{tokens:?}");
        assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2]);
    }
}
