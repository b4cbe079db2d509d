package file

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

var tripGap = catalog.LimitMs("trip", "gapMs")

// AssetTrips are the trips of one asset as files show them.
type AssetTrips struct {
	Name string
	wire.ThingTrips
}

// each visits an asset's trips, newest first: runs, then movements outside of runs.
func (a *AssetTrips) each(visit func(kind string, t *wire.Trip)) {
	for i := range a.Runs {
		visit("run", &a.Runs[i])
	}
	for i := range a.Other {
		visit("movement", &a.Other[i])
	}
}

// tripTitle names a trip: whose, what, and since when.
func tripTitle(a *AssetTrips, kind string, t *wire.Trip) string {
	return a.Name + ", " + kind + " of " + t.RunStart.String()
}

// unreadable lists in sentences which hours a file may lack, so that nobody takes a part for the whole.
func unreadable(assets ...AssetTrips) string {
	var out []string
	for _, a := range assets {
		for _, s := range a.Unreadable {
			out = append(out, "Positions of "+a.Name+" from "+s.Start.String()+" to "+s.End.String()+" could not be read.")
		}
	}
	return strings.Join(out, " ")
}

// segments cuts points where there is a gap: a line across it would show a way that nobody saw.
func segments(points []wire.TripPoint) (out [][]wire.TripPoint) {
	for first, i := 0, 1; i <= len(points); i++ {
		if i == len(points) || points[i].Timestamp.Sub(points[i-1].Timestamp) > tripGap {
			out, first = append(out, points[first:i]), i
		}
	}
	return out
}

// markup writes a document of XML; the first error ends it.
type markup struct {
	*bufio.Writer
}

func (m markup) text(s string) { _ = xml.EscapeText(m, []byte(s)) } // the writer remembers its error

func (m markup) number(v float64) { _, _ = m.WriteString(strconv.FormatFloat(v, 'f', -1, 64)) }

func (m markup) add(parts ...string) {
	for _, s := range parts {
		_, _ = m.WriteString(s)
	}
}

// element writes an element with a text.
func (m markup) element(name, text string) {
	m.add("<", name, ">")
	m.text(text)
	m.add("</", name, ">")
}

const gpxHead = xml.Header + `<gpx version="1.1" creator="Lightbar" xmlns="http://www.topografix.com/GPX/1/1" ` +
	`xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">` + "\n"

// WriteTripsGPX writes trips as GPX 1.1 (https://www.topografix.com/GPX/1/1/): a waypoint
// for each stop, a track for each trip, a segment for each stretch without a gap. Speed (m/s) and course
// (degrees) are in Garmin's TrackPointExtension v2. Instants are UTC.
func WriteTripsGPX(w io.Writer, assets []AssetTrips) error {
	m := markup{bufio.NewWriter(w)}
	m.add(gpxHead)
	if said := unreadable(assets...); said != "" {
		m.add("<metadata>")
		m.element("desc", said)
		m.add("</metadata>\n")
	}
	for i := range assets {
		a := &assets[i]
		a.each(func(_ string, t *wire.Trip) {
			for _, s := range t.Stops {
				m.position("wpt", s.Lat, s.Lng)
				m.element("time", s.Start.String())
				m.element("name", a.Name+", stop of "+stopText(&s))
				m.add("</wpt>\n")
			}
		})
	}
	for i := range assets {
		a := &assets[i]
		a.each(func(kind string, t *wire.Trip) {
			m.add("<trk>")
			m.element("name", tripTitle(a, kind, t))
			m.element("type", kind)
			for _, segment := range segments(t.Points) {
				m.add("<trkseg>\n")
				for _, p := range segment {
					speed := &p.Speed
					if !p.HasSpeed {
						speed = nil
					}
					m.trackPoint(p.Lat, p.Lng, p.Timestamp, speed, p.Course)
				}
				m.add("</trkseg>")
			}
			m.add("</trk>\n")
		})
	}
	m.add("</gpx>\n")
	return m.Flush()
}

func (m markup) position(name string, lat, lng float64) {
	m.add("<", name, ` lat="`)
	m.number(lat)
	m.add(`" lon="`)
	m.number(lng)
	m.add(`">`)
}

// trackPoint writes a position; a speed or course that is not known is left out: a 0 would mean that it was stopped.
func (m markup) trackPoint(lat, lng float64, at fleet.Instant, speed, course *float64) {
	m.position("trkpt", lat, lng)
	m.element("time", at.String())
	if speed != nil || course != nil {
		m.add("<extensions><gpxtpx:TrackPointExtension>")
		if speed != nil {
			m.add("<gpxtpx:speed>")
			m.number(*speed)
			m.add("</gpxtpx:speed>")
		}
		if course != nil {
			m.add("<gpxtpx:course>")
			m.number(*course)
			m.add("</gpxtpx:course>")
		}
		m.add("</gpxtpx:TrackPointExtension></extensions>")
	}
	m.add("</trkpt>\n")
}

func (m markup) trackCoord(lat, lng float64) {
	m.add("<gx:coord>")
	m.number(lng)
	m.add(" ")
	m.number(lat)
	m.add("</gx:coord>")
}

// stopText is the length of a stop: "4m0s".
func stopText(s *wire.TripStop) string { return s.End.Sub(s.Start).Round(time.Second).String() }

const kmlTripsHead = xml.Header + `<kml xmlns="http://www.opengis.net/kml/2.2" ` +
	`xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>` + "\n"

