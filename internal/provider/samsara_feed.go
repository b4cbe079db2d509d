package provider

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
)

// samsaraTypes are the feeds. A call may name three types, and auxInput3 to
// auxInput10 count as one. All but the first are asked only if inputs mean lights.
var samsaraTypes = []string{
	"gps,auxInput1,auxInput2",
	"auxInput3,auxInput4,auxInput5,auxInput6,auxInput7,auxInput8,auxInput9,auxInput10,auxInput11,auxInput12",
	"auxInput13",
}

const samsaraPositions = "gps" // if no input means lights

// samsaraCursor is where the feeds go on; "" = the last known.
type samsaraCursor struct {
	After []string `json:"samsara_after"`
}

type samsaraFix struct {
	At      string   `json:"time"`
	Lat     *float64 `json:"latitude"`
	Lng     *float64 `json:"longitude"`
	Heading *float64 `json:"headingDegrees"`
	Speed   *float64 `json:"speedMilesPerHour"`
}

type samsaraInput struct {
	At   string `json:"time"`
	Name string `json:"name"`
	On   *bool  `json:"value"`
}

// Feed reads a page of each feed: positions, and the states of inputs if some mean lights.
func (s *samsara) Feed(ctx context.Context, cursor string) (Page, error) {
	at, err := s.cursor(cursor)
	if err != nil {
		return Page{}, err
	}
	into := s.gather(ctx, s.inputs)
	feeds := samsaraTypes
	if len(into.lights) == 0 {
		feeds = []string{samsaraPositions}
	}
	if len(at.After) != len(feeds) { // a cursor goes on with the types that it began with
		at.After = make([]string, len(feeds))
	}
	for i, types := range feeds {
		if err := s.feed(ctx, into, i, types, &at.After[i]); err != nil {
			return Page{}, err
		}
	}
	return into.done(at, samsaraWait)
}

func (s *samsara) cursor(text string) (at samsaraCursor, err error) {
	if text == "" {
		return at, nil
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if in.Decode(&at) != nil || len(at.After) == 0 || len(at.After) > len(samsaraTypes) {
		return at, s.failed(CursorLost, 0, "This is not where %s was read to.", s.name)
	}
	return at, nil
}

// feed reads one page, and moves its cursor on.
func (s *samsara) feed(ctx context.Context, into *gather, i int, types string, after *string) error {
	now := s.now()
	if left := s.head[i].left(*after, now); left > 0 {
		into.rest(left)
		return nil
	}
	query := url.Values{"types": {types}}
	if *after != "" {
		query.Set("after", *after)
	}
	var page samsaraPage
	hasData := false
	err := s.get(ctx, "/fleet/vehicles/stats/feed", query, func(in *reader, name string) error {
		return s.page(in, into, name, &page, &hasData)
	})
	switch {
	case err != nil:
		return err
	case !hasData:
		return s.shaped(errShape)
	case page.HasNextPage && page.EndCursor == "":
		return s.failed(Unreadable, 0, "%s promises more and does not say where.", s.name)
	case page.HasNextPage && page.EndCursor != *after:
		into.page.More = true
	}
	if page.EndCursor != "" { // the last page of a list has an empty one; the feed goes on where it was
		*after = page.EndCursor
	}
	if !page.HasNextPage {
		s.head[i] = pause{*after, now.Add(samsaraWait)}
	}
	return nil
}

// page reads a member of a page of the feed.
func (s *samsara) page(in *reader, into *gather, name string, page *samsaraPage, hasData *bool) error {
	switch name {
	case "data":
		*hasData = true
		return in.list(func() error { return s.stats(in, into) })
	case "pagination":
		return in.value(page)
	}
	return in.skip()
}

// pendingInput is the state of an input of a vehicle whose id may yet come.
type pendingInput struct {
	kind string
	samsaraInput
}

// stats reads what one vehicle said. Types that it did not speak of are absent.
func (s *samsara) stats(in *reader, into *gather) error {
	var id string
	var fixes []samsaraFix
	var states []pendingInput
	err := in.object(func(name string) error {
		switch {
		case name == "id":
			return shapeless(in.value(&id))
		case name == "gps":
			return refusing(into, in.list(func() error {
				var fix samsaraFix
				return readInto(in, into, &fix, func() { fixes = append(fixes, fix) })
			}))
		case strings.HasPrefix(name, "auxInput") && len(name) <= len("auxInput13"):
			return refusing(into, in.list(func() error {
				var state samsaraInput
				return readInto(in, into, &state, func() {
					if into.lights[lower(state.Name)] {
						states = append(states, pendingInput{name, samsaraInput{At: state.At, On: state.On}})
					}
				})
			}))
		}
		return in.skip()
	})
	if err = refusing(into, err); err != nil {
		return err
	}
	for _, fix := range fixes {
		if fix.Speed != nil {
			*fix.Speed *= metersPerSecondOfMPH
		}
		if err := into.fix(id, fix.At, fix.Lat, fix.Lng, fix.Speed, fix.Heading); err != nil {
			return err
		}
	}
	for _, state := range states {
		if err := into.light(id, state.kind, state.At, state.On); err != nil {
			return err
		}
	}
	return nil
}

// readInto reads a record; one of another shape is refused.
func readInto(in *reader, into *gather, record any, keep func()) error {
	if err := into.record(); err != nil {
		return err
	}
	err := in.value(record)
	if err == nil {
		keep()
	}
	return refusing(into, err)
}
