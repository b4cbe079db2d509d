package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// demoInstallation is a closed folder with stations, assets and people in it.
func demoInstallation(t *testing.T) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errOut syncBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"demo", "--quiet", "--history", "0", "--data", data, "--listen", "localhost:0"}, &out, &errOut)
	}()
	for tick := time.NewTicker(10 * time.Millisecond); missing(filepath.Join(data, runFile)); {
		select {
		case code := <-ended:
			t.Fatalf("exit %d\n%s", code, errOut.String())
		case <-tick.C:
		}
	}
	cancel()
	if code := <-ended; code != exitOK {
		t.Fatalf("exit %d\n%s", code, errOut.String())
	}
	return data
}

// damagedCopy is the key and a database of those bytes in a folder of their own.
func damagedCopy(t *testing.T, key, file []byte) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{keyFile: key, "lightbar.db": file} {
		if err := os.WriteFile(filepath.Join(data, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// Rows and tables that a start needs and cannot read: one sentence, exit 3, the
// newest backup by name, and not a byte of the file is changed.
func TestWhatIsDamagedIsSaidAndLeftAlone(t *testing.T) {
	whole := demoInstallation(t)
	dir, _, _ := strings.Cut(lbOK(t, "backup", "--data", whole, "--to", filepath.Join(whole, "backups")), "\n")
	for words, statement := range map[string]string{
		"the setting live.saved_to cannot be read":       `INSERT INTO setting (name, value) VALUES ('live.saved_to', 'yesterday') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		"thing_state.at is missing":                      `DROP TABLE thing_state`,
		"app_user.email is missing":                      `ALTER TABLE app_user RENAME COLUMN email TO mail`,
		"index audit_organization is missing":            `DROP INDEX audit_organization`,
		"converting":                                     `UPDATE thing SET updated_at = 'soon' WHERE id = (SELECT MIN(id) FROM thing)`,
		"a row of point_intake cannot be read: number 9": `INSERT INTO point_intake (no, body) VALUES (9, x'02')`,
	} {
		t.Run(words, func(t *testing.T) {
			data := damagedCopy(t, read(t, filepath.Join(whole, keyFile)), read(t, filepath.Join(whole, "lightbar.db")))
			if err := os.Rename(filepath.Join(whole, "backups"), filepath.Join(data, "backups")); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.Rename(filepath.Join(data, "backups"), filepath.Join(whole, "backups")); err != nil {
					t.Fatal(err)
				}
			}()
			change(t, data, statement)
			path := filepath.Join(data, "lightbar.db")
			before := read(t, path)
			code, out, text := lb(t, "organization", "create", "Town", "--data", data)
			if code != exitPlace || !strings.HasPrefix(text, "lightbar: The database "+path+" is damaged (") || !strings.Contains(text, words) ||
				!strings.HasSuffix(text, "restore a backup with lightbar restore; the newest one here is "+filepath.Join(data, "backups", filepath.Base(dir))+".\n") ||
				strings.Count(text, "\n") != 1 || out != "" {
				t.Errorf("exit %d\n%s%s", code, out, text)
			}
			if !bytes.Equal(before, read(t, path)) {
				t.Error("the file was changed")
			}
		})
	}
}

// A row that a start reads and cannot is left out, and the log names it: one area must not cost all the others.
func TestARowThatCannotBeReadStopsNoStart(t *testing.T) {
	whole := demoInstallation(t)
	for column, statement := range map[string]string{
		"noun=area column=geometry": `UPDATE area SET geometry = '{"type":' WHERE id = (SELECT MIN(id) FROM area)`,
		"noun=area column=radius_m": `UPDATE area SET radius_m = 'big' WHERE id = (SELECT MIN(id) FROM area)`,
	} {
		t.Run(column, func(t *testing.T) {
			data := damagedCopy(t, read(t, filepath.Join(whole, keyFile)), read(t, filepath.Join(whole, "lightbar.db")))
			change(t, data, statement)
			code, _, text := lb(t, "organization", "create", "Town", "--data", data)
			noun, name, _ := strings.Cut(column, " ")
			if code != exitOK || !strings.Contains(text, "left out") || !strings.Contains(text, noun) || !strings.Contains(text, name) {
				t.Errorf("exit %d\n%s", code, text)
			}
		})
	}
}

// Any page overwritten: the start says so, in the same way, or works.
func TestPagesThatWereOverwritten(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in the short run: each page is a start of its own")
	}
	whole := demoInstallation(t)
	key, file := read(t, filepath.Join(whole, keyFile)), read(t, filepath.Join(whole, "lightbar.db"))
	page := int(file[16])<<8 | int(file[17])
	refusals := 0
	for at := 0; at < len(file); at += page {
		flipped := bytes.Clone(file)
		from := at + at/page%3*(page-64)/2 // its head, its middle or its end
		for i := from; i < from+64; i++ {
			flipped[i] ^= 0xA5
		}
		data := damagedCopy(t, key, flipped)
		code, out, text := lb(t, "organization", "create", fmt.Sprint("Town ", at), "--data", data)
		switch {
		case code == exitOK:
			continue // free, or of no use to a start
		case code != exitPlace || !strings.Contains(text, "The database "+filepath.Join(data, "lightbar.db")+" is damaged (") &&
			!strings.Contains(text, "is not a SQLite database") && !strings.Contains(text, "of another program") ||
			strings.Count(text, "\n") != 1 || out != "":
			t.Errorf("page %d: exit %d\n%s%s", at/page, code, out, text)
		case !bytes.Equal(flipped, read(t, filepath.Join(data, "lightbar.db"))):
			t.Errorf("page %d: the file was changed: %s", at/page, text)
		}
		refusals++
	}
	if t.Logf("%d of %d pages refused", refusals, len(file)/page); refusals < len(file)/page/3 {
		t.Errorf("only %d of %d", refusals, len(file)/page)
	}
}
