package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk is a file system of its own that programs started within see at a
// folder, and that this process reaches from outside.
type smallDisk struct {
	folder string
	holder *exec.Cmd
}

func newSmallDisk(t *testing.T, folder, size string) *smallDisk {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("unshare", "-Urm", "nsenter", "--version").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no private mounts here (unshare -Urm: %v %s), so the disk cannot be filled", err, out)
	}
	holder := exec.Command("unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o mode=700,size="$1" tmpfs "$0" && echo mounted && exec sleep 600`, folder, size)
	said, err := holder.StdoutPipe()
	if err == nil {
		err = holder.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = holder.Process.Kill()
		_ = holder.Wait()
	})
	if _, err := said.Read(make([]byte, 8)); err != nil {
		t.Fatalf("the small disk was not mounted: %v", err)
	}
	return &smallDisk{folder, holder}
}

// within is a command line that runs on this disk; of a nil disk the line itself.
func (d *smallDisk) within(args ...string) []string {
	if d == nil {
		return args
	}
	return append([]string{"nsenter", "-t", strconv.Itoa(d.holder.Process.Pid), "-U", "-m", "--preserve-credentials"}, args...)
}

// outside is where this process finds a file of the disk.
func (d *smallDisk) outside(path string) string {
	if d == nil {
		return path
	}
	return fmt.Sprintf("/proc/%d/root%s", d.holder.Process.Pid, path)
}

// fill takes all the room there is, up to the last block.
func (d *smallDisk) fill(t *testing.T) {
	t.Helper()
	f, err := os.OpenFile(d.outside(filepath.Join(d.folder, "filler")), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// call sends a JSON body and answers status and body.
func call(t *testing.T, method, url, token, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// While the disk is full people sign in, go on and sign out, because reading
// goes on; the stop is clean, the next start serves, and all goes on once
// there is room.
func TestPeopleSignInOnAFullDisk(t *testing.T) {
	b := theBinary(t)
	b.disk = newSmallDisk(t, filepath.Dir(b.data), "96m")
	p, f := b.run()
	b.register(p)
	b.disk.fill(t)
	l := newLedger()
	for full := false; !full; {
		body, entries := l.batch()
		status, said := l.send(p, body, entries)
		if full = status == http.StatusServiceUnavailable && strings.Contains(said, "storage_full"); !full && status != http.StatusOK {
			t.Fatalf("answered %d %s", status, said)
		}
	}
	if status, said := call(t, http.MethodPost, p.url+"/api/ingest/assets", p.key, `{"things":[{"haas_id":"NEW","thing_type":"fire"}]}`); !strings.Contains(said, "storage_full") {
		t.Errorf("registering: %d %s", status, said)
	}
	goIn := func(p *process) {
		t.Helper()
		for _, u := range f.Users[:4] {
			var pair struct {
				Access  string `json:"access_token"`
				Refresh string `json:"refresh_token"`
			}
			for _, body := range []string{
				fmt.Sprintf(`{"grant_type":"password","application":"dashboard","username":%q,"password":%q}`, u.Email, f.Password),
				`{"grant_type":"refresh_token","refresh_token":"REFRESH"}`,
			} {
				status, said := call(t, http.MethodPost, p.url+"/api/user_token", "", strings.ReplaceAll(body, "REFRESH", pair.Refresh))
				if err := json.Unmarshal([]byte(said), &pair); status != http.StatusOK || err != nil {
					t.Fatalf("%s on a full disk: %d %s", body[:40], status, said)
				}
			}
			if status, said := call(t, http.MethodGet, p.url+"/api/organization/things", pair.Access, ""); status != http.StatusOK {
				t.Errorf("the list of assets: %d %s", status, said)
			}
			if status, said := call(t, http.MethodPost, p.url+"/api/revoke_token", "", `{"token":"`+pair.Access+`"}`); status != http.StatusOK {
				t.Errorf("signing out: %d %s", status, said)
			}
			if status, _ := call(t, http.MethodGet, p.url+"/api/profile", pair.Access, ""); status != http.StatusUnauthorized {
				t.Errorf("signed out, still answered %d", status)
			}
		}
	}
	goIn(p)
	for end := time.Now().Add(time.Minute); ; { // its last answer holds for a second
		status, said := call(t, http.MethodGet, p.url+"/readyz", "", "")
		if status == http.StatusServiceUnavailable && strings.Contains(said, "The disk is full.") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("/readyz: %d %s", status, said)
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the stop: %v", err)
	}

	p, _ = b.runUntil("/livez")
	goIn(p)
	if err := os.Remove(b.disk.outside(filepath.Join(b.disk.folder, "filler"))); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		body, entries := l.batch()
		status, said := l.send(p, body, entries)
		if status == http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("there is room and it answers %d %s", status, said)
		}
	}
}
