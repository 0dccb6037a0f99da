//! Under which condition each claim holds.

use crate::analysis::{Basis, Statement};

/// The condition, for programs and for `docs/claims.md`.
pub(super) fn condition(said: &Statement) -> &'static str {
    match said {
        Statement::Winner(_) => "by the event's own rules; it does not say who is stronger",
        Statement::Sprt(_) => {
            "pairs are independent: with few start positions, each played often, it holds for these positions alone"
        }
        Statement::Stronger(found) => of_basis(found.basis),
        Statement::FirstMove(found) => of_basis(found.basis),
        Statement::StartsDiffer(_) => {
            "for these engines at these limits; positions were played about equally often"
        }
        Statement::StartStandsOut(_) => {
            "for these engines at these limits; of those named at most 1 in 20 lies within 5 Elo of the average"
        }
        Statement::FaultOf(_) | Statement::HostTooBusy(_) => {
            "as the runner saw it; its evidence is stored with each game"
        }
        Statement::LimitIgnored(_) => {
            "by the nodes that the engine itself reports, in a sample of its games"
        }
        Statement::GamesRepeat(_) => "by moves and start position",
        Statement::NotUsable(_) | Statement::NextStep(_) => "",
    }
}

fn of_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::AlwaysValid => {
            "however often it is looked at; for these start positions, engines and limits"
        }
        Basis::Pairs | Basis::Games => {
            "looked at once, when all games are played; for these start positions, engines and limits"
        }
        Basis::Positions => {
            "looked at once, when all games are played; for start positions like these, these engines and limits"
        }
        Basis::Places => "looked at once, when all games are played; for these engines and limits",
    }
}
