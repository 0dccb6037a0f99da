//! One game, pure: inputs, outputs, outcome, adjudication, the record of a game.
