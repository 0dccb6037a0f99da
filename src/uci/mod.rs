//! The Universal Chess Interface, pure: bytes to lines to messages, commands, options.
