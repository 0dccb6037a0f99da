//! What this machine has that an engine may need: instruction sets, as the kernel calls them, and tags that its
//! owner gives it.

use std::collections::BTreeSet;

use crate::platform::{Fact, machine};

/// Names such as `avx2` and `fast-ssd`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Features(BTreeSet<String>);

impl Features {
    /// Of this machine, with its owner's tags.
    pub(crate) fn of_this_machine(tags: &[String]) -> Features {
        // Where the kernel says nothing only the tags count.
        let text = machine::text(Fact::Processors).unwrap_or_default();
        Features::read(&text, tags)
    }

    /// From the text of `/proc/cpuinfo`: the line `flags` on x86, `Features` on ARM. A machine whose processors
    /// differ has what all of them have, because an engine may run on any.
    fn read(cpuinfo: &str, tags: &[String]) -> Features {
        let lines = cpuinfo.lines().filter_map(|line| {
            let (name, words) = line.split_once(':')?;
            matches!(name.trim_end(), "flags" | "Features").then_some(words)
        });
        let of_line = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        let of_all = lines
            .map(of_line)
            .reduce(|all: BTreeSet<String>, one| all.intersection(&one).cloned().collect());
        let mut names = of_all.unwrap_or_default();
        names.extend(tags.iter().cloned());
        Features(names)
    }

    /// Those of some needs that are missing here, in their order.
    pub(crate) fn missing(&self, needs: &[String]) -> Vec<String> {
        let missing = needs.iter().filter(|need| !self.0.contains(*need));
        missing.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(cpuinfo: &str, tags: &[&str], needs: &[&str]) -> Vec<String> {
        let owned = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| (*word).to_owned()).collect()
        };
        Features::read(cpuinfo, &owned(tags)).missing(&owned(needs))
    }

    #[test]
    fn a_machine_has_what_all_of_its_processors_have_and_what_its_owner_says() {
        let x86 = "processor\t: 0\nflags\t\t: fpu sse4_1 avx2 bmi2\nbugs\t\t: spectre_v1\n\n\
                   processor\t: 1\nflags\t\t: fpu sse4_1 avx2\n";
        let none: [String; 0] = [];
        assert_eq!(missing(x86, &[], &["avx2", "sse4_1"]), none);
        assert_eq!(
            missing(x86, &[], &["bmi2", "avx2", "spectre_v1"]),
            ["bmi2", "spectre_v1"]
        );
        assert_eq!(missing(x86, &["fast-ssd"], &["avx2", "fast-ssd"]), none);
        assert_eq!(
            missing("Features\t: fp asimd asimddp\n", &[], &["asimddp"]),
            none
        );
        assert_eq!(missing("", &[], &["avx2"]), ["avx2"]);
        assert_eq!(missing("", &[], &[]), none);
    }
}
