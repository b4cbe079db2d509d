package read

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// Part is a piece of a document, unchanged.
type Part struct {
	Key    string // of the document: feed_info, features, incidents, type …
	Index  int    // of a feature or an incident, from 0; -1 = it is none
	JSON   []byte // valid until the next part; of XML: made of its elements and attributes
	Flawed bool   // it was not valid JSON before it was mended (file.MendJSON)
	Reason string // why it cannot be looked at: TooLarge, TooDeep, TooMany
}

// Outline is the form of a document as a whole.
type Outline struct {
	Syntax string // json or xml
	List   string // the name of its list: features or incidents; empty = there was no list
	// Broken is why reading stopped before the end: Truncated or Malformed. All that came before was complete and counts; missing
	// parts may be behind it.
	Broken string
	// Wrapped: the document is inside of another one, as {"data": …}.
	Wrapped bool
}

// Why a document was read only up to some place; the list is closed.
const (
	Truncated = "truncated"
	Malformed = "malformed"
)

// What a document of CIFS lists.
const (
	incidents = "incidents"
	incident  = "incident"
	features  = "features"
)

// envelopes are what members are called that APIs put a whole document into.
var envelopes = map[string]bool{"data": true, "result": true, "results": true, "response": true, "body": true, "payload": true,
	"geojson": true, "feed": true, "content": true, "value": true, "d": true, "output": true, features: true}

// headBytes is how much is stored of the parts that are not features (feed_info).
const headBytes = 1 << 20

// Walk goes through a document part by part, and never holds more than one of
// them. Errors: *Unreadable, that of the reader, or that of ctx when it ends before.
func Walk(ctx context.Context, in io.Reader, limits Limits, visit func(Part)) (Outline, error) {
	limits = limits.filled()
	text, first, err := open(ctx, in, limits)
	if err != nil {
		return Outline{}, err
	}
	if first == '"' {
		if text, first, err = unquoted(text); err != nil {
			return Outline{}, err
		}
	}
	w := &walker{limits: limits, visit: visit}
	switch first {
	case '{', '[':
		w.Syntax = "json"
		err = w.json(&splitter{in: text}, first)
	case '<':
		w.Syntax = "xml"
		err = w.xml(text)
	default:
		return Outline{}, unreadable(UnknownText, "This is neither JSON nor XML.")
	}
	if err == nil && w.List == "" {
		err = unreadable(UnknownText, "%s", noFeed[w.kind])
	}
	return w.Outline, err
}

// noFeed is why a document without a list is no feed, by its type; the last one is that of any other.
var noFeed = map[string]string{"Topology": "This is TopoJSON. Publish it as GeoJSON.",
	"Feature": "This is a feature, or one on each line. Publish a FeatureCollection.",
	"":        "This isn't a known feed format: it has neither features nor incidents."}

const esriJSON = "This is Esri JSON. Publish it as GeoJSON. A server of ArcGIS does so with f=geojson in the address."

type walker struct {
	Outline
	limits Limits
	visit  func(Part)
	count  int
	depth  int    // of envelopes
	kind   string // of noFeed
}

// broken notes where a document ends too early; any other failure is handed up.
func (w *walker) broken(err error) error {
	var u *Unreadable
	switch {
	case err == nil, errors.As(err, &u):
		return err
	case errors.Is(err, errSyntax):
		w.Broken = Malformed
	case errors.Is(err, io.EOF), isPacking(err):
		w.Broken = Truncated
	default:
		return err
	}
	return nil
}

func (w *walker) json(s *splitter, first byte) error {
	var err error
	if first == '[' { // bare incidents
		err = w.list(s, incidents)
	} else {
		err = w.document(s)
	}
	if err == nil { // only its end shows that what was packed or sent is whole
		_, err = io.Copy(io.Discard, s.in)
	}
	return w.broken(err)
}

func (w *walker) document(s *splitter) error {
	return s.members(func(key string, first byte) error {
		switch name := elementName(key); {
		case (key == features || name == incidents) && first == '[':
			return w.list(s, name)
		case name == incidents && first == '{':
			return w.wrapped(s)
		case name == incident && w.List == "" && (first == '[' || first == '{'):
			return w.elements(s, first)
		case w.List == "" && envelopes[strings.ToLower(key)] && (first == '[' || first == '{'):
			return w.unwrapped(s, first)
		default:
			return w.head(s, name)
		}
	})
}

// unwrapped reads what may be a document, or the list of one, inside of another.
func (w *walker) unwrapped(s *splitter, first byte) (err error) {
	const deepest = 3
	switch {
	case first == '[':
		err = w.list(s, "")
	case w.depth == deepest:
		_, err = s.value(headBytes)
	default:
		w.depth++
		err = w.document(s)
		w.depth--
	}
	w.Wrapped = w.Wrapped || w.List != ""
	return err
}

