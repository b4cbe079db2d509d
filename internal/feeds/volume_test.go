package feeds_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// big answers a feed of so many bytes or features without holding it, and notes the most memory in between.
func big(most *atomic.Int64, bytes, features int, one func(n int) string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"feed_info":{"publisher":"P","version":"4.2"},"type":"FeatureCollection","features":[`)
		for n := 0; bytes > 0 && n < features; n++ {
			text := one(n)
			if n > 0 {
				text = "," + text
			}
			sent, err := io.WriteString(w, text)
			if bytes -= sent; err != nil {
				return
			}
			if n%20_000 == 0 {
				most.Store(max(most.Load(), heapNow()))
			}
		}
		_, _ = io.WriteString(w, "]}")
	}
}

func heapNow() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A feed of 110 MB, and one of a million features: read with at most 64 MB more
// memory, and what is more than is taken is counted and loses nothing.
func TestFetchOfALargeFeed(t *testing.T) {
	if testing.Short() {
		t.Skip("volume")
	}
	r := newReader(t, "wzdx")
	for _, c := range []struct {
		what            string
		bytes, features int
		one             func(n int) string
		kept            int
	}{
		{"110 MB", 110 << 20, 1 << 30, func(n int) string {
			return workZone(fmt.Sprint("Z-", n), "[-75.5,39.7]", "[-75.5,39.7]"+strings.Repeat(",[-75.45,39.71]", 20))
		}, 5000},
		{"a million features", 1 << 30, 1_000_000, func(n int) string {
			return fmt.Sprintf(`{"type":"Feature","id":"Z-%d","properties":{"start_time":"2026-11-01"},"geometry":{"type":"Point","coordinates":[-75,39]}}`, n)
		}, 5000},
	} {
		var most atomic.Int64
		r.says(big(&most, c.bytes, c.features, c.one))
		runtime.GC()
		debug.FreeOSMemory()
		before := heapNow()
		row := r.fetch()
		more := (most.Load() - before) >> 20
		t.Logf("%s: %d features, %d MB more at most", c.what, row.Kept+row.Refused, more)
		if row.Kept != c.kept || row.Reasons["too_many"] != row.Refused || row.Status != "good" || len(r.closures()) != 5000 || more > 64 {
			t.Errorf("%s: %s, %d kept, %v, %d MB more", c.what, row.Status, row.Kept, row.Reasons, more)
		}
		if c.features == 1_000_000 && row.Kept+row.Refused != c.features {
			t.Errorf("%s: %d", c.what, row.Kept+row.Refused)
		}
	}
}

// While a server lets us wait, other feeds are fetched; it is asked once at a time.
func TestASlowFeedHoldsUpNoOther(t *testing.T) {
	r := newReader(t, "wzdx")
	r.text(feedOf(zonesUpTo(3)...))
	r.is("good", r.fetch(), "good - 3+0, 3 active")
	release, begun := make(chan struct{}), make(chan struct{})
	r.says(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/fast" {
			_, _ = io.WriteString(w, feedOf(workZone("F")))
			return
		}
		_, _ = io.WriteString(w, `{"features":[`)
		w.(http.Flusher).Flush()
		close(begun)
		<-release
		panic(http.ErrAbortHandler)
	})
	slow := r.id
	r.Pass(time.Minute)
	done := make(chan error, 1)
	go func() { done <- r.FetchFeeds(t.Context()) }()
	<-begun
	r.id = r.subscribe("wzdx", r.url+"/fast")
	if err := r.FetchFeeds(t.Context()); err != nil { // the other one is not fetched a second time
		t.Fatal(err)
	}
	r.is("the other", r.row(), "good - 1+0, 4 active")
	// Meanwhile somebody pauses it: what comes then counts no more.
	if _, err := r.Subscriptions.Edit(t.Context(), r.admin, slow, 0, wire.FeedSubscriptionWrite{IsActive: ref(false)}); err != nil {
		t.Fatal(err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.id = slow
	r.is("paused", r.row(), "off - 3+0, 1 active")
}

// Organizations take turns: one with many feeds that are due has two at a time at most.
func TestFeedsAreFairBetweenOrganizations(t *testing.T) {
	r := newReader(t, "wzdx")
	mu := make(chan struct{}, 1)
	var order []string
	for n := range 4 {
		r.subscribe("wzdx", fmt.Sprintf("%s/many-%d", r.url, n))
	}
	release, begun := make(chan struct{}), make(chan struct{}, 10)
	r.says(func(w http.ResponseWriter, q *http.Request) {
		mu <- struct{}{}
		order = append(order, q.URL.Path)
		<-mu
		if q.URL.Path != "/other" {
			begun <- struct{}{}
			<-release
		}
		_, _ = io.WriteString(w, feedOf(workZone(q.URL.Path)))
	})
	done := make(chan error, 3)
	for range 3 {
		go func() { done <- r.FetchFeeds(t.Context()) }()
	}
	<-begun
	<-begun
	if err := <-done; err != nil { // the third one found nothing that it might fetch
		t.Fatal(err)
	}
	other := r.Organization("Other")
	admin := r.admin
	r.admin = r.User(other.ID, "administrator")
	r.id = r.subscribe("wzdx", r.url+"/other")
	if err := r.FetchFeeds(t.Context()); err != nil {
		t.Fatal(err)
	}
	if row := r.row(); row.Status != fleet.FeedGood || row.Kept != 1 || len(order) != 3 {
		t.Errorf("%v: %+v", order, row)
	}
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if r.admin = admin; len(order) != 6 || len(r.closures()) != 5 {
		t.Errorf("%v", order)
	}
}