// WriteTripsKML writes trips as KML 2.2: a folder for each asset, in it a
// gx:MultiTrack for each trip, which does not interpolate over gaps, and a point for each stop.
func WriteTripsKML(w io.Writer, assets []AssetTrips) error {
	m := markup{bufio.NewWriter(w)}
	m.add(kmlTripsHead)
	for i := range assets {
		a := &assets[i]
		m.add("<Folder>")
		m.element("name", a.Name)
		if said := unreadable(*a); said != "" {
			m.element("description", said)
		}
		a.each(func(kind string, t *wire.Trip) { m.placemark(a, kind, t) })
		m.add("</Folder>\n")
	}
	m.add("</Document></kml>\n")
	return m.Flush()
}

func (m markup) placemark(a *AssetTrips, kind string, t *wire.Trip) {
	m.add("<Placemark>")
	m.element("name", tripTitle(a, kind, t))
	m.add("<ExtendedData>")
	for _, p := range factsOfTrip(a, kind, t) {
		m.add(`<Data name="`, p.name, `">`)
		m.element("value", p.text())
		m.add("</Data>")
	}
	m.add("</ExtendedData><gx:MultiTrack><gx:interpolate>0</gx:interpolate>\n")
	for _, segment := range segments(t.Points) {
		m.add("<gx:Track>")
		for i := range segment {
			m.element("when", segment[i].Timestamp.String())
		}
		for i := range segment {
			m.trackCoord(segment[i].Lat, segment[i].Lng)
		}
		m.add("</gx:Track>\n")
	}
	m.add("</gx:MultiTrack></Placemark>\n")
	for _, s := range t.Stops {
		m.add("<Placemark>")
		m.element("name", "Stop of "+stopText(&s))
		m.add("<TimeSpan>")
		m.element("begin", s.Start.String())
		m.element("end", s.End.String())
		m.add("</TimeSpan><Point><coordinates>")
		m.number(s.Lng)
		m.add(",")
		m.number(s.Lat)
		m.add("</coordinates></Point></Placemark>\n")
	}
}

// fact is a value of a trip in a file besides its line; names have their units.
type fact struct {
	name  string
	value any
}

func (f fact) text() string {
	if s, is := f.value.(string); is {
		return s
	}
	b, _ := json.Marshal(f.value) // numbers, instants, and null: not known
	return strings.Trim(strings.TrimPrefix(string(b), "null"), `"`)
}

func factsOfTrip(a *AssetTrips, kind string, t *wire.Trip) []fact {
	return []fact{{"asset", a.Name}, {"thing_id", a.ThingID}, {"run_id", t.RunID}, {"kind", kind}, {"start", t.RunStart}, {"end", t.RunEnd},
		{"duration_s", t.RunDuration}, {"distance_m", t.Distance}, {"top_speed_mps", t.TopSpeed}, {"lights_on_s", t.LightsOn},
		{"drivers_alerted", t.Drivers},
		{"street_start", t.StreetStart}, {"street_end", t.StreetEnd}, {"is_clipped", t.IsClipped}}
}

// WriteTripsGeoJSON writes trips as a FeatureCollection (RFC 7946): a MultiLineString
// for each trip, a line for each stretch without a gap, its instants in coordTimes; a point for each stop.
func WriteTripsGeoJSON(w io.Writer, assets []AssetTrips) error {
	out := bufio.NewWriter(w)
	_, _ = out.WriteString(`{"type":"FeatureCollection",`)
	if said := unreadable(assets...); said != "" {
		text, _ := json.Marshal(said) // of a string it cannot fail
		_, _ = out.WriteString(`"description":` + string(text) + `,`)
	}
	_, _ = out.WriteString(`"features":[`)
	before := "\n"
	var failed error
	add := func(geometry any, facts []fact) {
		properties := make(map[string]any, len(facts))
		for _, p := range facts {
			properties[p.name] = p.value
		}
		text, err := json.Marshal(map[string]any{"type": "Feature", "geometry": geometry, "properties": properties})
		if err != nil {
			failed = err
			return
		}
		_, _ = out.WriteString(before)
		_, _ = out.Write(text)
		before = ",\n"
	}
	for i := range assets {
		a := &assets[i]
		a.each(func(kind string, t *wire.Trip) {
			lines, times := linesOfTrip(t.Points)
			add(map[string]any{"type": "MultiLineString", "coordinates": lines}, append(factsOfTrip(a, kind, t), fact{"coordTimes", times}))
			for _, s := range t.Stops {
				add(map[string]any{"type": "Point", "coordinates": [2]float64{s.Lng, s.Lat}}, []fact{{"asset", a.Name}, {"thing_id", a.ThingID},
					{"run_id", t.RunID}, {"kind", "stop"}, {"start", s.Start}, {"end", s.End}})
			}
		})
	}
	_, _ = out.WriteString("\n]}\n")
	if failed != nil {
		return failed
	}
	return out.Flush()
}

// linesOfTrip are the lines without gaps, each with the instants of its positions. A lone point is no line.
func linesOfTrip(points []wire.TripPoint) (lines [][][2]float64, times [][]fleet.Instant) {
	lines, times = [][][2]float64{}, [][]fleet.Instant{}
	for _, segment := range segments(points) {
		if len(segment) < 2 {
			continue
		}
		var line [][2]float64
		var at []fleet.Instant
		for _, p := range segment {
			line, at = append(line, [2]float64{p.Lng, p.Lat}), append(at, p.Timestamp)
		}
		lines, times = append(lines, line), append(times, at)
	}
	return lines, times
}
