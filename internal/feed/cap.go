package feed

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/fleet"
)

// WarningsPath is the document of warnings for emergency managers and public alert systems.
const (
	WarningsPath      = "alerts.atom"
	WarningsMediaType = "application/atom+xml; charset=utf-8"
)

// IsAlerts reports whether a document is one of those that contain where vehicles are right now.
func IsAlerts(path string) bool {
	return path == AlertsPath || path == AlertStreamPath || path == WarningsPath
}

// Warning is an incident, an active alerting zone, or a hazard, for those who warn the public (Common Alerting Protocol).
type Warning struct {
	ID       string // opaque: the same as long as it holds
	Event    string
	Headline string
	Text     string
	Area     string       // in words
	At       fleet.LatLng // where it is; with no Shapes, all within warnedM of it
	Shapes   *fleet.FeatureCollection
	Since    fleet.Instant
}

const (
	// warnedM is how far around an incident or a hazard the public is warned.
	warnedM = 300
	// warnedFor is how long a warning is one message. After that the document has an update of it, so that readers who
	// keep warnings until they expire lose what was cut off soon.
	warnedFor = 5 * time.Minute
)

// Scene is an incident as a warning, with the own vehicles that alert drivers there.
func Scene(l *fleet.Location, vehicles []Alert, n *Naming) Warning {
	kinds := map[string]bool{}
	var who []string
	for i := range vehicles {
		word := vehicleWords[vehicles[i].Kind]
		if word == "" {
			word = "Service vehicle"
		}
		if !kinds[word] {
			kinds[word], who = true, append(who, word)
		}
	}
	slices.Sort(who)
	w := Warning{ID: n.Name("scene " + l.ID), Event: "Responders on the road", Text: sentences("On scene: " + strings.Join(who, ", ")),
		Headline: "Responders on the road", At: fleet.LatLng{Lat: micro(l.Lat), Lng: micro(l.Lng)}, Since: l.StartAt, Area: l.Street}
	if l.Street != "" {
		w.Headline += ": " + l.Street
	}
	return w
}

// ZoneWarning is an alerting zone in which the organization's own vehicles alert drivers. The warning belongs to the zone: it is
// active while any of them is there, whichever came first.
func ZoneWarning(z *fleet.Zone, n *Naming) Warning {
	said := strings.Join(strings.Fields(z.AlertMessage), " ")
	if said == "" {
		said = "Vehicles with lights on in this area"
	}
	return Warning{ID: n.Name("zone " + z.ID + " " + z.BeganAt.String()), Event: "Alerting zone", Headline: said, Text: sentences(said),
		Shapes: z.Features, Since: z.BeganAt}
}

