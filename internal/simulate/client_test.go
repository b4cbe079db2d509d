package simulate

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// answering is a server that answers each path by its list of statuses, the last one for ever.
func answering(t *testing.T, statuses map[string][]int) (*Client, map[string]*atomic.Int64) {
	t.Helper()
	asked := map[string]*atomic.Int64{}
	for path := range statuses {
		asked[path] = &atomic.Int64{}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := statuses[r.URL.Path]
		n := int(asked[r.URL.Path].Add(1))
		w.WriteHeader(list[min(n, len(list))-1])
		_, _ = w.Write([]byte(`{"message": "as the test says"}`))
	}))
	t.Cleanup(s.Close)
	client := NewClient(s.URL, "key", 4)
	t.Cleanup(client.HTTP.CloseIdleConnections)
	return client, asked
}

const (
	ingestPath   = "/api/ingest"
	registerPath = "/api/ingest/assets"
)

func TestRegisteringIsTriedAgainWhenRefusedForTheMoment(t *testing.T) {
	for _, c := range []struct {
		statuses []int
		asked    int64
		status   int // of the error, 0 = none
	}{
		{[]int{503, 200}, 2, 0},
		{[]int{429, 401}, 2, 401},
		{[]int{403}, 1, 403},
	} {
		client, asked := answering(t, map[string][]int{registerPath: c.statuses})
		err := client.Register(t.Context(), []Asset{{HaasID: "A"}})
		var status *StatusError
		if got := errors.As(err, &status); got != (c.status != 0) || got && status.Status != c.status || asked[registerPath].Load() != c.asked {
			t.Errorf("%v: %v after %d requests", c.statuses, err, asked[registerPath].Load())
		}
	}
}

func TestRegisteringAtNobodyIsToldAtOnce(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := NewClient(s.URL, "key", 1).Register(ctx, []Asset{{HaasID: "A"}}); err == nil || ctx.Err() != nil {
		t.Errorf("got %v, %v", err, ctx.Err())
	}
}

// A key that is revoked ends the load at once, also when some connections have no asset to report.
func TestALoadEndsWithItsFirstRefusal(t *testing.T) {
	client, _ := answering(t, map[string][]int{registerPath: {200}, ingestPath: {200, 401}})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := Load(ctx, client, LoadOptions{Assets: 1, RateHz: 100, Duration: time.Hour, Clients: 4})
	var status *StatusError
	if !errors.As(err, &status) || status.Status != 401 || ctx.Err() != nil {
		t.Errorf("got %v, %v", err, ctx.Err())
	}
}
