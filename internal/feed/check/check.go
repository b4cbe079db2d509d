// Package check finds the errors in a work zone feed, rule by rule: WZDx 4.0 to
// 4.2, CWZ 1.0, and CIFS, from any publisher. It is pure: a reader comes in, a
// report goes out, and the document is never held as a whole.
package check

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// mostPlaces is how many places of a rule are listed; all are counted.
const mostPlaces = 10

// Place is where a rule is broken.
type Place struct {
	Feature string // its id, or #7 for the seventh when it has none; empty = the document
	Path    string // as properties.lanes[2].order
	Detail  string // a sentence, or empty
}

// Found is a rule that the document breaks.
type Found struct {
	Rule   *Rule
	Count  int
	Places []Place
}

// Report is the result of a check. Good is what our own reader accepts.
type Report struct {
	Format, Version, Publisher string
	Features, Good             int
	Found                      []Found
}

// Clean reports that nothing was found.
func (r *Report) Clean() bool { return len(r.Found) == 0 }

// Document checks a document. Errors: *read.Unreadable, or that of the reader.
func Document(ctx context.Context, in io.Reader, limits read.Limits, now fleet.Instant) (*Report, error) {
	c := &checker{now: now, reading: read.NewReading(limits, read.Times{}), ids: map[string]bool{}, sources: map[string]bool{}}
	outline, err := read.Walk(ctx, in, limits, c.part)
	if err != nil {
		return nil, err
	}
	return c.report(outline), nil
}

// checker goes through one document. It notes what is wrong by edition, because the document's edition may come only after the
// features.
type checker struct {
	now     fleet.Instant
	reading *read.Reading
	feature string // that is looked at
	path    []step
	found   map[edition]map[*Rule]*Found

	version         string
	info, typed     bool
	events, plain   bool // there were road events, or features of no standard
	cifs            bool
	updated         fleet.Instant
	featureCount    int
	ids, sources    map[string]bool
	relations, uses references // of other events, of data sources
}

// step is a part of the way to a place: a member, or where the name is empty one of a list.
type step struct {
	name  string
	index int
}

// note counts a broken rule for the editions in which it is one. The detail may come in pieces: they are put together only where it
// is listed.
func (c *checker) note(in edition, r *Rule, detail ...string) {
	c.noteAt(in, r, func() Place { return c.here(strings.Join(detail, "")) })
}

// noteText notes a broken rule with the text at that place in the document.
func (c *checker) noteText(in edition, r *Rule, text string) {
	c.note(in, r, "“", short(text), "”.")
}

// here is the place that is looked at.
func (c *checker) here(detail string) Place {
	var path strings.Builder
	for _, s := range c.path {
		if s.name == "" {
			path.WriteString("[" + strconv.Itoa(s.index) + "]")
		} else {
			path.WriteString("." + s.name)
		}
	}
	return Place{c.feature, strings.TrimPrefix(path.String(), "."), detail}
}

// noteAt counts a broken rule. The place is made only where it is listed: a list of 1 MiB may break a rule in every element.
func (c *checker) noteAt(in edition, r *Rule, at func() Place) {
	for _, e := range editions {
		if in&e == 0 {
			continue
		}
		if c.found == nil {
			c.found = map[edition]map[*Rule]*Found{}
		}
		if c.found[e] == nil {
			c.found[e] = map[*Rule]*Found{}
		}
		f := c.found[e][r]
		if f == nil {
			f = &Found{Rule: r}
			c.found[e][r] = f
		}
		if f.Count++; len(f.Places) < mostPlaces {
			f.Places = append(f.Places, at())
		}
	}
}

// down looks at a member.
func (c *checker) down(name string, look func()) {
	c.step(step{name: name}, look)
}

// at looks at one of a list.
func (c *checker) at(index int, look func()) {
	c.step(step{index: index}, look)
}

func (c *checker) step(to step, look func()) {
	c.path = append(c.path, to)
	look()
	c.path = c.path[:len(c.path)-1]
}

