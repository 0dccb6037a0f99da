//! What listens to events: PGN, standings, progress, JSON.
