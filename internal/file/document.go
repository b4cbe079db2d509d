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

// document is what a value of JSON is: features, or a sentence about why it has none.
type document struct {
	list  []byte // of features, in JSON
	alone []byte // one feature
	why   string
}

func (d document) isNone() bool { return d.list == nil && d.alone == nil && d.why == "" }

const (
	noGeoJSON    = "The file isn't GeoJSON: a FeatureCollection is needed."
	esriJSON     = "The file is Esri JSON. Export it as GeoJSON and try again."
	topoJSON     = "The file is TopoJSON. Export it as GeoJSON and try again."
	severalFiles = "The file has several GeoJSON documents in it. Save them as one FeatureCollection and try again."
)

// features passes on the features of a text, one by one. why is a sentence about why the text has none.
func (w *work) features(text []byte, visit func(feature []byte) error) (why string, err error) {
	if line := checkJSON(text); line > 0 {
		mended, _, err := MendJSON(w.ctx, text, true)
		if err := cmp.Or(err, w.made(len(mended))); err != nil {
			return "", err
		}
		if checkJSON(mended) > 0 {
			return w.sequence(mended, line, visit)
		}
		text = mended
	}
	if inner, is := textOf(bytes.TrimSpace(text)); is { // as programs write that convert to JSON what is JSON already
		if err := w.made(len(inner)); err != nil {
			return "", err
		}
		return w.features([]byte(inner), visit)
	}
	d, err := w.document(text, 0)
	switch {
	case err != nil || d.why != "":
		return d.why, err
	case d.alone != nil:
		return "", visit(d.alone)
	case d.list != nil:
		return "", w.list(d.list, visit)
	}
	return noGeoJSON, nil
}

// document is what a value is: GeoJSON, features in a bare list, or the only one of these in what an API has put around it.
func (w *work) document(value []byte, depth int) (document, error) {
	var kind, system string
	var features []byte
	isEsri := false
	err := w.members(value, func(name, value []byte) error {
		switch {
		case isNamed(name, "type"):
			kind = kindOf(value)
		case isNamed(name, "features"):
			features = value
		case isNamed(name, "crs"):
			system = systemOf(value)
		case isNamed(name, "geometryType"):
			isEsri = strings.HasPrefix(kindOf(value), "esri")
		}
		return nil
	})
	isList := len(features) > 0 && (features[0] == '[' || isNull(features))
	list := value // of which all that counts is what its first element is
	if isList {
		list = features
	}
	var firstKind string
	if list = trimJSON(list); err == nil && len(list) > 0 && list[0] == '[' {
		element, _ := next(list[1:])
		firstKind, err = w.kind(element)
	}
	switch {
	case err != nil:
		return document{}, err
	case isEsri || firstKind == esriFeature:
		return document{why: esriJSON}, nil
	case kind == "Topology":
		return document{why: topoJSON}, nil
	case kind == "Feature" || isList && (kind == "FeatureCollection" || kind == ""):
		if system != "" {
			return document{why: otherSystem(system)}, nil
		}
		if kind == "Feature" {
			return document{alone: value}, nil
		}
		return document{list: list}, nil
	case firstKind == "Feature":
		return document{list: list}, nil
	case depth == 0 && slices.Contains(geometryKinds, kind):
		why := "The file is one geometry (" + kind + "), which can have no name. Save it as a FeatureCollection and try again."
		return document{why: why}, nil
	}
	d, err := w.unwrapped(value, depth)
	if !d.isNone() && d.why == "" && system != "" {
		d = document{why: otherSystem(system)}
	}
	return d, err
}

// esriFeature is what a feature of Esri JSON is, which has no type.
const esriFeature = "esri"

// kind is the type of an object; empty = it is none, or has none.
func (w *work) kind(object []byte) (kind string, err error) {
	hasAttributes, hasGeometry := false, false
	err = w.members(object, func(name, value []byte) error {
		if isNamed(name, "type") {
			kind = kindOf(value)
		}
		hasAttributes = hasAttributes || isNamed(name, "attributes")
		hasGeometry = hasGeometry || isNamed(name, "geometry")
		return nil
	})
	if kind == "" && hasAttributes && hasGeometry {
		kind = esriFeature
	}
	return kind, err
}

// unwrapped is the only document among the members or the elements of a value, however they are called.
func (w *work) unwrapped(value []byte, depth int) (found document, err error) {
	const deepest = 3
	look := func(_, value []byte) error {
		if depth == deepest || found.why == severalFiles || len(value) == 0 || value[0] != '{' && value[0] != '[' {
			return nil
		}
		d, err := w.document(value, depth+1)
		switch {
		case found.isNone():
			found = d
		case !d.isNone():
			found = document{why: severalFiles}
		}
		return err
	}
	if err = w.members(value, look); err == nil {
		err = w.parts(value, '[', look)
	}
	return found, err
}

// sequence passes on features that follow one another (RFC 8142; most programs write each on a line). line is where the text stops
// being one value of JSON.
func (w *work) sequence(text []byte, line int, visit func(feature []byte) error) (why string, err error) {
	const blanks = " \t\r\n\x1e"
	first := bytes.TrimLeft(text, blanks)
	for rest := first; ; {
		value, kind := rest[:skipValue(rest)], ""
		if checkJSON(value) == 0 {
			kind, err = w.kind(value)
		}
		switch err := cmp.Or(err, w.step()); {
		case err != nil:
			return "", err
		case kind == "Feature":
		case len(rest) == len(first):
			return "The file isn't GeoJSON: it can't be read at line " + strconv.Itoa(line) + ".", nil
		default:
			line = 1 + bytes.Count(text[:len(text)-len(rest)], []byte("\n"))
			return "The file has a feature on each line, but none that can be read at line " + strconv.Itoa(line) + ".", nil
		}
		if err := visit(value); err != nil {
			return "", err
		}
		if rest = bytes.TrimLeft(rest[len(value):], blanks); len(rest) == 0 {
			return "", nil
		}
	}
}
