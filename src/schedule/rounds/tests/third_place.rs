use super::*;

/// Who has lost a semifinal plays for the third place, and can win no more.
#[test]
fn who_plays_for_the_third_place_is_not_still_in() {
    let rounds = tree(Elimination::Knockout, 4, true);
    let mut history = History::default();
    let still_in = |history: &History| rounds.progress(history).unwrap().still_in();
    assert_eq!(still_in(&history), [0, 1, 2, 3]);
    if let Ok(Following::Chosen(semifinals)) = rounds.next(&history) {
        history.choose(&semifinals);
    }
    let won_by = |history: &mut History, winners: [u16; 2]| {
        let pairs: Vec<_> = history.pairs().map(|(id, spec)| (id, *spec)).collect();
        let of_these = |spec: &PairSpec| winners.iter().any(|winner| spec.concerns(*winner));
        for (pair, spec) in pairs.into_iter().filter(|(_, spec)| of_these(spec)) {
            for game in 0..2 {
                let half_points = 2 * u8::from(winners.contains(&spec.seats(game)[0].engine));
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    };
    won_by(&mut history, [0, 1]);
    assert_eq!(still_in(&history), [0, 1]);
    if let Ok(Following::Chosen(last)) = rounds.next(&history) {
        history.choose(&last);
    }
    let places = |history: &History| {
        let standings = rounds.progress(history).unwrap().standings();
        let told = standings.iter();
        told.map(|one| (one.place, one.is_final))
            .collect::<Vec<_>>()
    };
    let open = [(1, false), (1, false), (3, false), (3, false)];
    assert_eq!(places(&history), open);
    // The final ends first.
    won_by(&mut history, [0, 0]);
    assert!(still_in(&history).is_empty());
    let open = [(1, true), (2, true), (3, false), (3, false)];
    assert_eq!(places(&history), open);
}

#[test]
fn encounters_of_trees_have_names() {
    let named = |format, engines, third_place| {
        let rounds = tree(format, engines, third_place);
        let progress = rounds.progress(&History::default()).unwrap();
        let places = (1..12).flat_map(|round| (1..9).map(move |board| (round, board)));
        let named = places.filter_map(|(round, board)| {
            let name = progress.name(round, board)?;
            Some(format!("{round}.{board} {name}"))
        });
        named.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        named(Elimination::Knockout, 8, true),
        "2.1 semifinal, 2.2 semifinal, 3.1 final, 3.2 third place"
    );
    assert_eq!(named(Elimination::Knockout, 2, false), "1.1 final");
    assert_eq!(
        named(Elimination::Double, 4, false),
        "1.1 upper bracket, 1.2 upper bracket, 2.1 upper bracket, 2.2 lower bracket, 3.1 lower bracket, 4.1 final, \
         5.1 second final"
    );
    assert_eq!(named(Elimination::Ladder, 4, false), "3.1 final");
}