// HazardWarning is a hazard that drivers learn of.
func HazardWarning(a *Alert) Warning {
	return Warning{ID: a.ID, Event: a.Message, Headline: a.Message, Text: sentences(a.Message), Area: a.Street, Since: a.Since,
		At: fleet.LatLng{Lat: a.Lat, Lng: a.Lng}}
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Self    atomLink    `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Content capContent `xml:"content"`
}

type capContent struct {
	Type  string `xml:"type,attr"`
	Alert capAlert
}

// capAlert has CAP's elements in the order of its schema.
type capAlert struct {
	XMLName    xml.Name `xml:"urn:oasis:names:tc:emergency:cap:1.2 alert"`
	Identifier string   `xml:"identifier"`
	Sender     string   `xml:"sender"`
	Sent       string   `xml:"sent"`
	Status     string   `xml:"status"`
	Type       string   `xml:"msgType"`
	Scope      string   `xml:"scope"`
	References string   `xml:"references,omitempty"`
	Info       capInfo  `xml:"info"`
}

type capInfo struct {
	Language    string    `xml:"language"`
	Category    string    `xml:"category"`
	Event       string    `xml:"event"`
	Response    string    `xml:"responseType"`
	Urgency     string    `xml:"urgency"`
	Severity    string    `xml:"severity"`
	Certainty   string    `xml:"certainty"`
	Onset       string    `xml:"onset"`
	Expires     string    `xml:"expires"`
	Sender      string    `xml:"senderName"`
	Headline    string    `xml:"headline"`
	Description string    `xml:"description"`
	Instruction string    `xml:"instruction"`
	Areas       []capArea `xml:"area"`
}

type capArea struct {
	Text     string   `xml:"areaDesc"`
	Polygons []string `xml:"polygon"`
	Circles  []string `xml:"circle"`
}

// WarningDocument is an Atom feed with a CAP 1.2 message for each warning that holds now (OASIS, CAP-v1.2-os). A warning that
// holds on is an update of itself every five minutes, and each message expires ten minutes after it was sent, at the latest.
func WarningDocument(s Source, warnings []Warning, now fleet.Instant) []byte {
	doc := atomFeed{ID: "urn:uuid:" + s.ID, Title: "Warnings: " + s.Name, Author: s.Name, Self: atomLink{"self", s.Address(WarningsPath)}}
	var newest fleet.Instant
	for i := range warnings {
		alert, sent := warnings[i].message(s, now)
		newest = max(newest, sent)
		doc.Entries = append(doc.Entries, atomEntry{ID: "urn:lightbar:" + alert.Identifier, Title: warnings[i].Headline, Updated: utc(sent),
			Content: capContent{"application/cap+xml", alert}})
	}
	if newest == 0 {
		newest = fleet.InstantOf(now.Time().Truncate(warnedFor))
	}
	doc.Updated = utc(newest)
	body, err := xml.Marshal(doc)
	if err != nil {
		panic("feed: " + err.Error()) // plain data always encodes
	}
	return append([]byte(xml.Header), body...)
}

func (w *Warning) message(s Source, now fleet.Instant) (out capAlert, sent fleet.Instant) {
	period := fleet.InstantOf(now.Time().Truncate(warnedFor))
	sent = max(period, w.Since)
	out = capAlert{Identifier: w.identifier(sent), Sender: "urn:uuid:" + s.ID, Sent: capTime(sent), Status: "Actual", Type: "Alert",
		Scope: "Public"}
	if before := max(period.Add(-warnedFor), w.Since); before < sent {
		out.Type, out.References = "Update", fmt.Sprintf("%s,%s,%s", out.Sender, w.identifier(before), capTime(before))
	}
	out.Info = capInfo{Language: "en-US", Category: "Transport", Event: w.Event, Response: "Avoid", Urgency: "Immediate",
		Severity: "Moderate", Certainty: "Observed", Onset: capTime(w.Since), Expires: capTime(period.Add(2 * warnedFor)), Sender: s.Name,
		Headline: w.Headline, Description: w.Text, Instruction: "Slow down. Move over if you can.", Areas: w.areas()}
	return out, sent
}

func (w *Warning) identifier(sent fleet.Instant) string {
	return w.ID + "." + strconv.FormatInt(int64(sent)/1000, 10)
}

func (w *Warning) areas() []capArea {
	area := capArea{Text: w.Area}
	if area.Text == "" {
		area.Text = "Around the marked area"
	}
	if w.Shapes == nil {
		area.Circles = []string{capCircle(w.At, warnedM)}
		return []capArea{area}
	}
	for _, f := range w.Shapes.Features {
		switch {
		case len(f.Geometry.Lines) == 0 || len(f.Geometry.Lines[0]) == 0:
		case f.Geometry.Type == "Polygon":
			var ring []string
			outer := slices.Clone(f.Geometry.Lines[0])
			fleet.OrientRing(outer, false)
			for _, at := range outer {
				ring = append(ring, capPair(at[1], at[0]))
			}
			area.Polygons = append(area.Polygons, strings.Join(ring, " "))
		default:
			area.Circles = append(area.Circles, circleAround(f.Geometry.Lines[0], f.Properties.RadiusM))
		}
	}
	return []capArea{area}
}

// circleAround is a circle that holds a point with its radius, or a line: CAP has no lines.
func circleAround(line [][2]float64, radiusM float64) string {
	low, high := line[0], line[0]
	for _, at := range line {
		low, high = [2]float64{min(low[0], at[0]), min(low[1], at[1])}, [2]float64{max(high[0], at[0]), max(high[1], at[1])}
	}
	middle := fleet.LatLng{Lat: (low[1] + high[1]) / 2, Lng: (low[0] + high[0]) / 2}
	for _, at := range line {
		radiusM = max(radiusM, fleet.DistanceM(middle.Lat, middle.Lng, at[1], at[0]))
	}
	return capCircle(middle, max(radiusM, 1))
}

func capCircle(at fleet.LatLng, radiusM float64) string {
	return capPair(at.Lat, at.Lng) + " " + strconv.FormatFloat(math.Ceil(radiusM)/1000, 'f', -1, 64)
}

func capPair(lat, lng float64) string {
	return strconv.FormatFloat(micro(lat), 'f', -1, 64) + "," + strconv.FormatFloat(micro(lng), 'f', -1, 64)
}

// capTime is an instant as CAP wants it: "Z" is not allowed (section 3.3.2).
func capTime(at fleet.Instant) string {
	return at.Time().UTC().Format("2006-01-02T15:04:05") + "-00:00"
}
