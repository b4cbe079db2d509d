package provider_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/outbound"
	"lightbar/internal/provider"
)

var noon = time.Date(2026, 7, 14, 12, 0, 0, 0, time.UTC)

// clock is one that a test moves; server and client share it.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.at.Store(noon.UnixNano())
	return c
}

func (c *clock) now() time.Time       { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) pass(d time.Duration) { c.at.Add(int64(d)) }

// fake is what both providers of providertest have.
type fake interface {
	Account() provider.Account
	Outbound() *outbound.Client
	SetNow(now func() time.Time)
}

// client asks a fake, whose clock it shares.
func client(t *testing.T, kind string, f fake, c *clock, lights ...string) provider.Client {
	t.Helper()
	account := f.Account()
	account.Lights = lights
	f.SetNow(c.now)
	asks, err := provider.New(kind, account, provider.Options{Outbound: f.Outbound(), Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	return asks
}

// page asks for the next page, and lets its wait pass.
func page(t *testing.T, asks provider.Client, c *clock, cursor *string) []provider.Report {
	t.Helper()
	p, err := asks.Feed(t.Context(), *cursor)
	if err != nil {
		t.Fatal(err)
	}
	if p.Cursor == "" || len(p.Cursor) > 4096 || p.More != (p.Wait == 0) {
		t.Fatalf("%+v", p)
	}
	*cursor = p.Cursor
	c.pass(p.Wait)
	return p.Reports
}

// drain asks until nothing more is there.
func drain(t *testing.T, asks provider.Client, c *clock, cursor *string) (all []provider.Report) {
	t.Helper()
	for {
		p, err := asks.Feed(t.Context(), *cursor)
		if err != nil {
			t.Fatal(err)
		}
		*cursor, all = p.Cursor, append(all, p.Reports...)
		c.pass(p.Wait)
		if !p.More {
			return all
		}
	}
}

// problem is the error of a provider, with its reason and its wait.
func problem(t *testing.T, err error) provider.Error {
	t.Helper()
	var e *provider.Error
	if !errors.As(err, &e) || e.Message == "" {
		t.Fatalf("%v is no error of a provider", err)
	}
	return *e
}

func fed(asks provider.Client, t *testing.T, cursor string) error {
	t.Helper()
	_, err := asks.Feed(t.Context(), cursor)
	return err
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}
