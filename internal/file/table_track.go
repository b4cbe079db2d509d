package file

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"time"
)

// errOnlyPoints means that a format of positions was given another table.
var errOnlyPoints = errors.New("file: only points can be written in this format")

// exportTracks is a ZIP file of tracks: an entry for each asset and day, in it a segment for each part without a gap. A line across
// a gap would show a way that nobody saw. Instants are UTC, as both formats require.
type exportTracks struct {
	*archive
	format  trackFormat
	out     markup
	inTrack bool // a segment is open
	last    pointRow
	n       int // points of the segment
}

// trackFormat is how a format writes tracks.
type trackFormat struct {
	ending string
	// begin and end are around the track of a name.
	begin func(m markup, name string)
	end   func(m markup)
	// segment opens a segment, point adds to it, past closes it.
	segment, past func(m markup)
	point         func(m markup, r *pointRow)
	// most is how many points a segment has at most, 0 for any number: the next begins with its last point.
	most int
}

func (w *exportTracks) Table(t ExportTable) error {
	if t.kind() != "points" {
		return errOnlyPoints
	}
	if err := w.finish(); err != nil {
		return err
	}
	to, err := w.entry(t.Name + w.format.ending)
	if err != nil {
		return err
	}
	w.out = markup{bufio.NewWriterSize(to, 32<<10)}
	w.format.begin(w.out, t.Name)
	return nil
}

func (w *exportTracks) Row(cells []any, _ any) error {
	r := pointRowOf(cells)
	switch {
	case w.inTrack && r.At.Sub(w.last.At) > tripGap:
		w.endSegment()
	case w.inTrack && w.format.most > 0 && w.n >= w.format.most:
		w.endSegment()
		w.beginSegment()
		w.format.point(w.out, &w.last)
	}
	if !w.inTrack {
		w.beginSegment()
	}
	w.format.point(w.out, &r)
	w.last = r
	w.n++
	return nil // the writer remembers its error until the table ends
}

func (w *exportTracks) beginSegment() {
	w.inTrack, w.n = true, 0
	w.format.segment(w.out)
}

func (w *exportTracks) endSegment() {
	if w.inTrack {
		w.format.past(w.out)
	}
	w.inTrack = false
}

// finish ends the table that is being written.
func (w *exportTracks) finish() error {
	if w.out.Writer == nil {
		return nil
	}
	w.endSegment()
	w.format.end(w.out)
	err := w.out.Flush()
	w.out.Writer = nil
	return err
}

func (w *exportTracks) Mark() (ExportMark, error) {
	if err := w.finish(); err != nil {
		return ExportMark{}, err
	}
	return w.mark()
}

func (w *exportTracks) Close(about []string) error {
	if err := w.finish(); err != nil {
		return err
	}
	return w.closeAbout(about)
}

// newExportGPX writes GPX 1.1, with speed (m/s) and course (degrees) in Garmin's TrackPointExtension v2.
func newExportGPX(to io.Writer, _ *time.Location, at time.Time) ExportWriter {
	return &exportTracks{archive: newArchive(to, at), format: trackFormat{
		ending: ".gpx",
		begin: func(m markup, name string) {
			m.add(gpxHead, "<trk>")
			m.element("name", name)
		},
		end:     func(m markup) { m.add("</trk>\n</gpx>\n") },
		segment: func(m markup) { m.add("<trkseg>\n") },
		past:    func(m markup) { m.add("</trkseg>") },
		point:   func(m markup, r *pointRow) { m.trackPoint(r.Lat, r.Lng, r.At, r.Speed, r.Course) },
	}}
}

// kmlMost limits how much a segment of KML holds in memory: it has all its instants before its positions.
const kmlMost = 10_000

// newExportKML writes KML 2.2: a gx:MultiTrack for each asset and day, which does not interpolate over gaps.
func newExportKML(to io.Writer, _ *time.Location, at time.Time) ExportWriter {
	var coords bytes.Buffer
	return &exportTracks{archive: newArchive(to, at), format: trackFormat{
		ending: ".kml",
		most:   kmlMost,
		begin: func(m markup, name string) {
			m.add(kmlTripsHead, "<Placemark>")
			m.element("name", name)
			m.add("<gx:MultiTrack><gx:interpolate>0</gx:interpolate>\n")
		},
		end:     func(m markup) { m.add("</gx:MultiTrack></Placemark></Document></kml>\n") },
		segment: func(m markup) { m.add("<gx:Track>") },
		past: func(m markup) {
			m.add(coords.String(), "</gx:Track>\n")
			coords.Reset()
		},
		point: func(m markup, r *pointRow) {
			m.element("when", r.At.String())
			c := markup{bufio.NewWriterSize(&coords, 64)}
			c.trackCoord(r.Lat, r.Lng)
			_ = c.Flush() // into memory
		},
	}}
}
