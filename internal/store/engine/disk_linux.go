package engine

import (
	"os"

	"golang.org/x/sys/unix"
)

// Magic numbers of statfs(2) that SQLite should know; the second value marks network file systems.
var fileSystems = map[uint32]struct {
	name    string
	network bool
}{
	0xEF53: {"ext", false}, 0x58465342: {"xfs", false}, 0x9123683E: {"btrfs", false}, 0x01021994: {"tmpfs", false},
	0x794C7630: {"overlay", false}, 0x2FC12FC1: {"zfs", false}, 0xF2F52010: {"f2fs", false}, 0x65735546: {"fuse", false},
	0x6969: {"nfs", true}, 0x517B: {"smb", true}, 0xFF534D42: {"cifs", true}, 0xFE534D42: {"smb2", true},
	0x01021997: {"9p", true}, 0x5346414F: {"afs", true}, 0x00C36400: {"ceph", true}, 0x0BD00BD0: {"lustre", true},
	0x47504653: {"gpfs", true}, 0x73757245: {"coda", true},
}

func diskOf(dir string) (Disk, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return Disk{}, err
	}
	d := Disk{
		Kind: "other", ReadOnly: st.Flags&unix.ST_RDONLY != 0,
		Total: int64(st.Blocks) * st.Bsize, Free: int64(st.Bavail) * st.Bsize,
	}
	if known, ok := fileSystems[uint32(st.Type)]; ok {
		d.Kind, d.Network = known.name, known.network
	}
	return d, nil
}

// flockBesideSQLite: flock and fcntl locks are of two worlds here.
const flockBesideSQLite = true

// allocate reserves real blocks, so that freeing the file gives them back.
func allocate(f *os.File, size int64) error { return unix.Fallocate(int(f.Fd()), 0, 0, size) }
