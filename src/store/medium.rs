//! The kind of file system that contains a store.

use std::path::Path;

use crate::platform::machine;

/// Numbers of network file systems (`statfs(2)`, `linux/magic.h`), and their names.
const NETWORKS: [(i64, &str); 13] = [
    (0x6969, "NFS"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x517b, "SMB"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x564c, "NCP"),
    (0x00c3_6400, "Ceph"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x0102_1997, "9P"),
    (0x6573_5546, "FUSE, as sshfs"),
];

/// The name of the network file system that contains this folder; `None` for a local one, or if the system does not
/// report it.
pub(crate) fn network_file_system(folder: &Path) -> Option<&'static str> {
    let kind = machine::file_system(folder)?;
    // Some systems extend the sign of the highest of 32 bits.
    let number = kind & 0xffff_ffff;
    let known = NETWORKS.iter().find(|(known, _)| *known == number);
    known.map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_test_is_on_no_network_that_is_not_named() {
        // FUSE and 9P may hold the files of a container.
        let found = network_file_system(&std::env::temp_dir());
        assert!(
            matches!(found, None | Some("FUSE, as sshfs" | "9P")),
            "{found:?}"
        );
        assert_eq!(network_file_system(Path::new("/no/such/folder")), None);
    }
}
