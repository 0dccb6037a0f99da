use serde_json::json;

use super::*;

/// An identity as a sealed record has it, without what later programs have added.
const SEALED: &str = r#"{"version":2,"adjudication":{"draw":null,"flag_fall":"loss","max_moves":14,"resign":
    {"both_engines":true,"centipawns":600,"moves":3}},"engines":[{"copies":1,"fen":"shredder",
    "launch":{"sparring":"0.1.0"},"limits":"nodes=300","margin_us":0,"name":"Weak",
    "nodes_jitter":0.1,"options":{"Strength":"3"},"restart":"auto","files":[]},{"copies":1,"fen":"xfen",
    "launch":{"args":["net.nnue"],"command":"./fake","env":[],"sha256":"fe"},"limits":"10+0.1",
    "margin_us":20,"name":"Fragile","nodes_jitter":null,"options":{"Log":"x"},"restart":"never","files":[0]}],
    "files":[{"name":"net.nnue","sha256":"aa"},{"name":"other","sha256":"bb"}],"games_per_pair":2,
    "format":"gauntlet","heroes":["Weak"],"pairs":null,"positions":{"count":3,"sha256":"cc"},
    "seed":5,"sprt":{"alpha":0.05,"beta":0.1,"elo0":0.0,"elo1":5.0,"model":"logistic"},
    "adaptive":{"boundary":{"start":518},"threshold":0.05,"min_pairs":2,"batch":8},
    "variant":"chess960"}"#;

fn sealed() -> EventIdentity {
    serde_json::from_str(SEALED).expect("an identity")
}

#[test]
fn what_was_written_is_read_as_it_was() {
    let known = sealed();
    let again: EventIdentity = serde_json::from_str(&known.to_json()).unwrap();
    assert_eq!(again, known);
    assert_eq!(again.differences(&known), []);
}

#[test]
fn what_is_not_known_is_refused() {
    let mut value: serde_json::Value = serde_json::from_str(SEALED).unwrap();
    value["variant"] = json!("chess959");
    assert!(serde_json::from_value::<EventIdentity>(value.clone()).is_err());
    value["variant"] = json!("chess960");
    value["engines"][0]["telepathy"] = json!(true);
    assert!(serde_json::from_value::<EventIdentity>(value.clone()).is_err());
}

#[test]
fn a_difference_names_the_engine_and_both_values() {
    let mut changed = sealed();
    changed.engines[1].margin_us = 30;
    let shown: Vec<String> = sealed()
        .differences(&changed)
        .iter()
        .map(Difference::to_string)
        .collect();
    assert_eq!(
        shown,
        ["engine \"Fragile\", margin_ms: was 0.02, is now 0.03"]
    );
}

/// Every change, one at a time, and whether pairs keep their numbers.
#[test]
fn a_plan_is_the_same_until_a_pair_would_mean_another() {
    type Change = fn(&mut EventIdentity);
    let keeps: [Change; 6] = [
        |now| now.pairs = Some(7),
        |now| now.engines[0].limits.nodes = Some(301),
        |now| now.engines[1].options.clear(),
        |now| now.files.clear(),
        |now| now.adjudication.max_moves = None,
        |now| now.faults.strikes = Some(3),
    ];
    for change in keeps {
        let mut now = sealed();
        change(&mut now);
        assert!(sealed().same_plan(&now), "{}", now.to_json());
        assert!(!sealed().differences(&now).is_empty());
    }
    let breaks: [Change; 10] = [
        |now| now.variant = Variant::Shuffle,
        |now| now.format = FormatWord::RoundRobin,
        |now| now.heroes.clear(),
        |now| now.positions = PositionsIdentity::Numbers("5".into()),
        |now| now.seed = 6,
        |now| now.adaptive = None,
        |now| now.games_per_pair = 1,
        |now| now.engines.swap(0, 1),
        |now| now.engines[0].name = "Latecomer".into(),
        |now| now.engines[0].copies = 2,
    ];
    for change in breaks {
        let mut now = sealed();
        change(&mut now);
        assert!(!sealed().same_plan(&now), "{}", now.to_json());
        assert!(!sealed().differences(&now).is_empty());
    }
}

#[test]
fn whom_later_rounds_of_a_swiss_may_not_bring_together_can_change() {
    let rules = crate::event::rules::SwissRules {
        seeds: vec![0, 1],
        pairs: 1,
        rounds: 3,
        groups: 2,
        forbidden: vec![[0, 1]],
        bye: Default::default(),
    };
    let swiss = |change: fn(&mut crate::event::rules::SwissRules)| {
        let mut rules = rules.clone();
        change(&mut rules);
        EventIdentity {
            swiss: Some(rules),
            ..sealed()
        }
    };
    let before = swiss(|_| ());
    let freed = swiss(|rules| rules.forbidden.clear());
    assert!(before.same_plan(&freed));
    assert_ne!(before.differences(&freed), []);
    assert!(!before.same_plan(&swiss(|rules| rules.groups = 1)));
}

#[test]
fn an_engine_is_its_program_its_files_and_its_options() {
    let same = |now: &EventIdentity| sealed().same_engine(1, now, 1);
    let mut now = sealed();
    now.engines[1].margin_us = 99;
    now.engines[1].name = "Renamed".into();
    now.files[1].sha256 = Some("another engine's".into());
    assert!(same(&now));
    now.files[0].sha256 = Some("dd".into());
    assert!(!same(&now));
    let mut now = sealed();
    now.engines[1].options.insert("Hash".into(), "16".into());
    assert!(!same(&now));
    let mut now = sealed();
    now.engines[1].launch = now.engines[0].launch.clone();
    assert!(!same(&now) && !sealed().same_engine(1, &now, 2));
}

#[test]
fn volatile_files_say_nothing() {
    let mut stored = sealed();
    stored.files[0].sha256 = None;
    let mut now = sealed();
    now.files[0].sha256 = Some("changed".into());
    now.leave_out_volatile_files_of(&stored);
    assert_eq!(stored.differences(&now), []);
    now.files.push(FileIdentity {
        name: "new".into(),
        sha256: Some("ee".into()),
    });
    assert_eq!(stored.differences(&now).len(), 1);
}

#[test]
fn a_game_is_repeated_with_fixed_limits_without_jitter_and_with_one_thread() {
    let repeats = |limits: &str, jitter, options: &[(&str, &str)]| {
        let limits = limits.parse().expect("limits");
        repeats_itself(&limits, jitter, threads(options.iter().copied()))
    };
    assert!(repeats("nodes=5000, depth=9", None, &[("Threads", "1")]));
    assert!(repeats("nodes=5000", Some(0.0), &[]));
    assert!(!repeats("nodes=5000", Some(0.1), &[]));
    for several in [
        ("Threads", "2"),
        ("threads", "4"),
        ("THREADS", " 8 "),
        ("Threads", "all"),
    ] {
        assert!(
            !repeats("nodes=5000", None, &[("Hash", "1"), several]),
            "{several:?}"
        );
    }
    assert!(!repeats("10+0.1", None, &[]) && !repeats("0.5/move, depth=8", None, &[]));
    assert!(
        repeats("depth=8", Some(0.1), &[]),
        "jitter varies nodes alone"
    );
}
