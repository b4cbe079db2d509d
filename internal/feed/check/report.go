package check

import (
	"strings"
	"time"

	"lightbar/internal/feed/read"
)

const (
	staleAfter = 14 * 24 * time.Hour // what the USDOT calls outdated
	aheadMost  = 5 * time.Minute     // clocks differ
)

// report closes a document: what only its end shows.
func (c *checker) report(outline read.Outline) *Report {
	r := c.reading.Done(outline)
	known := map[string]edition{"4.0": v40, "4.1": v41, "4.2": v42, "1.0": cwz}
	in, is := known[c.version]
	if !is {
		in = v42
	}
	c.feature, c.path = "", nil
	switch {
	case c.cifs || c.plain && !c.events && !c.info:
	case !c.info:
		c.note(all, infoGone, "")
	case !is:
		c.note(all, noVersion, "“"+short(c.version)+"”.")
	}
	if outline.Syntax == "json" && !c.cifs && !c.typed {
		c.note(all, noType, "")
	}
	switch outline.Broken {
	case read.Truncated:
		c.note(all, truncated, "")
	case read.Malformed:
		c.note(all, malformed, "")
	}
	if c.updated != 0 {
		c.path = []string{"feed_info.update_date"}
		if c.now > c.updated.Add(staleAfter) && c.featureCount > 0 {
			c.note(all, stale, "")
		}
		if c.updated > c.now.Add(aheadMost) {
			c.note(all, future, "")
		}
	}
	c.references(outline)
	out := &Report{Format: r.Format, Version: short(c.version), Publisher: r.Info.Publisher, Features: r.Total(), Good: r.Kept}
	for _, rule := range Rules { // in the order of the list
		if f := c.found[in][rule]; f != nil {
			out.Found = append(out.Found, *f)
		}
	}
	return out
}

// references are the ids of others. Of a document that ends too early nothing can be said.
func (c *checker) references(outline read.Outline) {
	if outline.Broken != "" {
		return
	}
	for _, r := range c.relations {
		if !c.ids[r.id] {
			c.noteAt(all, relatedGone, r.at)
		}
	}
	if len(c.sources) == 0 {
		return // said already
	}
	for _, u := range c.uses {
		if !c.sources[u.id] {
			c.noteAt(all, noSource, u.at)
		}
	}
}

// Answer is a report as JSON.
type Answer struct {
	Format   string    `json:"format" doc:"wzdx, cwz, cifs or geojson"`
	Version  string    `json:"version"`
	Features int       `json:"features"`
	Good     int       `json:"good" doc:"how many of them our own reader takes"`
	Rules    []Count   `json:"rules" doc:"those that are broken"`
	Problems []Problem `json:"problems" doc:"at most 10 places of each rule"`
}

// Count is a broken rule and how often it is.
type Count struct {
	*Rule
	Count int `json:"count"`
}

// Problem is a place where a rule is broken.
type Problem struct {
	Feature string `json:"feature" doc:"its id, #7 for the seventh, or empty: the document itself"`
	Path    string `json:"path"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Answer is the report for programs.
func (r *Report) Answer() Answer {
	out := Answer{Format: r.Format, Version: r.Version, Features: r.Features, Good: r.Good, Rules: []Count{}, Problems: []Problem{}}
	for _, f := range r.Found {
		out.Rules = append(out.Rules, Count{f.Rule, f.Count})
		for _, p := range f.Places {
			out.Problems = append(out.Problems, Problem{p.Feature, p.Path, f.Rule.ID, strings.TrimSpace(f.Rule.Message + " " + p.Detail)})
		}
	}
	return out
}
