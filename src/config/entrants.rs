//! Who takes part in a stage: engines by name, and those who have places in earlier stages; none can come twice.

use std::collections::BTreeSet;

use super::keys::KeyKind::{List, Whole};
use super::keys::keys;
use super::participants::{engine_named, meant};
use super::season::{Past, StageReader};
use super::section::{Entry, Section};
use super::stages::shared;
use super::value::{ReadValue, WrittenValue};
use crate::event::{StageEntrants, StagePlaces};
use crate::schedule::places_in;
use crate::text::count;

impl<'a> StageReader<'a, '_> {
    /// Who takes part by `engines` and `from`, what they can have been, and how many there are; `None` if one could not
    /// be read.
    pub(super) fn entrants(
        &self,
        engines: &ReadValue<'a, Option<Vec<Entry<'a>>>>,
        from: ReadValue<'a, Option<Vec<WrittenValue<'a, Section<'a>>>>>,
    ) -> (StageEntrants, Past, Option<usize>) {
        let mut named: Vec<u16> = Vec::new();
        for entry in engines.value.iter().flatten() {
            let Some(engine) = engine_named(entry, self.engines) else {
                continue;
            };
            if named.contains(&engine) {
                entry.error("this engine is named twice", "name it once");
            }
            named.push(engine);
        }
        let mut is_read = from.value.is_some() == from.is_written();
        is_read &= engines.is_written() == engines.value.is_some();
        is_read &= named.len() == engines.value.iter().flatten().count();
        if !engines.is_written() && !from.is_written() && self.earlier.is_empty() {
            named = (0..).take(self.engines.len()).collect();
        }
        let mut pasts: Vec<Past> = {
            let in_file = |engine: &u16| Past::from([(0, BTreeSet::from([usize::from(*engine)]))]);
            named.iter().map(in_file).collect()
        };
        let mut placed: Vec<StagePlaces> = Vec::new();
        for section in from.value.into_iter().flatten() {
            let Some((places, own)) = self.places(FromKeys::read(section.value)) else {
                is_read = false;
                continue;
            };
            let is_known = |one: &Past| pasts.iter().any(|other| may_be_one(one, other));
            if own.iter().any(is_known) {
                let help = "name places that exclude each other: another place, or a stage of other engines";
                section.entry.error("an engine could come here twice", help);
            }
            pasts.extend(own);
            placed.push(places);
        }
        let mut past = Past::new();
        for (stage, places) in pasts.into_iter().flatten() {
            past.entry(stage).or_default().extend(places);
        }
        let entrants = StageEntrants { named, placed };
        let groups = |stage: u16| self.earlier[usize::from(stage)].rules.groups;
        let count = is_read.then(|| entrants.count(groups));
        if count.is_some_and(|count| count < 2) {
            let help =
                "from = [{ stage = \"league\", places = [1, 2] }], or engines = [\"A\", \"B\"]";
            self.fail("a stage needs two engines or more", help);
        }
        (entrants, past, count)
    }

    /// Places of an earlier stage; for each what an engine there can have been.
    fn places(&self, keys: FromKeys<'a>) -> Option<(StagePlaces, Vec<Past>)> {
        let wanted = keys.stage.value.as_ref()?;
        let names = self.earlier.iter().map(|stage| stage.rules.name.as_str());
        let names: Vec<&str> = names.collect();
        let Some(stage) = names.iter().position(|name| *name == wanted.value) else {
            let is_later = self.names[names.len()..].contains(&wanted.value);
            let help = if names.is_empty() || is_later {
                "the stages that it needs stand before it in the file".to_owned()
            } else {
                meant(&wanted.value, &names, "before this one there are")
            };
            let title = format!("no earlier stage is called \"{}\"", wanted.value);
            return wanted.entry.refuse(title, help);
        };
        let source = &self.earlier[stage];
        let places = keys.places.value.as_ref()?;
        let taken = places.iter().map(|one| usize::from(one.value) - 1);
        let taken: Vec<usize> = taken.collect();
        let groups = |stage: u16| self.earlier[usize::from(stage)].rules.groups;
        let all = source.rules.entrants.count(groups);
        let largest_group = all.div_ceil(source.rules.groups.into());
        let sizes = [source.smallest_group, largest_group].into_iter();
        let known = sizes.filter(|size| (2..=self.engines.len()).contains(size));
        let mut ranks = known.filter_map(|size| places_in(&source.rules.format, size));
        if let Some(title) = ranks.find_map(|ranks| shared(&ranks, &taken)) {
            let help = "take both places, or let them be played out: third_place = true";
            keys.places.error(title, help);
        }
        for (nth, place) in places.iter().enumerate() {
            if usize::from(place.value) > source.smallest_group {
                let (size, name) = (source.smallest_group, &source.rules.name);
                let title = format!("there are {size} places in a group of \"{name}\"");
                place.entry.error(title, "name one of them");
            }
            if places[..nth].iter().any(|other| other.value == place.value) {
                place
                    .entry
                    .error("this place is named twice", "name it once");
            }
        }
        let pasts = places.iter().map(|place| {
            let mut past = source.past.clone();
            past.insert(stage + 1, BTreeSet::from([usize::from(place.value)]));
            past
        });
        let pasts = pasts.collect();
        let best = keys.best.value;
        let all = places.len() * usize::from(source.rules.groups);
        let too_many = best.is_some_and(|best| usize::from(best) > all);
        let title = format!("there are only {}", count(all as u64, "such engine"));
        keys.best
            .error_if(too_many, title, "name a smaller number, or more places");
        let places = StagePlaces {
            stage: stage as u16,
            places: places.iter().map(|place| place.value).collect(),
            best,
        };
        Some((places, pasts))
    }
}

/// Whether two entrants can be the same engine.
fn may_be_one(one: &Past, other: &Past) -> bool {
    let one = one.iter();
    let mut both = one.filter_map(|(stage, places)| Some((places, other.get(stage)?)));
    both.all(|(one, other)| !one.is_disjoint(other))
}

keys! {
    /// The values of `from` in `[[stage]]`.
    FromKeys<'a>, "from", "[[stage.from]]", "Places in an earlier stage.";

    /// The name of the stage.
    stage: WrittenValue<'a, String> [required], "stage = \"first\"\nplaces = [1, 2]";
    /// Places in each of its groups: first all who have the first of them, then the second, and so on.
    places: Vec<WrittenValue<'a, u16>> [required] List(&Whole(1, 1000)),
        "stage = \"first\"\nplaces = [1, 2]",
        refused ["a place that a group does not have", "a place twice", "a place shared with one that is not named"];
    /// Only so many of these engines: those with the larger part of the points of their games.
    best: u16 [or "all"] Whole(1, 1000), in "engines",
        "stage = \"first\"\nplaces = [1, 2]\nbest = 2",
        refused ["more than there are"];
}
