// Package durable writes small files completely or not at all, so that they
// survive a power cut. A file's bytes are safe only after the file is synced,
// and its name only after its folder is synced.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts b at path with mode 0600, in place of a file that is there. When
// it returns nil, content and name are on the disk. After an error, or a crash
// at any moment, the earlier file is as it was. Two must not write one file at a time.
func Write(path string, b []byte) error {
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // what a crash left is taken up
	if err != nil {
		return err
	}
	return place(f, b, func(temp string) error { return Rename(temp, path) })
}

// Create is Write where there must be no file yet, else fs.ErrExist; of two at
// a time one wins.
func Create(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	return place(f, b, func(temp string) error {
		if err := os.Link(temp, path); err != nil {
			return err
		}
		return errors.Join(os.Remove(temp), SyncFolder(filepath.Dir(path)))
	})
}

func place(f *os.File, b []byte, move func(temp string) error) error {
	_, err := f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = move(f.Name())
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Rename moves a file whose content is synced, and syncs the folder of its new name.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(to))
}

// Sync puts a file's content on the disk. Its name takes SyncFolder.
func Sync(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncFolder puts the names in a folder on the disk.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil // a file system that knows no such thing
	}
	return errors.Join(err, d.Close())
}

// MakeFolder makes a folder (mode 0700) and those above it that are missing,
// each with its name on the disk. One that is there is left as it is.
func MakeFolder(dir string) error {
	_, err := os.Stat(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o700) // which says when it is no folder
	}
	above := filepath.Dir(dir)
	if err := MakeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncFolder(above)
}
