//! Effects: dispatcher, lane, driver, engine process, signals.
