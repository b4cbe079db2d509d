package backup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lightbar/internal/durable"
	"lightbar/internal/store/engine"
)

// inTheWay names all files that a restore does not replace: the database and its journals, of which a stale one would be played
// into the restored file, and what lies beside it and is not the backup's own.
func inTheWay(m Manifest, o engine.Options) (out []string) {
	if o.URL == "" {
		for _, rest := range []string{"", "-wal", "-shm", "-journal"} {
			if engine.Exists(o.Path + rest) {
				out = append(out, o.Path+rest)
			}
		}
	}
	for _, place := range o.Extras {
		name := filepath.Base(place)
		want, ok := m.More[name]
		if !engine.Exists(place) || !ok && name != AuditHeadName {
			continue // a key stays if the backup has none; a head is of the chain that is replaced
		}
		if have, _, err := digest(place); !ok || err != nil || have != want {
			out = append(out, place)
		}
	}
	return out
}

// alreadyThere names everything in the way at once.
func alreadyThere(files []string) error {
	if len(files) == 1 {
		return engine.Unusablef(nil, "%s is already there; move it away first, or restore with --aside, which does it.", files[0])
	}
	return engine.Unusablef(nil, "%s are already there; move them away first, or restore with --aside, which does it.",
		strings.Join(files, ", "))
}

// asideFiles are files that were moved, by the places they had.
type asideFiles []struct{ place, now string }

// clearWay moves files that are in the way into a new folder beside them, under their own names, so that the earlier database can
// be opened there with its journal. Without a name for the folder it refuses. If it fails halfway, it undoes what it did.
func clearWay(m Manifest, o engine.Options, aside string) (moved asideFiles, err error) {
	files := inTheWay(m, o)
	if aside == "" && len(files) > 0 {
		return nil, alreadyThere(files)
	}
	for _, place := range files {
		folder := filepath.Join(filepath.Dir(place), aside)
		if len(moved) == 0 {
			err = os.Mkdir(folder, 0o700) // one that is there has files of another restore
		}
		now := filepath.Join(folder, filepath.Base(place))
		if err == nil {
			err = durable.Rename(place, now)
		}
		if err != nil {
			return nil, errors.Join(engine.Unusablef(err, "%s cannot be moved to %s: %s", place, now, engine.Ending(err)), moved.back(nil))
		}
		moved = append(moved, struct{ place, now string }{place, now})
	}
	return moved, nil
}

// back undoes clearWay and removes what the restore made.
func (moved asideFiles) back(made []string) (err error) {
	for _, file := range made {
		err = errors.Join(err, os.Remove(file))
	}
	for _, f := range slices.Backward(moved) {
		if e := durable.Rename(f.now, f.place); e != nil {
			err = errors.Join(err, fmt.Errorf("%s cannot be moved back from %s: %w", f.place, f.now, e))
		}
	}
	if len(moved) > 0 {
		_ = os.Remove(filepath.Dir(moved[0].now)) // stays if something is still in it
	}
	return err
}