func (c *checker) part(p read.Part) {
	_, reason := c.reading.Take(p)
	if p.Index < 0 {
		if p.Flawed {
			c.down(p.Key, func() { c.note(all, flawed) })
		}
		c.head(p)
		return
	}
	c.featureCount++
	var v map[string]any
	if reason == read.TooMany {
		c.note(all, unread, "Only the first ones are checked.")
		return
	}
	if p.Reason != "" || json.Unmarshal(p.JSON, &v) != nil || v == nil {
		c.feature = nameOf(nil, p.Index)
		c.note(all, unread, map[string]string{read.TooLarge: "It is too large.", read.TooDeep: "It is nested too deeply."}[p.Reason])
		return
	}
	if p.Key == "incidents" {
		c.cifs = true
		if inner, is := v["incident"].(map[string]any); is {
			v = inner
		}
	}
	c.feature = nameOf(v, p.Index)
	if p.Flawed {
		c.note(all, flawed)
	}
	c.id(v)
	properties, _ := v["properties"].(map[string]any)
	core, _ := properties["core_details"].(map[string]any)
	switch {
	case p.Key == "incidents":
		c.incident(v, reason)
	case core["device_type"] != nil:
		c.events = true
		c.note(all, aDevice)
	case properties["core_details"] == nil && properties["start_time"] != nil:
		c.plain = true
		c.geometry(v, all)
	default:
		c.events = true
		c.event(v)
	}
	c.feature = ""
}

func (c *checker) head(p read.Part) {
	var v any
	if p.Reason != "" || json.Unmarshal(p.JSON, &v) != nil {
		return
	}
	switch p.Key {
	case "type":
		c.typed = v == "FeatureCollection"
	case "bbox":
		c.down("bbox", func() { c.hold(box, v, all) })
	case "feed_info", "road_event_feed_info":
		c.down(p.Key, func() { c.feedInfo(p.Key, v) })
	}
}

func (c *checker) feedInfo(key string, v any) {
	c.info = true
	c.hold(feedInfo, v, all)
	if key == "road_event_feed_info" {
		c.note(from41, deprecated, "Use feed_info.")
	} else {
		c.note(v40, memberMissing, "WZDx 4.0 calls it road_event_feed_info.")
	}
	m, _ := v.(map[string]any)
	c.version, _ = m["version"].(string)
	sources, _ := m["data_sources"].([]any)
	for i, s := range sources {
		s, _ := s.(map[string]any)
		c.down("data_sources", func() { c.at(i, func() { c.updates(s, "update_date") }) })
		if id, is := s["data_source_id"].(string); is {
			if c.sources[id] {
				c.noteText(all, twice, id)
			}
			c.sources[id] = true
		}
	}
	if c.updates(m, "update_date") {
		c.updated, _ = instant(m, "update_date")
	}
}

// updates checks when something was updated. A date before there were feeds was never set, and its age means nothing: false.
func (c *checker) updates(m map[string]any, name string) (isDate bool) {
	at, is := instant(m, name)
	if is && at.Time().Year() < firstYear {
		c.down(name, func() { c.noteText(all, neverUpdated, textOf(m, name)) })
		return false
	}
	return is
}

const firstYear = 2000

// id looks at the id of a feature or an incident.
func (c *checker) id(v map[string]any) {
	var id string
	switch said := v["id"].(type) {
	case string:
		id = said
	case nil:
		return
	default:
		id = nameOf(v, 0)
	}
	c.down("id", func() {
		switch {
		case strings.TrimSpace(id) == "":
			c.note(all, idEmpty)
		case c.ids[id]:
			c.note(all, idTwice)
		case !isUUID(id) && v["properties"] != nil:
			c.note(cwz, idNoUUID)
		}
	})
	c.ids[id] = true
}

// nameOf is the name of a feature in the report.
func nameOf(v map[string]any, index int) string {
	switch id := v["id"].(type) {
	case string:
		if id = strings.TrimSpace(id); id != "" {
			return short(id)
		}
	case float64:
		text, _ := json.Marshal(id)
		return string(text)
	}
	text, _ := json.Marshal(index + 1)
	return "#" + string(text)
}

func textOf(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

func isUUID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i, r := range id {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return false
		}
	}
	return true
}
