package words_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/words"
)

// service is a fake of what3words: it answers as the real one does, and counts.
func service(t *testing.T, answer http.HandlerFunc) (*words.Client, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("X-Api-Key") != "secret" || strings.Contains(r.URL.String(), "secret") {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":{"code":"InvalidKey","message":"Authentication failed; invalid API key"}}`))
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return &words.Client{Key: "secret", Address: s.URL}, &asked
}

func say(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestWordsAreAskedOnceAnHour(t *testing.T) {
	var at string
	c, asked := service(t, func(w http.ResponseWriter, r *http.Request) {
		at = r.URL.Query().Get("coordinates")
		say(200, `{"country":"GB","words":"filled.count.soap","language":"en"}`)(w, r)
	})
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	c.Now = func() time.Time { return now }
	for range 3 {
		if got, err := c.At(t.Context(), 51.5208470001, -0.195521); err != nil || got != "filled.count.soap" {
			t.Fatal(got, err)
		}
	}
	if asked.Load() != 1 || at != "51.520847,-0.195521" {
		t.Errorf("asked %d times, for %s", asked.Load(), at)
	}
	now = now.Add(time.Hour)
	if _, err := c.At(t.Context(), 51.520847, -0.195521); err != nil || asked.Load() != 2 {
		t.Errorf("after an hour: asked %d times, %v", asked.Load(), err)
	}
}

func TestKnownFaults(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"quota":     {say(402, `{"error":{"code":"QuotaExceeded"}}`), `402 "QuotaExceeded"`},
		"too often": {say(429, `{"error":{"code":"TooManyRequests"}}`), "429"},
		"broken":    {say(500, `<html>`), "500"},
		"malformed": {say(200, `{"words": `), "not JSON"},
		"no words":  {say(200, `{"words":"<script>.a.b"}`), "no three words"},
		"empty":     {say(200, `{}`), "no three words"},
		"endless":   {say(200, `{"words":"`+strings.Repeat("a", 1<<20)), "not JSON"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/", http.StatusFound)
		}, "302"},
	} {
		client, _ := service(t, c.answer)
		got, err := client.At(t.Context(), 1, 2)
		if !errors.Is(err, words.ErrUnreachable) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	client, _ := service(t, say(200, `{"words":"a.b.c"}`))
	client.Key = "wrong"
	if _, err := client.At(t.Context(), 1, 2); !errors.Is(err, words.ErrUnreachable) || !strings.Contains(err.Error(), `401 "InvalidKey"`) {
		t.Errorf("wrong key: %v", err)
	}
}

// A service that does not answer is given up with the caller, and says nothing of where somebody looked.
func TestNoAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client, _ := service(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	if _, err := client.At(ctx, 39.7447, -75.5484); !errors.Is(err, words.ErrUnreachable) || strings.Contains(err.Error(), "39.7447") {
		t.Errorf("%v", err)
	}
}
