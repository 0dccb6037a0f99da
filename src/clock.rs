//! Time controls and clocks.
