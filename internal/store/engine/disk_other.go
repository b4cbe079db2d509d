//go:build !linux

package engine

import (
	"os"

	"golang.org/x/sys/unix"
)

// diskOf knows sizes here, not kinds: the refusal of network file systems is Linux's.
func diskOf(dir string) (Disk, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return Disk{}, err
	}
	return Disk{Kind: "other", Total: int64(st.Blocks) * int64(st.Bsize), Free: int64(st.Bavail) * int64(st.Bsize)}, nil
}

// flockBesideSQLite: elsewhere flock and fcntl locks of one file may exclude each other.
const flockBesideSQLite = false

// allocate writes the blocks: there is no portable call that reserves them.
func allocate(f *os.File, size int64) error {
	block := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(block)) {
		if _, err := f.WriteAt(block[:min(int64(len(block)), size-at)], at); err != nil {
			return err
		}
	}
	return f.Sync()
}
