package faults_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/internal/store"
)

// demoFile is the part of demo.json that a client needs.
type demoFile struct {
	URL      string `json:"url"`
	Password string `json:"password"`
	APIKey   string `json:"api_key"`
	Users    []struct {
		Email string `json:"email"`
		Role  string `json:"role"`
	} `json:"users"`
}

// binary is the program as it is shipped, over one data folder and one port.
type binary struct {
	t    *testing.T
	path string
	data string
	port int
	disk *smallDisk // nil: on the machine's own
}

func theBinary(t *testing.T) *binary {
	t.Helper()
	path := os.Getenv("LIGHTBAR_BINARY")
	if path == "" {
		t.Skip("SKIPPED: set LIGHTBAR_BINARY to a built bin/lightbar (make build): the shipped program was NOT killed in this run")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return &binary{t: t, path: path, data: filepath.Join(t.TempDir(), "data"), port: port}
}

func (b *binary) command(port int) *exec.Cmd {
	args := b.disk.within(b.path, "demo", "--quiet", "--history", "0", "--data", b.data, "--listen", "localhost:"+strconv.Itoa(port))
	cmd := exec.Command(args[0], args[1:]...)
	for _, entry := range os.Environ() { // settings of the machine must not reach the server
		if !strings.HasPrefix(entry, "LIGHTBAR_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	return cmd
}

// run starts the program and waits until it is ready.
func (b *binary) run() (*process, demoFile) { return b.runUntil("/readyz") }

// runUntil starts the program and waits until it answers a path with 200.
func (b *binary) runUntil(path string) (*process, demoFile) {
	b.t.Helper()
	cmd := b.command(b.port)
	var said bytes.Buffer // read only after the process has ended
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	p := &process{cmd: cmd, url: "http://localhost:" + strconv.Itoa(b.port)}
	b.t.Cleanup(p.kill)
	deadline := time.Now().Add(time.Minute)
	for tick := time.NewTicker(10 * time.Millisecond); ; <-tick.C {
		if res, err := http.Get(p.url + path); err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(deadline) {
			p.kill()
			b.t.Fatalf("the program did not become ready:\n%s", said.String())
		}
	}
	var f demoFile
	text, err := os.ReadFile(b.disk.outside(filepath.Join(b.data, "demo.json")))
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	p.key = f.APIKey
	return p, f
}

// register makes the ledger's assets known, as a gateway does.
func (b *binary) register(p *process) {
	b.t.Helper()
	var rows []string
	for i := range assets {
		rows = append(rows, fmt.Sprintf(`{"haas_id":"A-%d","thing_type":"fire"}`, i))
	}
	post(b.t, p.url+"/api/ingest/assets", p.key, `{"things":[`+strings.Join(rows, ",")+`]}`, nil)
}

func post(t *testing.T, url, key, body string, into any) {
	t.Helper()
	status, text := call(t, http.MethodPost, url, key, body)
	if status != http.StatusOK {
		t.Fatalf("%s was answered %d", url, status)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
}

// traffic sends batches from several clients until their connection breaks or
// the server says that it stops. Batches without an acknowledgment come back.
type traffic struct {
	clients sync.WaitGroup
	mu      sync.Mutex
	lost    []batch
	strange []string // answers that no server in order gives
	begun   chan struct{}
}

type batch struct {
	body    []byte
	entries []string
}

func (l *ledger) traffic(p *process, clients, begunAfter int) *traffic {
	tr := &traffic{begun: make(chan struct{})}
	var once sync.Once
	left := begunAfter
	for range clients {
		tr.clients.Go(func() {
			for {
				body, entries := l.batch()
				status, answer := l.send(p, body, entries)
				tr.mu.Lock()
				if status != http.StatusOK {
					tr.lost = append(tr.lost, batch{body, entries})
					if status != 0 && status != http.StatusServiceUnavailable {
						tr.strange = append(tr.strange, fmt.Sprintf("%d %s", status, answer))
					}
					tr.mu.Unlock()
					return
				}
				if left--; left <= 0 {
					once.Do(func() { close(tr.begun) })
				}
				tr.mu.Unlock()
			}
		})
	}
	return tr
}

// end waits for the clients and answers the batches that nobody acknowledged.
func (tr *traffic) end(t *testing.T) []batch {
	t.Helper()
	tr.clients.Wait()
	if len(tr.strange) > 0 {
		t.Fatalf("answered %v", tr.strange)
	}
	return tr.lost
}

// compare reads the database as it lies, without changing it.
func (b *binary) compare(l *ledger) (stored int) {
	b.t.Helper()
	s, err := store.Open(b.t.Context(), store.Options{Path: filepath.Join(b.data, "lightbar.db"), ReadOnly: true})
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	list, err := store.ListAllThings(b.t.Context(), s.Reader())
	if err != nil {
		b.t.Fatal(err)
	}
	asset := map[int64]int{}
	for _, th := range list {
		if n, err := strconv.Atoi(strings.TrimPrefix(th.SystemName, "A-")); err == nil && strings.HasPrefix(th.SystemName, "A-") {
			asset[th.No] = n
		}
	}
	return l.compare(b.t, s, func(no int64) (int, bool) { n, ok := asset[no]; return n, ok })
}

// kill -9 on the shipped program at random moments under load: every
// acknowledged point is there, once.
//
// spec: D.wire.12 D.wire.13
func TestKillNineOnTheBinary(t *testing.T) {
	b := theBinary(t)
	cycles := 14
	if testing.Short() {
		cycles = 3
	}
	l := newLedger()
	var lost []batch
	broken := 0
	for cycle := range cycles {
		p, _ := b.run()
		if cycle == 0 {
			b.register(p)
		}
		for _, x := range lost {
			if status, answer := l.send(p, x.body, x.entries); status != http.StatusOK {
				t.Fatalf("a repeat was answered %d %s", status, answer)
			}
		}
		tr := l.traffic(p, 6, 20+rand.IntN(300))
		<-tr.begun
		p.kill()
		lost = tr.end(t)
		broken += len(lost)
	}
	if broken == 0 {
		t.Error("no answer was ever lost: the kills did not fall under load")
	}
	stored := b.compare(l)
	t.Logf("%d kills, %d batches without an answer, %d points acknowledged, %d stored", cycles, broken, len(l.acked), stored)
}

// A second server on the same data folder is refused with exit code 3 and
// leaves the first as it is.
func TestSecondServerOnTheBinary(t *testing.T) {
	b := theBinary(t)
	p, _ := b.run()
	b.register(p)
	var said bytes.Buffer
	second := b.command(0)
	second.Stderr = &said
	err := second.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(said.String(), "in use") {
		t.Fatalf("the second server: %v, %s", err, said.String())
	}
	l := newLedger()
	body, entries := l.batch()
	if status, answer := l.send(p, body, entries); status != http.StatusOK {
		t.Fatalf("the first server then answered %d %s", status, answer)
	}
}

// SIGTERM under load with an open socket: exit code 0, the socket is closed
// with a word, and nothing acknowledged is lost.
func TestTermUnderLoadOnTheBinary(t *testing.T) {
	b := theBinary(t)
	p, f := b.run()
	b.register(p)
	var token struct {
		AccessToken string `json:"access_token"`
	}
	body, err := json.Marshal(map[string]string{"grant_type": "password", "application": "dashboard", "username": f.Users[0].Email, "password": f.Password})
	if err != nil {
		t.Fatal(err)
	}
	post(t, p.url+"/api/user_token", "", string(body), &token)
	dialer := websocket.Dialer{Subprotocols: []string{"datapumper", token.AccessToken}, HandshakeTimeout: 10 * time.Second}
	socket, res, err := dialer.Dial(strings.Replace(p.url, "http", "ws", 1)+"/cable", nil)
	if err != nil {
		t.Fatalf("the socket: %v (%v)", err, res)
	}
	defer func() { _ = socket.Close() }()
	closed := make(chan error, 1)
	go func() {
		for {
			if _, _, err := socket.ReadMessage(); err != nil {
				closed <- err
				return
			}
		}
	}()
	l := newLedger()
	tr := l.traffic(p, 6, 200)
	<-tr.begun
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the end of the program: %v", err)
	}
	tr.end(t)
	var word *websocket.CloseError
	if err := <-closed; !errors.As(err, &word) || word.Code == websocket.CloseAbnormalClosure {
		t.Errorf("the socket ended without a word: %v", err)
	}
	stored := b.compare(l)
	t.Logf("%d points acknowledged, %d stored", len(l.acked), stored)
}
