//! SQLite: schema, migrations, one writer thread, readers.
