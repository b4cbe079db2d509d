package file

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// drawArea draws an area that the law takes, of any shape.
func drawArea(t *rapid.T) fleet.Area {
	text := rapid.StringMatching(`[a-zA-Z0-9 <>&"'é,.–]{0,20}`)
	degrees := rapid.Int32Range(-170_0000000, 170_0000000)
	lng, lat := fleet.FromFixed(degrees.Draw(t, "lng")), fleet.FromFixed(degrees.Draw(t, "lat")/2)
	a := fleet.Area{ID: "01900000-0000-7000-8000-00000000a001", Name: strings.TrimSpace("N" + text.Draw(t, "name")),
		Description: strings.TrimSpace(text.Draw(t, "desc")), Kind: "poi", Inactive: rapid.Bool().Draw(t, "inactive"), Lat: lat, Lng: lng, HasCenter: true,
		City: strings.TrimSpace(text.Draw(t, "city"))}
	square := func(at float64) string {
		at += lng
		return fmt.Sprintf("[[[%[1]v,%[2]v],[%[3]v,%[2]v],[%[3]v,%[4]v],[%[1]v,%[2]v]],[[%[5]v,%[6]v],[%[7]v,%[6]v],[%[7]v,%[8]v],[%[5]v,%[6]v]]]",
			at, lat, at+0.004, lat+0.004, at+0.002, lat+0.0005, at+0.003, lat+0.001)
	}
	switch rapid.SampledFrom([]string{"circle", "Polygon", "MultiPolygon", "LineString"}).Draw(t, "shape") {
	case "circle":
		a.RadiusM = rapid.Float64Range(1, 641).Draw(t, "radius")
	case "Polygon":
		a.Geometry = `{"type":"Polygon","coordinates":` + square(0) + `}`
	case "MultiPolygon":
		a.Geometry = `{"type":"MultiPolygon","coordinates":[` + square(0) + `,` + square(0.01) + `]}`
	default:
		a.Geometry = fmt.Sprintf(`{"type":"LineString","coordinates":[[%v,%v,12],[%v,%v]]}`, lng, lat, lng+0.01, lat)
	}
	return a
}

// What is written is read again: each property and each shape, in both formats.
func TestAreasOfAFileAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		areas := rapid.SliceOfN(rapid.Custom(drawArea), 0, 4).Draw(t, "areas")
		for format, write := range map[string]func(*bytes.Buffer) error{
			"geojson": func(b *bytes.Buffer) error { return WriteAreasGeoJSON(b, areas) },
			"kml":     func(b *bytes.Buffer) error { return WriteAreasKML(b, areas) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			features, err := featuresOf(context.Background(), format, "", b.String())
			if err != nil || len(features) != len(areas) {
				t.Fatalf("%s: %d of %d %v\n%s", format, len(features), len(areas), err, &b)
			}
			for i, f := range features {
				a := areas[i]
				said := map[string]string{}
				for _, p := range propertiesOf(&a) {
					said[p[0]] = p[1]
				}
				if !reflect.DeepEqual(f.Properties, said) || f.Problem != "" || f.No != i+1 {
					t.Fatalf("%s: %+v, not %v", format, f, said)
				}
				if a.Geometry == "" {
					if f.Geometry != "" || f.Lat != a.Lat || f.Lng != a.Lng {
						t.Fatalf("%s: %+v, not %+v", format, f, a)
					}
					continue
				}
				var was, is any // altitudes, too; rings turn right on the way out
				if err := errors.Join(json.Unmarshal([]byte(fleet.RightHanded(a.Geometry)), &was), json.Unmarshal([]byte(f.Geometry), &is)); err != nil ||
					!reflect.DeepEqual(was, is) {
					t.Fatalf("%s: %s, not %s (%v)", format, f.Geometry, a.Geometry, err)
				}
			}
		}
	})
}

// featuresOf are the features of a file.
func featuresOf(ctx context.Context, format, nameFrom, text string) ([]AreaFeature, error) {
	read, err := ReadAreas(ctx, format, nameFrom, text)
	if err != nil {
		return nil, err
	}
	return read.Features, nil
}

const kmlOf = `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>%s</Folder></Document></kml>`

