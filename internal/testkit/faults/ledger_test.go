package faults_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// ledger is the client's own book: what was sent, and what the server has acknowledged.
type ledger struct {
	mu    sync.Mutex
	next  [assets]int64
	sent  map[string]bool
	acked map[string]bool
}

func newLedger() *ledger {
	l := &ledger{sent: map[string]bool{}, acked: map[string]bool{}}
	for i := range l.next {
		l.next[i] = time.Now().Add(-time.Hour).UnixMilli()
	}
	return l
}

func entry(asset int, at int64) string { return fmt.Sprintf("%d %d", asset, at) }

// batch makes 20 new points and enters them as sent.
func (l *ledger) batch() (body []byte, entries []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b bytes.Buffer
	b.WriteString(`{"items":[`)
	for i := range 20 {
		asset := rand.IntN(assets)
		l.next[asset]++
		at := l.next[asset]
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"point","asset":"A-%d","at":%q,"lat":39.7,"lng":-75.5,"alerting":%t}`, asset, fleet.Instant(at).String(), asset%2 == 0)
		e := entry(asset, at)
		l.sent[e] = true
		entries = append(entries, e)
	}
	b.WriteString(`]}`)
	return b.Bytes(), entries
}

// send posts a batch; ok when the server acknowledged it, status 0 when the connection broke.
func (l *ledger) send(p *process, body []byte, entries []string) (status int, answer string) {
	req, _ := http.NewRequest(http.MethodPost, p.url+"/api/ingest", bytes.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+p.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	if res.StatusCode == http.StatusOK {
		l.mu.Lock()
		for _, e := range entries {
			l.acked[e] = true
		}
		l.mu.Unlock()
	}
	return res.StatusCode, string(b)
}

// check opens the database and compares: nothing acknowledged is missing,
// nothing is there twice, nothing is there that was not sent.
func (l *ledger) check(t *testing.T, folder string) (stored int) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(folder, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	return l.compare(t, s, func(no int64) (int, bool) { return int(no - 1), true })
}

// compare is check on an open database; asset tells which of ours a stored number is.
func (l *ledger) compare(t *testing.T, s *store.Store, asset func(no int64) (int, bool)) (stored int) {
	t.Helper()
	there := map[string]int{}
	if err := points.EachReport(t.Context(), s.Reader(), 0, 0, func(points []fleet.Point, _ []fleet.Signal) {
		for _, p := range points {
			if n, ours := asset(p.ThingNo); ours {
				there[entry(n, int64(p.At))]++
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	missing, twice, foreign := 0, 0, 0
	for e := range l.acked {
		if there[e] == 0 {
			missing++
		}
	}
	for e, n := range there {
		if n > 1 {
			twice++
		}
		if !l.sent[e] {
			foreign++
		}
	}
	if missing+twice+foreign > 0 {
		t.Errorf("of %d acknowledged points %d are missing; %d are there twice, %d were never sent", len(l.acked), missing, twice, foreign)
	}
	return len(there)
}

// kill -9 under load, many cycles: none missing, none twice. Batches whose
// answer was lost are sent again, as devices do.
//
// spec: D.wire.12 D.wire.13
func TestKillNine(t *testing.T) {
	cycles := 25
	if testing.Short() {
		cycles = 4
	}
	folder := t.TempDir()
	l := newLedger()
	type lost struct {
		body    []byte
		entries []string
	}
	var again []lost
	for range cycles {
		p, err := start(t, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range again {
			if status, answer := l.send(p, b.body, b.entries); status != http.StatusOK {
				t.Fatalf("a repeat was answered %d %s", status, answer)
			}
		}
		again = nil
		before := len(l.acked)
		var clients sync.WaitGroup
		var mu sync.Mutex
		enough := make(chan struct{})
		var once sync.Once
		for range 4 {
			clients.Go(func() {
				for {
					body, entries := l.batch()
					status, _ := l.send(p, body, entries)
					l.mu.Lock()
					n := len(l.acked) - before
					l.mu.Unlock()
					if n > 2000 {
						once.Do(func() { close(enough) })
					}
					if status != http.StatusOK {
						mu.Lock()
						again = append(again, lost{body, entries})
						mu.Unlock()
						return
					}
				}
			})
		}
		<-enough
		p.kill() // in the middle of whatever it does
		clients.Wait()
	}
	if len(again) == 0 {
		t.Error("no answer was ever lost: the kills did not fall under load")
	}
	stored := l.check(t, folder)
	t.Logf("%d cycles, %d points acknowledged, %d stored", cycles, len(l.acked), stored)
	sameAfterRestart(t, folder, l)
}

// sameAfterRestart: every asset shows its newest stored point.
func sameAfterRestart(t *testing.T, folder string, l *ledger) {
	t.Helper()
	p, err := start(t, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	newest := map[string]fleet.Instant{}
	for e := range l.acked {
		var asset int
		var at int64
		if _, err := fmt.Sscan(e, &asset, &at); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("A-%d", asset)
		newest[name] = max(newest[name], fleet.Instant(at))
	}
	for _, th := range things(t, p) {
		if th.At < newest[th.HaasID] {
			t.Errorf("%s shows %v, its newest acknowledged point is of %v", th.HaasID, th.At, newest[th.HaasID])
		}
	}
}

type shown struct {
	HaasID string        `json:"haas_id"`
	At     fleet.Instant `json:"at"`
}

func things(t *testing.T, p *process) (rows []shown) {
	t.Helper()
	res, err := http.Get(p.url + "/things")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(&rows); err != nil || len(rows) != assets {
		t.Fatalf("%d assets, %v", len(rows), err)
	}
	return rows
}

func countPoints(t *testing.T, p *process) (n int) {
	t.Helper()
	res, err := http.Get(p.url + "/points")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := fmt.Fscan(res.Body, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A full disk: refusal in words with Retry-After, reading goes on, and after
// room is made ingest goes on without a restart.
//
// spec: D.ingest.05
func TestDiskFull(t *testing.T) {
	folder := t.TempDir()
	mount := []string{"unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o size=16m tmpfs "$0" && head -c 6000000 /dev/zero > "$0/filler" && exec "$@"`, folder}
	if out, err := exec.Command("unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o size=1m tmpfs "$0"`, folder).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no private mounts here (unshare -Urm: %v %s), so the disk cannot be filled", err, out)
	}
	p, err := start(t, folder, mount...)
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger()
	refused := 0
	var answer string
	for i := 0; i < 20_000 && refused == 0; i++ {
		body, entries := l.batch()
		status, said := l.send(p, body, entries)
		switch status {
		case http.StatusOK:
		case http.StatusServiceUnavailable:
			refused, answer = status, said
		default:
			t.Fatalf("answered %d %s", status, said)
		}
	}
	if refused == 0 || !strings.Contains(answer, `"storage_full"`) {
		t.Fatalf("the disk was never full: %s", answer)
	}
	was := things(t, p) // reading goes on
	res, err := http.Post(p.url+"/free", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	deadline := time.Now().Add(time.Minute)
	for {
		body, entries := l.batch()
		status, said := l.send(p, body, entries)
		if status == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("room was made, still answered %d %s", status, said)
		}
	}
	for i, th := range things(t, p) {
		if th.At < was[i].At {
			t.Errorf("%s went back", th.HaasID)
		}
	}
	if n := countPoints(t, p); n != len(l.acked) {
		t.Errorf("%d points acknowledged, %d stored", len(l.acked), n)
	}
	t.Logf("%d points acknowledged around a full disk", len(l.acked))
}
