//! What happened: durable facts and passing glimpses.