// A feature that cannot be an area says why, and those beside it are read.
func TestBadFeaturesSayWhy(t *testing.T) {
	point := `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"Name":"A","radius":3,"city":{"a":1},"desc":null,"floors":3}}`
	for _, c := range []struct{ feature, problem string }{
		{`7`, featureUnreadable}, {`{"type":"Polygon"}`, featureUnreadable}, {`{"type":"Feature","properties":[]}`, featureUnreadable},
		{`{"type":"Feature","properties":null,"geometry":null}`, featureNoShape},
		{`{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}`, featureOtherShape},
		{`{"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}}`, featureOtherShape},
		{`{"type":"Feature","geometry":{"type":"Point","coordinates":[181,2]}}`, featurePoint},
		{`{"type":"Feature","geometry":{"type":"Point","coordinates":null}}`, featurePoint},
		{`{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2],"crs":{"type":"name","properties":{"name":"EPSG:2235"}}}}`, otherSystem("EPSG:2235")},
		{`{"type":"Feature","crs":{"type":"name","properties":{"name":"EPSG:2235"}},"geometry":{"type":"Point","coordinates":[1,2]}}`, otherSystem("EPSG:2235")},
		{`{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2],"crs":{"type":"EPSG","properties":{"code":3857}}}]}}`, otherSystem("EPSG:3857")},
		{`{"type":"Feature","geometry":{"type":"Point"}}`, featurePoint},
		{`{"type":"Feature","geometry":{"type":"LineString","coordinates":[[39.7,-75.5],[39.8,-75.5]]}}`, featureSwapped},
	} {
		got, err := featuresOf(t.Context(), "geojson", "", "\ufeff"+`{"type":"FeatureCollection","features":[`+c.feature+","+point+"]}")
		if err != nil || len(got) != 2 || got[0].Problem != c.problem || got[1].Problem != "" || got[1].No != 2 ||
			!reflect.DeepEqual(got[1].Properties, map[string]string{"name": "A", "radius": "3"}) || got[1].Lat != 2 {
			t.Errorf("%s: %+v %v", c.feature, got, err)
		}
	}
	const numbers = "Its coordinates must be numbers: longitude,latitude longitude,latitude …"
	for _, c := range []struct{ mark, problem string }{
		{``, featureNoShape}, {`<Model/>`, "It is a 3D object (Model)." + needsShape},
		{`<gx:Track><when>2026-01-01T00:00:00Z</when><gx:coord>1 2 0</gx:coord></gx:Track>`, kmlNoShapes["Track"]},
		{`<address>1 Main St</address><gx:MultiTrack><gx:Track/></gx:MultiTrack>`, kmlNoShapes["MultiTrack"]},
		{`<gx:Track/><address>1 Main St</address>`, kmlNoShapes["Track"]}, {`<address>1 Main St</address>`, kmlNoShapes["address"]},
		{`<Point><coordinates>NaN,1</coordinates></Point>`, numbers},
		{`<Point><coordinates>1,95</coordinates></Point>`, featureSwapped}, {`<Point><coordinates>1,195</coordinates></Point>`, featurePoint}, {`<Point><coordinates>1,2 3,4</coordinates></Point>`, featurePoint},
		{`<Point/>`, featurePoint}, {`<LineString><coordinates>1,2 x,y</coordinates></LineString>`, numbers},
		{`<MultiGeometry><Point/><Point/></MultiGeometry>`, featureOtherShape},
		{`<MultiGeometry><MultiGeometry/></MultiGeometry>`, featureNoShape},
		{`<MultiGeometry><LineString/><Polygon/></MultiGeometry>`, featureOtherShape},
		{`<Point><coordinates>39.7,-75.5</coordinates></Point>`, featureSwapped},
	} {
		good := `<Placemark><name> A </name><ExtendedData><SchemaData><SimpleData name="EZ_Type">poi</SimpleData></SchemaData></ExtendedData>` +
			`<MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0,5 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark>`
		got, err := featuresOf(t.Context(), "kml", "", fmt.Sprintf(kmlOf, "<Placemark>"+c.mark+"</Placemark>"+good))
		if err != nil || len(got) != 2 || got[0].Problem != c.problem || got[1].Properties["ez_type"] != "poi" || got[1].Properties["name"] != "A" ||
			got[1].Geometry != `{"type":"Polygon","coordinates":[[[0,0,5],[1,0],[1,1],[0,0]]]}` {
			t.Errorf("%s: %+v %v", c.mark, got, err)
		}
	}
}