// wrapped reads what is below "incidents" if a program has converted it from XML: {"incident": …}, and attributes; or a single
// incident in its place.
func (w *walker) wrapped(s *splitter) error {
	w.List = incidents
	alone, size, isListed := map[string]json.RawMessage{}, 0, false
	err := s.members(func(key string, first byte) error {
		if elementName(key) == incident {
			isListed = true
			return w.elements(s, first)
		}
		raw, err := s.value(w.limits.Feature)
		if size += len(key) + len(raw.text); err == nil && raw.text != nil && raw.deep <= w.limits.Depth && size <= w.limits.Feature {
			alone[key] = slices.Clone(raw.text)
		}
		return err
	})
	if err != nil || len(alone) == 0 {
		return err
	}
	joined, err := json.Marshal(alone)
	if err != nil {
		return errSyntax
	}
	var said struct {
		Timestamp json.RawMessage `json:"timestamp"`
		Type      text            `json:"type"`
	}
	if json.Unmarshal(plainIncident(joined), &said) != nil {
		return errSyntax
	}
	if len(said.Timestamp) > 0 {
		w.visit(Part{Key: "timestamp", Index: -1, JSON: said.Timestamp})
	}
	if said.Type != "" && !isListed {
		return w.feature(incidents, cut{text: joined, size: int64(len(joined))})
	}
	return nil
}

// elements reads the incidents of one name: a list, or one alone.
func (w *walker) elements(s *splitter, first byte) error {
	w.List = incidents
	if first == '[' {
		return w.list(s, incidents)
	}
	raw, err := s.value(w.limits.Feature)
	if err != nil || first != '{' {
		return err
	}
	return w.feature(incidents, raw)
}

// elementName is the name of an element of CIFS without its name space; any other name is unchanged.
func elementName(key string) string {
	if name := localName(key); name == incidents || name == incident {
		return name
	}
	return key
}

func (w *walker) head(s *splitter, key string) error {
	raw, err := s.value(headBytes)
	if err != nil {
		return err
	}
	if key == "crs" && raw.text != nil {
		if name, ok := fleet.CoordinateSystem(raw.text); !ok {
			return unreadable(UnknownText, "The coordinate system of this document is %s. Publish it in WGS 84.", shortened(name, 60))
		}
	}
	if isEsri := bytes.HasPrefix(raw.text, []byte(`"esri`)); isEsri && key == "geometryType" {
		return unreadable(UnknownText, esriJSON)
	}
	if said := strings.Trim(string(raw.text), `"`); key == "type" && noFeed[said] != "" {
		w.kind = said
	}
	if key == incidents && (string(raw.text) == "null" || string(raw.text) == `""`) {
		w.List = incidents // made of an element without any
	}
	p := Part{Key: key, Index: -1, JSON: raw.text, Reason: w.reason(raw)}
	if p.Reason == "" {
		p.JSON, p.Flawed, _ = file.MendJSON(context.Background(), p.JSON, false)
	}
	w.visit(p)
	return nil
}

// list reads a list. Features are known by the first of them, whatever it is called; without a key it may be a list of anything.
func (w *walker) list(s *splitter, key string) error {
	_, _ = s.in.Discard(1)
	w.List = key
	for isFirst := true; ; isFirst = false {
		if end, err := s.delim(']'); end || err != nil {
			return err
		}
		raw, err := s.value(w.limits.Feature)
		if err != nil {
			return err
		}
		if isFirst {
			var is struct {
				Type                 text
				Attributes, Geometry json.RawMessage
			}
			_ = json.Unmarshal(raw.text, &is) // what is no object has none of these
			if is.Type == "Feature" {
				key, w.List = features, features
			}
			if key == features && is.Type == "" && is.Attributes != nil && is.Geometry != nil {
				return unreadable(UnknownText, esriJSON)
			}
		}
		if key != "" {
			err = w.feature(key, raw)
		}
		if err != nil {
			return err
		}
		if comma, err := s.delim(','); err != nil {
			return err
		} else if next, err := firstOf(s.in); !comma && (err != nil || next != ']') {
			return orSyntax(err)
		}
	}
}

// tooManyTimes the features that are looked at are counted; a document with more of them is none.
const tooManyTimes = 10

// feature hands on one of a list.
func (w *walker) feature(key string, raw cut) error {
	if w.count/tooManyTimes >= w.limits.Features {
		return unreadable(TooLarge, "The document has more than %d features.", tooManyTimes*w.limits.Features)
	}
	p := Part{Key: key, Index: w.count, JSON: raw.text, Reason: w.reason(raw)}
	if p.Reason == "" { // a machine that computes NaN has lost the event: nobody knows what else of it is wrong
		p.JSON, p.Flawed, _ = file.MendJSON(context.Background(), p.JSON, false)
	}
	if key == incidents && w.Syntax == "json" && p.Reason == "" {
		p.JSON = plainIncident(p.JSON)
	}
	if w.count++; w.count > w.limits.Features {
		p.Reason = TooMany
	}
	w.visit(p)
	return nil
}

func (w *walker) reason(raw cut) string {
	switch {
	case raw.text == nil:
		return TooLarge
	case raw.deep > w.limits.Depth:
		return TooDeep
	}
	return ""
}

func orSyntax(err error) error {
	if err != nil {
		return err
	}
	return errSyntax
}

// gate feeds an XML decoder, which would hold a text of any length: between two
// calls of open it lets no more than so many bytes through.
type gate struct {
	in   *bufio.Reader
	most int
	left int
}

func (g *gate) open() { g.left = g.most }

func (g *gate) ReadByte() (byte, error) {
	if g.left--; g.left < 0 {
		return 0, unreadable(TooLarge, "One incident has more than %d kB.", g.most>>10)
	}
	return g.in.ReadByte()
}

func (g *gate) Read(p []byte) (int, error) {
	c, err := g.ReadByte()
	if err != nil || len(p) == 0 {
		return 0, err
	}
	p[0] = c
	return 1, nil
}
