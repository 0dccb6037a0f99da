//! Numbers: pairs, Elo, SPRT, ratings, first-move advantage, planning.