// What programs put around features, or leave out, costs none of them where there is one reading.
func TestFeaturesInOtherForms(t *testing.T) {
	const a, b = `{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1,2]}}`,
		`{"type":"Feature","properties":{"name":"B"},"geometry":{"type":"Point","coordinates":[3,4]}}`
	const all = `{"type":"FeatureCollection","features":[` + a + "," + b + "]}"
	quoted, _ := json.Marshal(all)
	for _, text := range []string{
		`{"data":` + all + `}`, `{"status":"ok","count":2,"links":[{"href":"a"}],"result":` + all + `}`, `{"type":"success","geojson":` + all + `}`,
		`{"response":{"body":{"result":` + all + `}}}`, "[" + all + "]", "[" + a + "," + b + "]", `{"data":[` + a + "," + b + "]}",
		`{"type":"ok","features":[` + a + "," + b + "]}", `{"features":` + all + "}", a + "\n" + b + "\n", a + b, "\x1e" + a + "\n\x1e" + b + "\n",
		strings.Replace(a, `"A"`, `"A","n":NaN`, 1) + "\r\n" + b, string(quoted), `{"crs":"EPSG:4326",` + all[1:],
	} {
		got, err := featuresOf(t.Context(), "geojson", "", "\ufeff"+text)
		if err != nil || len(got) != 2 || got[0].Properties["name"] != "A" || got[1].Lat != 4 || got[0].Problem+got[1].Problem != "" {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	if got, err := featuresOf(t.Context(), "geojson", "", "\x1e"+a); err != nil || len(got) != 1 {
		t.Errorf("one: %+v %v", got, err)
	}
}

// What KML has beside placemarks is named, and is no area.
func TestKMLWithoutPlacemarks(t *testing.T) {
	got, err := featuresOf(t.Context(), "kml", "", fmt.Sprintf(kmlOf, `<ScreenOverlay><name>Legend</name></ScreenOverlay>
<Folder><NetworkLink><name>Live</name><Link><href>https://example.org/a.kml</href></Link></NetworkLink></Folder>
<GroundOverlay><name>Plan</name><LatLonBox><north>1</north></LatLonBox></GroundOverlay>
<PhotoOverlay><name>Photo</name><Point><coordinates>1,2</coordinates></Point></PhotoOverlay>
<Placemark><name>Yard</name><address>1 Main St</address><Point><coordinates>1,2</coordinates></Point></Placemark>`))
	if err != nil || len(got) != 4 || got[3].Properties["name"] != "Yard" || got[3].Problem != "" || got[3].Lat != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	for i, kind := range []string{"NetworkLink", "GroundOverlay", "PhotoOverlay"} {
		if got[i].Problem != kmlShapeless[kind] || !strings.Contains(got[i].Problem, kind) || got[i].Properties["name"] == "" {
			t.Errorf("%s: %+v", kind, got[i])
		}
	}
}

// A file that cannot be read is refused whole, with a sentence that says why.
func TestUnusableAreaFiles(t *testing.T) {
	for _, c := range []struct{ format, text, says string }{
		{"geojson", "", "isn't GeoJSON"}, {"geojson", "[1]", "FeatureCollection"}, {"geojson", `{"type":"Topology"}`, "TopoJSON"},
		{"geojson", `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`, "one geometry (Polygon)"},
		{"geojson", `{"geometries":[],"type":"GeometryCollection"}`, "one geometry (GeometryCollection)"},
		{"geojson", `{"geometryType":"esriGeometryPolygon","spatialReference":{"wkid":4326},"features":[{"attributes":{},"geometry":{"rings":[]}}]}`, "Esri JSON"},
		{"geojson", `{"features":[{"attributes":{"OBJECTID":1},"geometry":{"rings":[[[0,0],[1,0],[1,1],[0,0]]]}}]}`, "Esri JSON"},
		{"geojson", `[{"geometry":{"x":1,"y":2},"attributes":null}]`, "Esri JSON"}, {"geojson", `{"data":{"type":"Topology"}}`, "TopoJSON"},
		{"geojson", `{"north":{"type":"FeatureCollection","features":[]},"south":{"type":"FeatureCollection","features":[]}}`, "several GeoJSON documents"},
		{"geojson", `[{"type":"FeatureCollection","features":[]},{"type":"FeatureCollection","features":[]}]`, "several GeoJSON documents"},
		{"geojson", `{"crs":"EPSG:3857","data":{"type":"FeatureCollection","features":[]}}`, "EPSG:3857. Save it in WGS 84"},
		{"geojson", `{"a":{"b":{"c":{"d":{"type":"FeatureCollection","features":[]}}}}}`, "a FeatureCollection is needed"},
		{"geojson", `{"type":"Feature","geometry":null}` + "\n\n" + `{"type":"Feature","geometry":}`, "line 3"},
		{"geojson", `{"type":"Feature","geometry":null}` + "\n" + `{"type":"Polygon"}`, "line 2"},
		{"geojson", `{"type":"Feature"} x`, "line 1"}, {"geojson", `{"type":"FeatureCollection","features":{}}`, "a FeatureCollection is needed"},
		{"geojson", `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"features":[]}`, "EPSG::3857. Save it in WGS 84"},
		{"geojson", "{\n\"type\": x}", "line 2"}, {"geojson", "\xff", "UTF-8"}, {"kml", "", "no kml element"}, {"kml", "<html/>", `"html"`},
		{"kml", "<kml>\n<Placemark></kml>", "line 2"}, {"kml", `<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>`, "document type"},
		{"kml", "<kml><a", "can't be read"},
		{"kml", "<kml>" + strings.Repeat("<Folder>", 100), "too deep"},
		{"kml", "<kml><Placemark>" + strings.Repeat("<MultiGeometry>", 100), "too deep"},
		{"geojson", `{"type":"FeatureCollection","features":[` + strings.Repeat("{},", areaFeatures.Int()) + "{}]}", "more than 10000 features"},
		{"kml", fmt.Sprintf(kmlOf, strings.Repeat("<Placemark/>", areaFeatures.Int()+1)), "more than 10000 features"},
	} {
		_, err := ReadAreas(t.Context(), c.format, "", c.text)
		var refusal *fleet.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "validation_failed" || !strings.Contains(refusal.Message, c.says) {
			t.Errorf("%.40s: %v", c.text, err)
		}
	}
	_, err := ReadAreas(t.Context(), "kml", "", strings.Repeat(" ", areaFileBytes.Int()+1))
	if refusal := (*fleet.Refusal)(nil); !errors.As(err, &refusal) || refusal.Code != "too_large" || !strings.Contains(refusal.Message, "larger than 10 MB") {
		t.Errorf("%v", err)
	}
}

// A file of Google My Maps, and one of QGIS that declares its old encoding, are read with their folders, styles and altitudes.
func TestKMLOfOtherPrograms(t *testing.T) {
	myMaps := `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>Stations</name><description/>
<Style id="poly-1-normal"><LineStyle><color>ff757575</color></LineStyle><PolyStyle><fill>1</fill></PolyStyle><BalloonStyle><text><![CDATA[<h3>$[name]</h3>]]></text></BalloonStyle></Style>
<StyleMap id="poly-1"><Pair><key>normal</key><styleUrl>#poly-1-normal</styleUrl></Pair></StyleMap>
<Folder><name>North</name><Folder><name>Old</name><Placemark><name><![CDATA[Station 9 & yard]]></name><description><![CDATA[Two <b>bays</b>]]></description><styleUrl>#poly-1</styleUrl>
<ExtendedData><Data name="gx_media_links"><value/></Data></ExtendedData><gx:balloonVisibility>1</gx:balloonVisibility>
<Polygon><tessellate>1</tessellate><outerBoundaryIs><LinearRing><tessellate>1</tessellate><coordinates>
              -75.5,39.7,0
              -75.499,39.7,0
              -75.499,39.701,0
              -75.5,39.7,0
            </coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Folder></Folder></Document></kml>`
	got, err := featuresOf(t.Context(), "kml", "", myMaps)
	if err != nil || len(got) != 1 || got[0].Properties["name"] != "Station 9 & yard" || got[0].Properties["desc"] != "Two <b>bays</b>" ||
		got[0].Geometry != `{"type":"Polygon","coordinates":[[[-75.5,39.7,0],[-75.499,39.7,0],[-75.499,39.701,0],[-75.5,39.7,0]]]}` {
		t.Errorf("%+v %v", got, err)
	}
	got, err = featuresOf(t.Context(), "kml", "", `<?xml version="1.0" encoding="ISO-8859-1" ?><kml:kml xmlns:kml="http://www.opengis.net/kml/2.2"><kml:Document>`+
		`<kml:Schema name="yards" id="yards"><kml:SimpleField name="EZ_TYPE" type="string"/></kml:Schema><kml:Placemark><kml:name>Südhof</kml:name>`+
		`<kml:ExtendedData><kml:SchemaData schemaUrl="#yards"><kml:SimpleData name="EZ_TYPE">yard</kml:SimpleData></kml:SchemaData></kml:ExtendedData>`+
		`<kml:MultiGeometry><kml:LineString><kml:coordinates>1,2 3,4</kml:coordinates></kml:LineString></kml:MultiGeometry></kml:Placemark></kml:Document></kml:kml>`)
	if err != nil || len(got) != 1 || got[0].Properties["name"] != "Südhof" || got[0].Properties["ez_type"] != "yard" ||
		got[0].Geometry != `{"type":"LineString","coordinates":[[1,2],[3,4]]}` {
		t.Errorf("%+v %v", got, err)
	}
}

// Bare ampersands, the entities of HTML, and control characters cost no file; an entity that nobody knows stays as it is written.
func TestKMLThatIsNotQuiteXML(t *testing.T) {
	const mark = `<Placemark><name>Yard &amp; gate & dock &a;</name><description>B&uuml;ro&nbsp;3, a=1&b=2` + "\x0b" + `</description>%s</Placemark>`
	for shape, want := range map[string]string{
		`<LinearRing><coordinates>1,2 3,4 3,5 1,2</coordinates></LinearRing>`:                                                                     `{"type":"LineString","coordinates":[[1,2],[3,4],[3,5],[1,2]]}`,
		`<MultiGeometry><Point><coordinates>9,9</coordinates></Point><LinearRing><coordinates>1,2 3,4</coordinates></LinearRing></MultiGeometry>`: `{"type":"LineString","coordinates":[[1,2],[3,4]]}`,
	} {
		got, err := featuresOf(t.Context(), "kml", "", fmt.Sprintf(kmlOf, fmt.Sprintf(mark, shape)))
		if err != nil || len(got) != 1 || got[0].Problem != "" || got[0].Geometry != want || got[0].Properties["name"] != "Yard & gate & dock &a;" ||
			got[0].Properties["desc"] != "Büro\u00a03, a=1&b=2" {
			t.Errorf("%s: %+v %v", shape, got, err)
		}
	}
}

// HTML that isn't escaped is read like that which is: its words stay apart, and none is lost.
func TestKMLWithElementsInAText(t *testing.T) {
	const mark = `<Placemark><name>Gate <b>4</b></name><description>First<br/>second<p>third <i>x<u>y</u></i> z</p>.</description>
<Point><coordinates>1,2<x/></coordinates></Point></Placemark>`
	got, err := featuresOf(t.Context(), "kml", "", fmt.Sprintf(kmlOf, mark))
	if err != nil || len(got) != 1 || got[0].Lat != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	for field, want := range map[string]string{"name": "Gate 4", "desc": "First second third x y z."} {
		if line, _ := got[0].Line(got[0].Properties[field], 100); line != want {
			t.Errorf("%s: %q", field, line)
		}
	}
}

// QGIS writes what has one part as a shape of many.
func TestGeoJSONOfOnePart(t *testing.T) {
	got, err := featuresOf(t.Context(), "geojson", "", `{"type":"FeatureCollection","name":"yards","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[
{"type":"Feature","properties":{"NAME":"A"},"geometry":{"type":"MultiPoint","coordinates":[[1,2,0]]}},
{"type":"Feature","properties":{"NAME":"B"},"geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]]]}}]}`)
	if err != nil || len(got) != 2 || got[0].Problem != "" || got[0].Lat != 2 || got[1].Geometry != `{"type":"LineString","coordinates":[[1,2],[3,4]]}` {
		t.Errorf("%+v %v", got, err)
	}
}

// checkFeatures holds what was read of hostile text to what the rest relies on.
func checkFeatures(t *testing.T, features []AreaFeature, err error) {
	if err != nil && features != nil {
		t.Error("refused, and features")
	}
	for i, f := range features {
		if f.No != i+1 || f.Problem == "" && (f.Geometry != "" && !json.Valid([]byte(f.Geometry)) || !fleet.OnMap(f.Lat, f.Lng)) {
			t.Errorf("%+v", f)
		}
	}
}

func FuzzReadGeoJSON(f *testing.F) {
	f.Add(`{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,2,3]},"properties":{"name":"A","is_active":false}}]}`)
	f.Add(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":null}`)
	f.Add(`{"data":[{"type":"Feature","geometry":null}]}`)
	f.Add(`{"type":"Feature","geometry":null}` + "\n\x1e" + `{"type":"Feature","geometry":null}`)
	f.Add(`"{\"features\":[{\"attributes\":{},\"geometry\":{}}]}"`)
	f.Fuzz(func(t *testing.T, text string) {
		features, err := featuresOf(t.Context(), "geojson", "", text)
		checkFeatures(t, features, err)
	})
}

func FuzzReadKML(f *testing.F) {
	f.Add(fmt.Sprintf(kmlOf, `<Placemark id="a"><name>A</name><ExtendedData><Data name="radius_dist"><value>5</value></Data></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>`))
	f.Add(`<kml><NetworkLink><name>A</name></NetworkLink><Placemark><address>1</address><gx:Track/></Placemark></kml>`)
	f.Add(`<kml><Placemark><MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon><Polygon/></MultiGeometry></Placemark></kml>`)
	f.Fuzz(func(t *testing.T, text string) {
		features, err := featuresOf(t.Context(), "kml", "", text)
		checkFeatures(t, features, err)
	})
}
