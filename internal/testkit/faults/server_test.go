// Package faults_test kills an ingest server, fills its disk, and holds a
// client's ledger of acknowledged points against what is stored.
package faults_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
	"lightbar/internal/work"
)

// The test binary is its own server: started again with this set to a folder.
const folderEnv = "LIGHTBAR_FAULTS_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(folderEnv); folder != "" {
		if err := serve(folder); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const assets = 20

// serve runs ingest over the database of a folder until it is killed. It
// prints "ready ADDRESS KEY ORGANIZATION".
func serve(folder string) error {
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(folder, "lightbar.db"), BallastBytes: 1 << 20, WatchEvery: 200 * time.Millisecond, Log: log})
	if err != nil {
		return err
	}
	picture := live.New(s, live.Options{Now: time.Now, NewID: app.NewID, Log: log})
	if err := picture.Load(ctx); err != nil {
		return err
	}
	a := app.New(app.Options{
		Base:      record.Base{Store: s, Live: picture, Log: log, Now: time.Now, NewID: app.NewID, ServerKey: make([]byte, 32)},
		PublicURL: "http://localhost",
	})
	organization, key, err := seed(ctx, a, filepath.Join(folder, "seed.json"))
	if err != nil {
		return err
	}
	work.Start(ctx, log, work.Tasks(a))
	mux := http.NewServeMux()
	mux.Handle("/api/", device.New(a, device.Options{}))
	mux.HandleFunc("GET /things", func(w http.ResponseWriter, r *http.Request) {
		actor := access.System()
		rows, _, err := a.ListThings(r.Context(), actor, app.ThingQuery{OrganizationIDs: []string{organization}})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(rows)
	})
	mux.HandleFunc("GET /points", func(w http.ResponseWriter, r *http.Request) {
		n, err := s.CountPoints(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, n)
	})
	mux.HandleFunc("POST /free", func(w http.ResponseWriter, _ *http.Request) { _ = os.Remove(filepath.Join(folder, "filler")) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("ready", l.Addr(), key, organization)
	return http.Serve(l, mux)
}

// seed fills a new database once; the key of it is kept beside.
func seed(ctx context.Context, a *app.App, file string) (organization, key string, err error) {
	var kept [2]string
	if b, err := os.ReadFile(file); err == nil {
		err = json.Unmarshal(b, &kept)
		return kept[0], kept[1], err
	}
	o, err := a.CreateOrganization(ctx, access.System(), fleet.Organization{Name: "Faults", Timezone: "UTC", CountryCode: "US", TypeName: "fire",
		EventWording: "default"})
	if err != nil {
		return "", "", err
	}
	rows := make([]app.NewThing, assets)
	for i := range rows {
		rows[i] = app.NewThing{OrganizationID: o.ID, SystemName: fmt.Sprintf("A-%d", i), Type: "fire"}
	}
	if _, err := a.RegisterThings(ctx, access.System(), rows); err != nil {
		return "", "", err
	}
	_, key, err = a.CreateKey(ctx, access.System(), wire.KeyCreate{OrganizationID: wire.ID(o.ID), Description: "faults", Scopes: access.AllScopes()})
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal([2]string{o.ID, key})
	if err != nil {
		return "", "", err
	}
	return o.ID, key, os.WriteFile(file, b, 0o600)
}

// process is a server in a process of its own.
type process struct {
	cmd               *exec.Cmd
	url, key, ownerID string
}

// start runs the server over a folder; wrap may put a command in front.
func start(t *testing.T, folder string, wrap ...string) (*process, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(wrap, self)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), folderEnv+"="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) != 4 || words[0] != "ready" {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, fmt.Errorf("the server said %q (%v)", line, err)
	}
	p.url, p.key, p.ownerID = "http://"+words[1], words[2], words[3]
	t.Cleanup(p.kill)
	return p, nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // SIGKILL
	_ = p.cmd.Wait()
}
