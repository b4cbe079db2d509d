package provider

import (
	"bufio"
	"context"
	"strings"
	"time"
)

// Decoders read an answer's text as the clients do: those of feeds answer a page, those of lists vehicles.
var Decoders = map[string]func(ctx context.Context, code int, text string) (any, error){
	"Geotab's feed":      func(ctx context.Context, code int, text string) (any, error) { return geotabPage(ctx, code, text) },
	"Geotab's devices":   func(ctx context.Context, code int, text string) (any, error) { return geotabList(ctx, code, text) },
	"Samsara's feed":     func(ctx context.Context, code int, text string) (any, error) { return samsaraFeed(ctx, code, text) },
	"Samsara's vehicles": func(ctx context.Context, code int, text string) (any, error) { return samsaraList(ctx, code, text) },
}

func tested() api {
	return api{account: Account{Secret: "secret", Lights: []string{"Emergency Lights", "DiagnosticAux1Id"}}, now: time.Now}
}

// heardText is an answer as ask would hand it on.
func heardText(a *api, code int, text string, read func(*answer) error) error {
	err := read(&answer{code: code, body: bufio.NewReaderSize(strings.NewReader(text), 16<<10)})
	if cut, ok := err.(*brokenJSON); ok { //nolint:errorlint // as it comes
		return a.unheard(context.Background(), cut.err)
	}
	return err
}

func geotabPage(ctx context.Context, code int, text string) (Page, error) {
	g := newGeotab(tested())
	into := g.gather(ctx, g.inputs)
	var to string
	var count int
	err := heardText(&g.api, code, text, func(said *answer) error {
		_, err := g.heard(ctx, said, func(in *reader) error {
			return g.records(in, into, func(into *gather, r *geotabRecord) error {
				if err := g.position(into, r); err != nil {
					return err
				}
				return g.state(into, r)
			}, &to, &count)
		})
		return err
	})
	if err != nil {
		return Page{}, err
	}
	return into.done(geotabCursor{Log: to}, time.Second)
}

func geotabList(ctx context.Context, code int, text string) ([]Vehicle, error) {
	g := newGeotab(tested())
	all := &fleet{api: &g.api, ctx: ctx, seen: map[string]bool{}}
	var page []geotabDevice
	var count int
	err := heardText(&g.api, code, text, func(said *answer) error {
		_, err := g.heard(ctx, said, func(in *reader) error { return g.devices(in, &page, &count) })
		return err
	})
	for i := range page {
		if err == nil {
			err = g.keep(all, &page[i])
		}
	}
	return all.list, err
}

func samsaraFeed(ctx context.Context, code int, text string) (Page, error) {
	s := newSamsara(tested())
	into := s.gather(ctx, s.inputs)
	var page samsaraPage
	var hasData bool
	err := heardText(&s.api, code, text, func(said *answer) error {
		return s.heard(ctx, said, true, func(in *reader, name string) error { return s.page(in, into, name, &page, &hasData) })
	})
	if err != nil {
		return Page{}, err
	}
	return into.done(samsaraCursor{After: []string{page.EndCursor}}, time.Second)
}

func samsaraList(ctx context.Context, code int, text string) ([]Vehicle, error) {
	s := newSamsara(tested())
	all := &fleet{api: &s.api, ctx: ctx, seen: map[string]bool{}}
	err := heardText(&s.api, code, text, func(said *answer) error {
		return s.heard(ctx, said, true, func(in *reader, name string) error {
			if name == "data" {
				return in.list(func() error { return s.vehicle(in, all) })
			}
			return in.skip()
		})
	})
	return all.list, err
}
