package provider

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"lightbar/catalog"
)

var (
	geotabRecords = int(catalog.LimitInt("provider", "geotabRecords"))
	geotabWait    = catalog.LimitMs("provider", "geotabWaitMs")
)

// geotabCursor are the versions up to which the feeds were read; "" = from now on.
type geotabCursor struct {
	Log    string `json:"geotab_log"`
	Status string `json:"geotab_status,omitempty"`
}

// geotabRecord is what of a LogRecord or StatusData is read.
type geotabRecord struct {
	Device     named    `json:"device"`
	At         string   `json:"dateTime"`
	Lat        *float64 `json:"latitude"`
	Lng        *float64 `json:"longitude"`
	Speed      *float64 `json:"speed"` // km/h
	Diagnostic named    `json:"diagnostic"`
	Data       *float64 `json:"data"`
}

// Feed reads a page of each feed: positions, and the states of inputs if some mean lights.
// Records come in the order of their arrival at MyGeotab, which is not that of their time.
func (g *geotab) Feed(ctx context.Context, cursor string) (Page, error) {
	at, err := g.cursor(cursor)
	if err != nil {
		return Page{}, err
	}
	into := g.gather(ctx, g.inputs)
	if err := g.feed(ctx, into, "LogRecord", &at.Log, g.position); err != nil {
		return Page{}, err
	}
	if len(into.lights) == 0 {
		at.Status = ""
	} else if err := g.feed(ctx, into, "StatusData", &at.Status, g.state); err != nil {
		return Page{}, err
	}
	return into.done(at, geotabWait)
}

func (g *geotab) cursor(text string) (at geotabCursor, err error) {
	if text == "" {
		return at, nil
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if in.Decode(&at) != nil || at.Log == "" {
		return at, g.failed(CursorLost, 0, "This is not where %s was read to.", g.name)
	}
	return at, nil
}

// feed reads one page of a type, and moves its version on.
func (g *geotab) feed(ctx context.Context, into *gather, kind string, version *string, take func(*gather, *geotabRecord) error) error {
	now := g.now()
	head := g.head[kind]
	if head == nil {
		head = &pause{}
		g.head[kind] = head
	}
	if left := head.left(*version, now); left > 0 {
		into.rest(left)
		return nil
	}
	params := object{"typeName": kind, "resultsLimit": geotabRecords}
	if *version != "" {
		params["fromVersion"] = *version
	}
	var to string
	var count int
	refused, err := g.data(ctx, "GetFeed", params, func() func(*reader) error {
		to, count = "", 0
		return func(in *reader) error { return g.records(in, into, take, &to, &count) }
	})
	switch {
	case err != nil && refused == "ArgumentException" && *version != "":
		return g.failed(CursorLost, 0, "%s no longer knows where it was read to.", g.name)
	case err != nil:
		return err
	case to == "" || len(to) > idTextMax:
		return g.failed(Unreadable, 0, "%s does not say how far its feed was read.", g.name)
	}
	if count >= geotabRecords && to != *version {
		into.page.More = true
	} else {
		*head = pause{to, now.Add(geotabWait)}
	}
	*version = to
	return nil
}

func (g *geotab) records(in *reader, into *gather, take func(*gather, *geotabRecord) error, to *string, count *int) error {
	return in.object(func(name string) error {
		switch name {
		case "toVersion":
			return in.value(to)
		case "data":
			return in.list(func() error {
				*count++
				if err := into.record(); err != nil {
					return err
				}
				var r geotabRecord
				err := in.value(&r)
				if err == nil {
					return take(into, &r)
				}
				return refusing(into, err)
			})
		}
		return in.skip()
	})
}

func (g *geotab) position(into *gather, r *geotabRecord) error {
	if r.Speed != nil {
		*r.Speed *= metersPerSecondOfKMH
	}
	return into.fix(string(r.Device), r.At, r.Lat, r.Lng, r.Speed, nil)
}

// state takes the state of an input: MyGeotab says 1 or 0. Of all other diagnostics nothing is said.
func (g *geotab) state(into *gather, r *geotabRecord) error {
	input := lower(string(r.Diagnostic))
	if !into.lights[input] {
		return nil
	}
	var on *bool
	if r.Data != nil {
		is := *r.Data != 0
		on = &is
	}
	return into.light(string(r.Device), input, r.At, on)
}

// rest notes that a feed was left out, because it was at its end a moment ago.
func (g *gather) rest(left time.Duration) {
	if g.page.Wait == 0 || left < g.page.Wait {
		g.page.Wait = left
	}
}

// done closes the page: where the feeds go on, and when.
func (g *gather) done(cursor any, wait time.Duration) (Page, error) {
	text, err := json.Marshal(cursor)
	if err != nil {
		return Page{}, err
	}
	if len(text) > cursorMax {
		return Page{}, g.api.failed(Unreadable, 0, "%s says at too great a length how far its feed was read.", g.api.name)
	}
	g.page.Cursor = string(text)
	switch {
	case g.page.More:
		g.page.Wait = 0
	case g.page.Wait == 0:
		g.page.Wait = wait
	}
	return *g.page, nil
}
