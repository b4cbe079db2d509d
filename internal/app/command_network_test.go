package app_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// rank is how far a command is; nothing leaves the last ones.
var rank = map[string]int{"accepted": 0, "sent": 1, "delivered": 2, "failed": 3, "expired": 4}

// hostile is a server, its people, and a device behind a network that loses, repeats, and delays.
type hostile struct {
	*apptest.Kit
	t        *rapid.T
	user     *access.Actor
	key      *access.Actor
	id, name string
	other    *access.Actor // the key of another asset

	presses map[string]wire.Commanded // by their keys
	told    map[string]string         // the last state of each command
	words   []deviceWord              // what the device said at some time: any of it may come again
	done    map[string]bool           // executed
	said    map[string]bool           // that the device said delivered in time, and it arrived
}

type deviceWord struct {
	id   string
	word fleet.CommandWord
}

func (h *hostile) press(key string, light string) {
	var made wire.Commanded
	var err error
	if light == "" {
		made, err = h.ToggleTestMode(h.t.Context(), h.user, h.id, key)
	} else {
		made, err = h.SetLightIntensity(h.t.Context(), h.user, h.id, key, light)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	if before, again := h.presses[key]; again {
		if before.Command.ID != made.Command.ID || light == "" && before.TestMode != made.TestMode {
			h.t.Fatalf("a repeat answers %+v, not %+v", made, before)
		}
		return
	}
	if made.Command.Status != "accepted" {
		h.t.Fatalf("a new command is %s", made.Command.Status)
	}
	h.presses[key] = made
}

// poll fetches; if the answer arrives, the device does what it is told and keeps its word to send.
func (h *hostile) poll(arrives, fails bool) {
	found, err := h.CommandsForKey(h.t.Context(), h.key, h.name)
	if err != nil {
		h.t.Fatal(err)
	}
	for i, c := range found {
		if c.ExpiresAt <= h.At() || c.LeftMs <= 0 || c.Status != "sent" || c.ThingID != h.id {
			h.t.Fatalf("handed out at %s: %+v", h.At(), c)
		}
		if i > 0 && found[i-1].ID >= c.ID {
			h.t.Fatalf("a newer command before an older one: %v", found)
		}
		if !arrives || h.done[c.ID] {
			continue
		}
		h.done[c.ID] = true
		word := fleet.CommandWord{Status: "delivered", At: h.At()}
		if fails {
			word.Status, word.Message = "failed", "no indicator"
		}
		h.words = append(h.words, deviceWord{c.ID, word})
	}
}

func (h *hostile) say(w deviceWord, by *access.Actor) {
	heard, err := h.AcknowledgeCommand(h.t.Context(), by, w.id, w.word)
	if by == h.other {
		if refusedAs(err) != "command_unknown" {
			h.t.Fatalf("another asset's key acknowledges: %v, %v", heard, err)
		}
		return
	}
	if err != nil {
		h.t.Fatal(err)
	}
	before := h.told[w.id]
	switch heard.Status {
	case "delivered", "failed":
		if heard.Status != w.word.Status || before != "sent" {
			h.t.Fatalf("%s became %s by %+v", before, heard.Status, w.word)
		}
		h.said[w.id] = heard.Status == "delivered"
	case "late":
		if before == "delivered" || before == "failed" {
			h.t.Fatalf("late after %s", before)
		}
	case "duplicate":
		if before != "delivered" && before != "failed" {
			h.t.Fatalf("duplicate after %s", before)
		}
	}
}

func (h *hostile) restart(s *store.Store) {
	if err := h.StopIngest(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	h.Open(s, live.Options{})
}

// check holds what is told now against what was told before.
func (h *hostile) check(clockRan bool) {
	rows, _, err := h.ListThingCommands(h.t.Context(), h.user, app.CommandQuery{ThingID: h.id})
	if err != nil {
		h.t.Fatal(err)
	}
	open := map[bool]int{}
	newestTest := ""
	for _, c := range rows {
		if before, known := h.told[c.ID]; known && before != c.Status && (rank[c.Status] < rank[before] || rank[before] >= 2) {
			h.t.Fatalf("%s was %s and is %s", c.ID, before, c.Status)
		}
		h.told[c.ID] = c.Status
		if c.Status == "delivered" && !(h.done[c.ID] && h.said[c.ID]) {
			h.t.Fatalf("%s is delivered without the device's word", c.ID)
		}
		if rank[c.Status] < 2 {
			open[c.Type == "light_intensity"]++
			if clockRan && c.ExpiresAt <= h.At() {
				h.t.Fatalf("%s is %s after its end", c.ID, c.Status)
			}
		}
		if newestTest == "" && c.Type != "light_intensity" {
			newestTest = c.Type + " " + c.Status
		}
	}
	if len(rows) != len(h.presses)+h.ends(rows) || open[true] > 1 || open[false] > 1 {
		h.t.Fatalf("%d presses, open %v: %+v", len(h.presses), open, rows)
	}
	t, _, _, _ := h.Live.Thing(h.id)
	want := newestTest == "r2r_test accepted" || newestTest == "r2r_test sent" || newestTest == "r2r_test delivered"
	if t.TestMode != want {
		h.t.Fatalf("test mode is %v after %q", t.TestMode, newestTest)
	}
	var stored bool
	err = h.Store.Reader().QueryRowContext(h.t.Context(), "SELECT test_mode FROM thing WHERE id = $1", h.id).Scan(&stored)
	if err != nil || stored != t.TestMode {
		h.t.Fatalf("the row says test mode %v: %v", stored, err)
	}
}

// ends counts what the clock issued.
func (h *hostile) ends(rows []wire.DeviceCommand) (n int) {
	for _, c := range rows {
		if c.IssuedBy.Kind == "system" {
			n++
		}
	}
	return n
}

// Whatever a network loses, repeats and delays, and whenever the server starts
// anew: no command is delivered without the device's word, none is handed out
// after its end, its state never goes back, and no real alert stays hidden behind a test that was not sent.
//
// spec: 4.test.01 4.test.02 5.device.03
func TestCommandsOverAHostileNetwork(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		n := 0
		rapid.Check(t, func(rt *rapid.T) {
			n++
			org := k.Organization(fmt.Sprintf("Engines %d", n))
			made := k.Things(org.ID, "HA7", 2)
			h := &hostile{Kit: k, t: rt, user: k.User(org.ID, "administrator"), key: k.Device(org.ID), id: made[0].ID, name: made[0].HaasID,
				presses: map[string]wire.Commanded{}, told: map[string]string{}, done: map[string]bool{}, said: map[string]bool{}}
			h.other = k.Device(org.ID)
			h.other.KeyThingID = made[1].ID
			if _, err := k.RecordPoints(rt.Context(), h.key, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: h.name, At: k.At()}}}); err != nil {
				rt.Fatal(err)
			}
			for range rapid.IntRange(1, 25).Draw(rt, "steps") {
				clockRan := false
				switch what := rapid.IntRange(0, 10).Draw(rt, "step"); what {
				case 0, 1:
					h.press(fmt.Sprintf("press-%d-%d", n, len(h.presses)), "")
				case 2:
					h.press(fmt.Sprintf("press-%d-%d", n, len(h.presses)), "low")
				case 3: // sent again
					for _, key := range slices.Sorted(maps.Keys(h.presses)) {
						light := ""
						if h.presses[key].Command.Type == "light_intensity" {
							light = "low"
						}
						h.press(key, light)
					}
				case 4, 5:
					h.poll(rapid.Bool().Draw(rt, "arrives"), rapid.Bool().Draw(rt, "fails"))
				case 6, 7:
					if len(h.words) > 0 {
						w := rapid.SampledFrom(h.words).Draw(rt, "word")
						h.say(w, rapid.SampledFrom([]*access.Actor{h.key, h.key, h.other}).Draw(rt, "key"))
					}
				case 8:
					k.Pass(time.Duration(rapid.IntRange(1, 45).Draw(rt, "seconds")) * time.Second)
				case 9:
					h.restart(s)
				default:
					if rapid.IntRange(0, 9).Draw(rt, "hour") == 0 {
						k.Pass(61 * time.Minute)
						if _, err := k.RecordPoints(rt.Context(), h.key, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: h.name, At: k.At()}}}); err != nil {
							rt.Fatal(err)
						}
					}
					if err := k.RunCommands(rt.Context()); err != nil {
						rt.Fatal(err)
					}
					clockRan = true
				}
				h.check(clockRan)
			}
		})
	})
}

// refusedAs is the code of a refusal; "" = it is none.
func refusedAs(err error) string {
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}
