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

// report finishes a document: it adds what only its end shows.
func (c *checker) report(outline read.Outline) *Report {
	r := c.reading.Done(outline)
	known := map[string]edition{"4.0": v40, "4.1": v41, "4.2": v42, "1.0": cwz}
	in, is := known[c.version]
	if !is {
		in = v42
	}
	c.feature, c.path, c.cifs = "", nil, r.Format == read.CIFS
	switch {
	case c.cifs || c.plain && !c.events && !c.info:
	case !c.info:
		c.note(all, infoGone)
	case !is:
		c.noteText(all, noVersion, c.version)
	}
	if outline.Syntax == "json" && !c.cifs {
		switch {
		case outline.Wrapped:
			c.note(all, noType, "The FeatureCollection is inside of another object.")
		case !c.typed:
			c.note(all, noType)
		}
	}
	switch outline.Broken {
	case read.Truncated:
		c.note(all, truncated)
	case read.Malformed:
		c.note(all, malformed)
	}
	if c.updated != 0 {
		c.path = []step{{name: "feed_info.update_date"}}
		if c.now > c.updated.Add(staleAfter) && c.featureCount > 0 {
			c.note(all, stale)
		}
		if c.updated > c.now.Add(aheadMost) {
			c.note(all, future)
		}
	}
	c.lost(outline)
	out := &Report{Format: r.Format, Version: short(c.version), Publisher: r.Info.Publisher, Features: r.Total(), Good: r.Kept}
	for _, rule := range Rules { // in the order of the list
		if f := c.found[in][rule]; f != nil {
			out.Found = append(out.Found, *f)
		}
	}
	return out
}

// lost are ids that nothing in the document has. For a document that ends too early this is unknown.
func (c *checker) lost(outline read.Outline) {
	if outline.Broken != "" {
		return
	}
	c.relations.without(c.ids, func(at func() Place) { c.noteAt(all, relatedGone, at) })
	if len(c.sources) > 0 { // otherwise it is already reported
		c.uses.without(c.sources, func(at func() Place) { c.noteAt(all, noSource, at) })
	}
}

// CheckedFeed is a report as JSON, for programs and for the page.
type CheckedFeed struct {
	Format    string        `json:"format" enum:"wzdx,cwz,cifs,geojson"`
	Version   string        `json:"version" doc:"as the document says it; empty = it does not"`
	Publisher string        `json:"publisher" doc:"empty = the document does not say"`
	Features  int           `json:"features"`
	Good      int           `json:"good" doc:"how many of them our own reader takes"`
	Errors    int           `json:"errors" doc:"places where a rule of this severity is broken"`
	Warnings  int           `json:"warnings"`
	Rules     []BrokenRule  `json:"rules" nullable:"false" doc:"those that are broken"`
	Problems  []FeedProblem `json:"problems" nullable:"false" doc:"at most 10 places of each rule"`
}

// BrokenRule is a rule that is broken, and how often.
type BrokenRule struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity" enum:"error,warning"`
	Message  string   `json:"message" doc:"what is wrong"`
	Way      string   `json:"way" doc:"what to do"`
	Count    int      `json:"count"`
}

// FeedProblem is a place where a rule is broken.
type FeedProblem struct {
	Feature string `json:"feature" doc:"its id, #7 for the seventh, or empty: the document itself"`
	Path    string `json:"path" doc:"as properties.lanes[2].order"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

// Answer is the report for programs.
func (r *Report) Answer() CheckedFeed {
	out := CheckedFeed{Format: r.Format, Version: r.Version, Publisher: r.Publisher, Features: r.Features, Good: r.Good,
		Rules: []BrokenRule{}, Problems: []FeedProblem{}}
	for _, f := range r.Found {
		if f.Rule.Severity == Error {
			out.Errors += f.Count
		} else {
			out.Warnings += f.Count
		}
		out.Rules = append(out.Rules, BrokenRule{f.Rule.ID, f.Rule.Severity, f.Rule.Message, f.Rule.Way, f.Count})
		for _, p := range f.Places {
			out.Problems = append(out.Problems, FeedProblem{p.Feature, p.Path, f.Rule.ID, strings.TrimSpace(f.Rule.Message + " " + p.Detail)})
		}
	}
	return out
}
