package secret

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Exposed reports whether a file's mode lets users other than its owner read or
// write it. In the folder of a service manager's credentials
// ($CREDENTIALS_DIRECTORY, systemd.exec(5) under Credentials) the group's bits
// are only the mask of an access list for the service's user; there, all others count.
func Exposed(path string, mode fs.FileMode) bool {
	if dir := os.Getenv("CREDENTIALS_DIRECTORY"); dir != "" && filepath.Dir(filepath.Clean(path)) == filepath.Clean(dir) {
		return mode.Perm()&0o007 != 0
	}
	return mode.Perm()&0o077 != 0
}
