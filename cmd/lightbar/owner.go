package main

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// leavesFolder are the commands that neither read nor write a data folder: root stays root for them.
var leavesFolder = []string{"version", "openapi", "feed check", "simulate"}

// becomeOwner lets a command that root started run as the owner of the data
// folder. Files that root makes there would lock out the service, and a program
// that writes as root into a folder of someone else can be led astray by links.
// A folder for backups that does not exist yet becomes the owner's, too. owner is
// whom it became, empty for nobody.
func becomeOwner(command, dir, backups string) (owner string, err error) {
	if os.Geteuid() != 0 || slices.ContainsFunc(leavesFolder, func(c string) bool { return strings.HasPrefix(command, c) }) {
		return "", nil
	}
	st, err := os.Stat(dir)
	if err != nil || !st.IsDir() {
		return "", nil // the command makes it or says what is wrong
	}
	id, ok := st.Sys().(*syscall.Stat_t)
	if !ok || id.Uid == 0 {
		return "", nil
	}
	if backups != "" {
		err := os.Mkdir(backups, 0o700)
		if err == nil {
			err = os.Lchown(backups, int(id.Uid), int(id.Gid))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return "", place("The folder %s can't be made: %v.", backups, err)
		}
	}
	if err := become(id.Uid, id.Gid); err != nil {
		return "", place("This command can't run as %s, the owner of %s: %v.", userName(id.Uid), dir, err)
	}
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrPermission) {
		return "", place("%s, the owner of %s, can't open it: a folder above it is closed to them. Open it (chmod go+x), or run the "+
			"command in a unit of that user.", userName(id.Uid), dir)
	}
	return userName(id.Uid), nil
}

// become gives up root for a user, for the whole process.
func become(uid, gid uint32) error {
	groups := []int{int(gid)}
	if u, err := user.LookupId(strconv.Itoa(int(uid))); err == nil {
		if ids, err := u.GroupIds(); err == nil {
			for _, id := range ids {
				if n, err := strconv.Atoi(id); err == nil && !slices.Contains(groups, n) {
					groups = append(groups, n)
				}
			}
		}
	}
	if err := syscall.Setgroups(groups); err != nil {
		return err
	}
	if err := syscall.Setgid(int(gid)); err != nil {
		return err
	}
	syscall.Umask(0o077)
	return syscall.Setuid(int(uid))
}

// userName is a user's name, or its number where it has none.
func userName(uid uint32) string {
	number := strconv.Itoa(int(uid))
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return "user " + number
}
