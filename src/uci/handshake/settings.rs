//! What is set before the first game: the wishes and the runner's defaults, checked against
//! what the engine declares, in the order in which they are sent.

use crate::uci::command::{VARIANT_OPTION, VARIANTS_FILE_OPTION};
use crate::uci::declaration::OptionKind;
use crate::uci::options::OptionError;

use super::{Handshake, HandshakeError};

/// What an engine that thinks on its opponent's time has.
const PONDER: &str = "Ponder";

/// Options whose place in the order matters: the number of threads comes before the hash, so
/// that the table is allocated once. `UCI_Variant` comes last, since a file that another
/// option names may define the variant.
const SENT_FIRST: [&str; 2] = ["Threads", "Hash"];

impl Handshake {
    /// All options to set, in their order.
    pub(super) fn settings(
        &mut self,
    ) -> Result<Vec<(String, Option<String>)>, Vec<HandshakeError>> {
        let mut problems = Vec::new();
        let mut settings = Vec::new();
        for (name, value) in self.ordered_wishes() {
            match self.setting(&name, &value) {
                Ok(setting) => settings.push(setting),
                Err(problem) if self.wishes.leaves_out_refused || self.is_default(&name) => {
                    self.ready
                        .warnings
                        .push(format!("{problem}; it is not set"));
                }
                Err(problem) => problems.push(HandshakeError::Option(problem)),
            }
        }
        for variant in [self.variants_file(), self.named_variant()] {
            match variant {
                Ok(setting) => settings.extend(setting),
                Err(problem) => problems.push(problem),
            }
        }
        if self.wishes.ponder && !self.declares(PONDER) {
            problems.push(HandshakeError::NoPonder);
        }
        let (options, wanted) = (&self.ready.identity.options, self.wishes.chess960);
        match options.get("UCI_Chess960") {
            Some(option) => settings.push((option.name.clone(), Some(wanted.to_string()))),
            None if wanted && !self.wishes.chess960_undeclared => {
                problems.push(HandshakeError::NoChess960)
            }
            None => {}
        }
        problems.is_empty().then_some(settings).ok_or(problems)
    }

    /// The file of variants, for an engine that can read it and choose from it.
    fn variants_file(&self) -> Result<Option<(String, Option<String>)>, HandshakeError> {
        let Some(file) = &self.wishes.variants_file else {
            return Ok(None);
        };
        let options = &self.ready.identity.options;
        let declared = |name| {
            options
                .get(name)
                .ok_or(HandshakeError::NoVariantsFile(name))
        };
        let option = declared(VARIANTS_FILE_OPTION)?;
        declared(VARIANT_OPTION)?;
        Ok(Some((option.name.clone(), Some(file.clone()))))
    }

    /// The event's variant, for an engine that lists it.
    fn named_variant(&self) -> Result<Option<(String, Option<String>)>, HandshakeError> {
        let Some(variant) = self.wishes.variant else {
            return Ok(None);
        };
        let setting = self
            .ready
            .identity
            .options
            .canonical(VARIANT_OPTION, variant);
        setting
            .map(Some)
            .map_err(|_| HandshakeError::NoVariant(variant))
    }

    /// A variant that a file defines is unknown until the engine has read that file.
    fn setting(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<(String, Option<String>), OptionError> {
        let options = &self.ready.identity.options;
        let option = options.get(name);
        // Where others press buttons by a word.
        let is_pressed = self.wishes.leaves_out_refused
            && value == "true"
            && option.is_some_and(|option| option.kind == OptionKind::Button);
        let value = if is_pressed { "" } else { value };
        match options.canonical(name, value) {
            Err(OptionError::NotAChoice { name, value, .. })
                if is(&name, VARIANT_OPTION) && self.wished(VARIANTS_FILE_OPTION) =>
            {
                self.ready.warnings.push(format!(
                    "option \"{name}\": \"{value}\" is not declared; VariantPath may define it"
                ));
                Ok((name, Some(value)))
            }
            other => other,
        }
    }

    /// The runner's defaults and the user's wishes, without `UCI_Chess960`, which the event
    /// decides.
    fn ordered_wishes(&mut self) -> Vec<(String, String)> {
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let silent = |(name, _): &(&str, &str)| !self.wished(name) && self.declares(name);
        let ponder = if self.wishes.ponder { "true" } else { "false" };
        // What is set where the engine declares it and the user is silent.
        let defaults = [("Threads", "1"), (PONDER, ponder), ("OwnBook", "false")].into_iter();
        let defaults = defaults.chain(self.plain_chess()).filter(silent).map(own);
        let given = self.wishes.options.iter().cloned();
        let mut wishes: Vec<_> = defaults.chain(given).collect();
        let given = wishes.len();
        wishes.retain(|(name, _)| !is(name, "UCI_Chess960"));
        if wishes.len() < given {
            let variant = self.wishes.chess960;
            self.ready.warnings.push(format!(
                "option \"UCI_Chess960\": the event's variant sets it to {variant}; the given value is ignored"
            ));
        }
        wishes.sort_by_key(|(name, _)| place(name));
        wishes
    }

    /// An engine of many variants whose default is not chess must be told to play it.
    fn plain_chess(&self) -> Option<(&'static str, &'static str)> {
        if self.wishes.variants_file.is_some() || self.wishes.variant.is_some() {
            return None;
        }
        let option = self.ready.identity.options.get(VARIANT_OPTION)?;
        let OptionKind::Combo { default, values } = &option.kind else {
            return None;
        };
        let chess960 = ["fischerandom", "chess960"].into_iter();
        let chess960 = chess960.filter(|_| self.wishes.chess960);
        let names = ["chess"].into_iter().chain(chess960);
        let mut names = names.chain(["normal", "standard"]);
        let offered = |name: &&str| values.iter().any(|value| is(value, name));
        let chosen = names.find(offered).filter(|_| !is(default, "chess"));
        chosen.map(|name| (VARIANT_OPTION, name))
    }

    fn wished(&self, name: &str) -> bool {
        self.wishes.options.iter().any(|(wish, _)| is(wish, name))
    }

    /// Whether neither the user nor the event asks for a value of this option.
    fn is_default(&self, name: &str) -> bool {
        let is_asked = self.wishes.ponder && is(name, PONDER);
        !is_asked && !self.wished(name)
    }

    fn declares(&self, name: &str) -> bool {
        self.ready.identity.options.get(name).is_some()
    }
}

fn is(name: &str, other: &str) -> bool {
    name.trim().eq_ignore_ascii_case(other)
}

fn place(name: &str) -> usize {
    let first = SENT_FIRST.iter().position(|other| is(name, other));
    first.unwrap_or(SENT_FIRST.len() + usize::from(is(name, VARIANT_OPTION)))
}
