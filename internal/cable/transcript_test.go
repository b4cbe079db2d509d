package cable

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// Each transcript is a play: lines with a verb are carried out, lines "NAME < …"
// are what the named client received since the line before. Verbs:
//
//	NAME connect TOKEN [deflate|origin=…]   open a socket (HTTP status when refused)
//	NAME > JSON                             send a frame; A, B and X stand for organizations, EPOCH for the epoch
//	NAME pings                              how many pings came since the last question
//	NAME close                              close properly
//	publish TYPE KEY N ORG[,ORG]            an event, which waits for the next frame
//	wait DURATION                           let time pass
//	end SESSION | access USER | revoke SESSION | forbid SESSION PERMISSION | break | mend
//	drain                                   the server stops
//
// spec: 7.stream.01 7.stream.02 7.stream.04 4.stream.01 D.ws.01 D.ws.02 D.ws.03 D.ws.04
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = play(t, string(want)) })
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("the play went otherwise (-update writes it anew):\n%s", firstDifference(string(want), got))
			}
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := 0; ; i++ {
		a, b := lineAt(w, i), lineAt(g, i)
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// player carries out a play.
type player struct {
	t       *testing.T
	rig     *rig
	clients map[string]*client
	names   []string
	out     strings.Builder
}

func play(t *testing.T, text string) string {
	p := &player{t: t, rig: newRig(t, nil), clients: map[string]*client{}}
	defer p.rig.close()
	time.Sleep(100 * time.Millisecond) // never at the instant of a tick
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if _, answer, ok := strings.Cut(line, " < "); ok && answer != "" {
			continue
		}
		p.out.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p.step(line)
		synctest.Wait()
		p.received()
	}
	return p.out.String()
}

var (
	afterPattern = regexp.MustCompile(`"after":\d+`)
	verbPattern  = regexp.MustCompile(`^(\w+) (connect|>|pings|close)( .*)?$`)
)

// received writes down what every client has got.
func (p *player) received() {
	for _, name := range p.names {
		for _, line := range p.clients[name].take() {
			line = strings.ReplaceAll(line, p.rig.bus.Epoch(), "EPOCH")
			line = afterPattern.ReplaceAllStringFunc(line, p.checkAfter)
			line = strings.NewReplacer(orgA, "A", orgB, "B", orgX, "X").Replace(line)
			p.say(name, line)
		}
	}
}

func (p *player) say(name, line string) { p.out.WriteString(name + " < " + line + "\n") }

// checkAfter holds the jitter against its bounds and hides its value.
func (p *player) checkAfter(s string) string {
	ms, err := strconv.ParseInt(strings.TrimPrefix(s, `"after":`), 10, 64)
	if err != nil || ms < 0 || ms > restartJitterMs {
		p.t.Errorf("after %s, want 0 to %d ms", s, restartJitterMs)
	}
	return `"after":JITTER`
}

func (p *player) step(line string) {
	if m := verbPattern.FindStringSubmatch(line); m != nil {
		p.clientStep(m[1], m[2], strings.TrimSpace(m[3]))
		return
	}
	f := strings.Fields(line)
	switch f[0] {
	case "publish":
		n, _ := strconv.Atoi(f[3])
		orgs := strings.Split(strings.NewReplacer("A", orgA, "B", orgB, "X", orgX).Replace(f[4]), ",")
		p.rig.publish(fleet.MessageType(f[1]), f[2], n, orgs...)
	case "wait":
		d, err := time.ParseDuration(f[1])
		if err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(d)
	case "end":
		p.rig.dir.end(f[1])
		p.rig.bus.EndSession(f[1])
	case "revoke": // without a nudge: found by the check
		p.rig.dir.end(f[1])
	case "access":
		p.rig.bus.AccessChanged(f[1], "")
	case "forbid":
		p.rig.dir.change(f[1], func(a *access.Actor) {
			kept := map[string]bool{}
			for k := range a.Permissions {
				kept[k] = k != f[2]
			}
			a.Permissions = kept
		})
	case "unreach":
		p.rig.dir.change(f[1], func(a *access.Actor) { a.Organizations = map[string]access.Reach{orgA: access.Full} })
	case "break", "mend":
		p.rig.dir.mu.Lock()
		p.rig.dir.broken = f[0] == "break"
		p.rig.dir.mu.Unlock()
	case "drain":
		p.rig.close()
	default:
		p.t.Fatalf("no such verb: %s", line)
	}
}

func (p *player) clientStep(name, verb, rest string) {
	switch verb {
	case "connect":
		d := dialing{}
		for i, f := range strings.Fields(rest) {
			switch {
			case i == 0:
				d.token = f
			case f == "deflate":
				d.deflate = true
			default:
				d.origin = strings.TrimPrefix(f, "origin=")
			}
		}
		c, response, err := p.rig.dial(d)
		if err != nil {
			if response == nil {
				p.t.Fatalf("%s: %v", name, err)
			}
			p.say(name, "refused "+response.Status)
			return
		}
		if p.clients[name] == nil {
			p.names = append(p.names, name)
		}
		p.clients[name] = c
		p.say(name, "opened with "+response.Header.Get("Sec-Websocket-Protocol"))
	case ">":
		text := strings.NewReplacer(`\"A\"`, `\"`+orgA+`\"`, `\"B\"`, `\"`+orgB+`\"`, `\"X\"`, `\"`+orgX+`\"`,
			`"events/A"`, `"events/`+orgA+`"`, `"events/B"`, `"events/`+orgB+`"`, "EPOCH", p.rig.bus.Epoch()).Replace(rest)
		p.clients[name].send(p.t, text)
	case "pings":
		c := p.clients[name]
		c.mu.Lock()
		n := len(c.pings)
		c.pings = nil
		c.mu.Unlock()
		p.say(name, fmt.Sprintf("%d pings", n))
	case "close":
		_ = p.clients[name].conn.WriteMessage(8, []byte{0x03, 0xe8})
	}
}
