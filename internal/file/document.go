package file

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// What follows finds the features of a file of GeoJSON, for areas and hazards alike.

// geometryKinds are the types of GeoJSON that are neither Feature nor FeatureCollection.
var geometryKinds = []string{"Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", collection}

// document is a file of GeoJSON.
type document struct {
	kind     string
	features []byte
	system   string // its coordinate system, where that is not ours
	isEsri   bool
}

// features passes on the features of a text, one by one. why is a sentence about why the text has none.
func (w *work) features(text []byte, visit func(feature []byte) error) (why string, err error) {
	if line := checkJSON(text); line > 0 {
		mended, _, err := MendJSON(w.ctx, text, true)
		if err == nil && checkJSON(mended) > 0 {
			return whyNoJSON(text, line), nil
		}
		if err := cmp.Or(err, w.made(len(mended))); err != nil {
			return "", err
		}
		text = mended
	}
	d := document{}
	if err := w.members(text, func(name, value []byte) error { d.take(name, value); return nil }); err != nil {
		return "", err
	}
	switch {
	case d.isEsri:
		return "The file is Esri JSON. Export it as GeoJSON and try again.", nil
	case d.kind == "Topology":
		return "The file is TopoJSON. Export it as GeoJSON and try again.", nil
	case d.system != "":
		return otherSystem(d.system), nil
	case d.kind == "Feature":
		return "", visit(text)
	case slices.Contains(geometryKinds, d.kind):
		return "The file is one geometry (" + d.kind + "), which can have no name. Save it as a FeatureCollection and try again.", nil
	case d.kind != "" && d.kind != "FeatureCollection", d.features == nil, !isNull(d.features) && d.features[0] != '[':
		return "The file isn't GeoJSON: a FeatureCollection is needed.", nil
	}
	return "", w.list(d.features, visit)
}

func (d *document) take(name, value []byte) {
	switch {
	case isNamed(name, "type"):
		d.kind = kindOf(value)
	case isNamed(name, "features"):
		d.features = value
	case isNamed(name, "crs"):
		d.system = systemOf(value)
	case isNamed(name, "geometryType"):
		d.isEsri = strings.HasPrefix(kindOf(value), "esri")
	}
}

// whyNoJSON returns why a text is not JSON: many programs write a feature on each line (RFC 8142).
func whyNoJSON(text []byte, line int) string {
	const separator = '\x1e'
	marked := bytes.HasPrefix(trimJSON(text), []byte{separator})
	if text = bytes.TrimLeft(text, " \t\r\n\x1e"); len(text) > 0 && text[0] == '{' {
		first := skipValue(text)
		rest := bytes.TrimLeft(text[first:], " \t\r\n\x1e")
		if checkJSON(text[:first]) == 0 && (marked || len(rest) > 0 && rest[0] == '{') {
			return "The file has a feature on each line. Save it as one FeatureCollection and try again."
		}
	}
	return "The file isn't GeoJSON: it can't be read at line " + strconv.Itoa(line) + "."
}
