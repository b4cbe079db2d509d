package feeds_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// dripping is a publisher that never comes to the end by itself: it says who asked, and who gave up.
type dripping struct {
	release      chan struct{}
	begun, ended chan string
}

func (d *dripping) at(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		whole := feedOf(workZone(q.URL.Path))
		_, _ = io.WriteString(w, whole[:40])
		_ = http.NewResponseController(w).Flush()
		d.begun <- q.URL.Path
		drip := time.NewTicker(20 * time.Millisecond)
		defer drip.Stop()
		for at := 40; ; at++ {
			select {
			case <-d.release:
				_, _ = io.WriteString(w, whole[at:])
				return
			case <-q.Context().Done():
				d.ended <- q.URL.Path
				return
			case <-drip.C:
				_, _ = io.WriteString(w, whole[at:at+1])
				_ = http.NewResponseController(w).Flush()
				if at > len(whole)-10 {
					drip.Stop()
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Four publishers that drip, of four organizations with two feeds each, hold the places for ten seconds
// once; then they wait apart, and the feeds of another organization come first. One organization's second
// slow feed is put off: nothing is said of it, and it is read when its turn comes.
func TestSlowPublishersHoldNobodysPlace(t *testing.T) {
	r := newReader(t, "wzdx")
	if _, err := r.Subscriptions.Edit(t.Context(), r.admin, r.id, 0, paused); err != nil {
		t.Fatal(err)
	}
	admin := r.admin
	slow := dripping{make(chan struct{}), make(chan string, 40), make(chan string, 40)}
	type of struct{ organization, feed string }
	drips := map[string]of{}
	for n := range 4 {
		r.admin = r.User(r.Organization(fmt.Sprint("Slow ", n)).ID, "administrator")
		for _, which := range []string{"a", "b"} {
			path := fmt.Sprintf("/%d%s", n, which)
			drips[path] = of{r.admin.OrganizationID, r.subscribe("wzdx", slow.at(t)+path)}
		}
	}
	var workers sync.WaitGroup
	work := func() {
		workers.Go(func() {
			if err := r.FetchFeeds(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	held := map[string]string{}
	for range 4 {
		work()
		path := <-slow.begun
		held[drips[path].organization] = path
	}
	if len(held) != 4 {
		t.Fatalf("not one of each: %v", held)
	}
	r.admin = admin
	asked := 0
	r.says(func(w http.ResponseWriter, q *http.Request) {
		asked++ // one worker asks
		_, _ = io.WriteString(w, feedOf(workZone(q.URL.Path)))
	})
	var good []string
	for n := range 3 {
		good = append(good, r.subscribe("wzdx", fmt.Sprintf("%s/good-%d", r.url, n)))
	}
	if err := r.FetchFeeds(t.Context()); err != nil || asked != 0 { // four places are taken, and nobody is slow yet
		t.Fatal(err, asked)
	}
	r.Pass(11 * time.Second)
	work()
	second := <-slow.begun // the same worker comes to another slow one only when the good ones are done
	if asked != 3 {
		t.Fatalf("%d good feeds were fetched before the fifth slow one", asked)
	}
	for _, r.id = range good {
		if row := r.row(); row.Status != fleet.FeedGood || row.Kept != 1 {
			t.Errorf("%+v", row)
		}
	}
	r.Pass(11 * time.Second)
	if due := r.row().NextFetchAt; due > r.At() {
		r.Pass(due.Sub(r.At()))
	}
	work() // the good ones again; the second one of its organization finds no place among the slow ones
	if path := <-slow.ended; path != second {
		t.Errorf("%s was put off, not %s", path, second)
	}
	r.admin, r.id = r.User(drips[second].organization, "administrator"), drips[second].feed
	if row := r.row(); len(row.Fetches) != 0 || row.Problem != nil {
		t.Errorf("something is said of what was put off: %+v", row)
	}
	close(slow.release)
	workers.Wait()
	if err := r.FetchFeeds(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, at := range drips {
		r.admin, r.id = r.User(at.organization, "administrator"), at.feed
		if row := r.row(); row.Status != fleet.FeedGood || row.Kept != 1 {
			t.Errorf("%s: %+v", path, row)
		}
	}
}
