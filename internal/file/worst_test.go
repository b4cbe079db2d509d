package file_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
	"time"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit/worst"
)

const now = fleet.Instant(1795257727000)

// readers are all functions that read what others have written, each with the worst texts for it.
var readers = map[string]struct {
	texts map[string]string
	read  func(ctx context.Context, text string) any
}{
	"ReadAreas as GeoJSON": {jsonTexts(), func(ctx context.Context, text string) any { return two(file.ReadAreas(ctx, "geojson", "", text)) }},
	"ReadAreas as KML":     {kmlTexts(), func(ctx context.Context, text string) any { return two(file.ReadAreas(ctx, "kml", "", text)) }},
	"ReadAssetCSV":         {csvTexts("haas_id,nickname", "A,b"), func(ctx context.Context, text string) any { return two(file.ReadAssetCSV(ctx, text)) }},
	"ReadUserCSV":          {csvTexts("email,role", "A,b"), func(ctx context.Context, text string) any { return two(file.ReadUserCSV(ctx, text)) }},
	"ReadHazards as CSV": {csvTexts("id,lat,lng,type,description,start,updated", "A,1,1,,,,"), func(ctx context.Context, text string) any {
		return hazards(ctx, "csv", text)
	}},
	"ReadHazards as GeoJSON": {jsonTexts(), func(ctx context.Context, text string) any { return hazards(ctx, "geojson", text) }},
	"GuessHazards as CSV": {csvTexts("id,lat,lng,type,description,start,updated", "A,1,1,b,c,d,e"), func(ctx context.Context, text string) any {
		return two(file.GuessHazards(ctx, file.HazardFile{Format: "csv", Content: text}, nil))
	}},
	"GuessHazards as GeoJSON": {jsonTexts(), func(ctx context.Context, text string) any {
		return two(file.GuessHazards(ctx, file.HazardFile{Format: "geojson", Content: text}, nil))
	}},
	"Geometry": {featureTexts(), func(ctx context.Context, text string) any {
		_, _, err := file.Geometry(ctx, []byte(text))
		return err
	}},
	"MendJSON": {map[string]string{"no numbers": worst.Text(`[`, `NaN,`, `1]`), "signs": worst.Text(`[`, `-`, `]`), "backslashes": worst.Text(`["`, `\d`, `"]`),
		"names": worst.Text(`[`, `i`, `]`)}, func(ctx context.Context, text string) any {
		out, _, err := file.MendJSON(ctx, []byte(text), true)
		return []any{out, err}
	}},
	"HazardFeatures": {featureTexts(), func(ctx context.Context, text string) any {
		read, err := file.HazardFeatures(ctx, file.HazardFile{}, now, func(*file.HazardRow) {})
		if err == nil {
			err = read([]byte(text))
		}
		return err
	}},
}

func two[T any](value T, err error) any { return []any{value, err} }

func hazards(ctx context.Context, format, text string) any {
	var kept []file.HazardRow
	err := file.ReadHazards(ctx, file.HazardFile{Format: format, Content: text}, now, func(row *file.HazardRow) {
		if row.Reason == "" {
			kept = append(kept, *row)
		}
	})
	return []any{len(kept), err}
}

func featureTexts() map[string]string {
	geometry := func(kind, begin, repeat, end string) string {
		return worst.Text(`{"type":"Feature","geometry":{"type":"`+kind+`","coordinates":`+begin, repeat, end+`},"properties":{}}`)
	}
	return map[string]string{
		"huge numbers":             geometry("LineString", "[", "[1e308,1e308],", "[0,0]]"),
		"long numbers":             geometry("Polygon", "[[[0.", "1", ",1]]]"),
		"positions without end":    geometry("LineString", "[", "[1,1],", "[0,0]]"),
		"one position without end": geometry("Point", "[1,1", ",1", "]"),
		"many rings":               geometry("Polygon", "[", "[],", "[]]"),
		"many rings of one":        geometry("Polygon", "[", "[[1,2]],", "[]]"),
		"many polygons":            geometry("MultiPolygon", "[", "[],", "[]]"),
		"many empty polygons":      geometry("MultiPolygon", "[", "[[]],", "[]]"),
		"deep":                     geometry("Polygon", "", "[", "1"),
		"deep and closed":          worst.Text(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+"}", " ", "}"),
		"many properties":          worst.Text(`{"type":"Feature","properties":{`, `"a":1,`, `"b":1}}`),
		"many names":               worst.Text(`{"type":"Feature","properties":{`, `"NAME":"x","name ":"y",`, `"b":1}}`),
		"escaped names":            worst.Text(`{"type":"Feature","properties":{`, `"\u006e\u0061\u006d\u0065":"\ud800",`, `"b":1}}`),
		"a long text":              worst.Text(`{"type":"Feature","id":"x","properties":{"name":"`, `a `, `"}}`),
		"a long escaped text":      worst.Text(`{"type":"Feature","id":"x","properties":{"name":"`, `\u0020\n`, `"}}`),
		"a long type":              worst.Text(`{"type":"Feature","geometry":{"type":"`, `\u00e9`, `"}}`),
		"many members":             worst.Text(`{"type":"Feature",`, `"geometry":{},`, `"id":1}`),
	}
}

func jsonTexts() map[string]string {
	out := map[string]string{
		"many features":        worst.Text(`{"type":"FeatureCollection","features":[`, `{},`, `{}]}`),
		"many nothings":        worst.Text(`{"type":"FeatureCollection","features":[`, `1,`, `1]}`),
		"many points":          worst.Text(`{"type":"FeatureCollection","features":[`, `{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,1]}},`, `1]}`),
		"many full features":   worst.Text(`{"type":"FeatureCollection","features":[`, `{"type":"Feature","properties":{"name":1,"id":1,"lat":1,"lng":1}},`, `1]}`),
		"no features":          worst.Text(`{"type":"FeatureCollection","features":[]`, `,"a":[1,[]]`, `}`),
		"features many times":  worst.Text(`{"type":"FeatureCollection"`, `,"features":[]`, `}`),
		"open":                 worst.Text(`{"type":"FeatureCollection","features":[`, `{"a":`, ``),
		"a list":               worst.Text(`[`, `{},`, `{}]`),
		"a text without end":   worst.Text(`{"a":"`, `\\`, ``),
		"nothing but blanks":   worst.Text(``, "\n", ``),
		"lines":                worst.Text(``, `{"type":"Feature"}`+"\n", `x`),
		"features in a list":   worst.Text(`[`, `{"type":"Feature"},`, `{}]`),
		"envelopes":            worst.Text(`[[[`, `[[]],`, `[]]]]`),
		"a quoted file":        worst.Text(`"{\"a\":[`, `\"\u0041\",`, `1]}"`),
		"quoted many times":    worst.Text(`"`, `\\`, `"`),
		"nothing but brackets": worst.Text(``, "[", ``),
	}
	for name, text := range featureTexts() {
		const begin, end = `{"type":"FeatureCollection","features":[`, `]}`
		out["a feature: "+name] = begin + text + end
	}
	return out
}

func kmlTexts() map[string]string {
	in := func(begin, repeat, end string) string {
		return worst.Text("<kml><Placemark>"+begin, repeat, end+"</Placemark></kml>")
	}
	line := func(repeat string) string {
		return in("<LineString><coordinates>", repeat, "</coordinates></LineString>")
	}
	return map[string]string{
		"huge numbers":           line("1e308,1e308 "),
		"huge altitudes":         line("1,1,1e308 "),
		"positions":              line("1,1 "),
		"words":                  line("x "),
		"one word":               line("1,"),
		"a long number":          line("1"),
		"entities":               in("<name>", "&amp;", "</name>"),
		"numbered entities":      in("<name>", "&#x10ffff;", "</name>"),
		"an unknown entity":      in("<name>", "&a;", "</name>"),
		"attributes":             worst.Text("<kml><Placemark ", `a="" `, "/></kml>"),
		"namespaces":             worst.Text("<kml><Placemark ", `xmlns:a="b" `, "/></kml>"),
		"a long attribute":       worst.Text(`<kml><Placemark a="`, `x`, `"/></kml>`),
		"tags with attributes":   in("", `<a b="" c="" d="" e="" f=""/>`, ""),
		"a long name":            worst.Text("<kml><", "a", "/></kml>"),
		"deep":                   worst.Text("<kml>", "<a>", ""),
		"tiny elements":          in("", "<a/>", ""),
		"tiny points":            in("", "<Point/>", ""),
		"tiny polygons":          in("<MultiGeometry>", "<Polygon/>", "</MultiGeometry>"),
		"tiny rings":             in("<Polygon>", "<innerBoundaryIs><LinearRing/></innerBoundaryIs>", "</Polygon>"),
		"tiny data":              in("<ExtendedData>", `<Data name="a"><value>1</value></Data>`, "</ExtendedData>"),
		"tiny placemarks":        worst.Text("<kml>", "<Placemark/>", "</kml>"),
		"named placemarks":       worst.Text("<kml>", "<Placemark><name>A</name><Point><coordinates>1,1</coordinates></Point></Placemark>", "</kml>"),
		"a comment":              worst.Text("<kml><!--", " a", "--></kml>"),
		"comments":               in("<name>", "<!---->", "</name>"),
		"a text as it is":        in("<name><![CDATA[", "<a b='", "]]></name>"),
		"a document type":        worst.Text("<!DOCTYPE kml [", `<!ENTITY a "b">`, "]><kml/>"),
		"an instruction":         worst.Text("<?xml ", `a="b" `, "?><kml/>"),
		"an open tag":            worst.Text("<kml><a b='", "<", ""),
		"no KML":                 worst.Text("", "<", ""),
		"nothing but blanks":     worst.Text("", " ", ""),
		"elements that are open": worst.Text("<kml><Placemark>", "<a></a>", ""),
	}
}

func csvTexts(head, row string) map[string]string {
	return map[string]string{
		"many rows":             worst.Text(head+"\n", row+"\n", ""),
		"tiny rows":             worst.Text(head+"\n", "A\n", ""),
		"empty rows":            worst.Text(head+"\n", "\n", ""),
		"old line ends":         worst.Text(head+"\r", row+"\r", ""),
		"many columns":          worst.Text(head, ",", "\n"+row),
		"many named columns":    worst.Text("", "a,", "\n"+row),
		"a row of many cells":   worst.Text(head+"\n", ",", ""),
		"rows of many cells":    worst.Text(head+"\n", strings.Repeat(",", 2000)+"\n", ""),
		"open quotes":           worst.Text(head+"\n", "A,\"b\n", ""),
		"an open quote":         worst.Text(head+"\n\"", "A,b\n", ""),
		"quotes in quotes":      worst.Text(head+"\n", "\"\"\"\n", ""),
		"nothing but quotes":    worst.Text("", "\"", ""),
		"quotes and commas":     worst.Text(head+"\n", "\"\",", ""),
		"a long cell":           worst.Text(head+"\nA,", "x ", "\n"),
		"a long number":         worst.Text(head+"\nA,1", "1", ",1\n"),
		"a long head":           worst.Text("", "x", ""),
		"a head of characters":  worst.Text("", "éö", ""),
		"many separators":       worst.Text("sep=;", ";", "\n"+head),
		"nothing but blanks":    worst.Text("", " ", ""),
		"nothing but line ends": worst.Text("", "\r\n", ""),
		"control characters":    worst.Text(head+"\n", "\x01,\x01\n", ""),
	}
}

// Whatever a file of 1 MiB says, it costs no more than others can spare.
func TestTheWorstFilesAreCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: the race detector makes other costs")
	}
	for name, reader := range readers {
		for what, text := range reader.texts {
			t.Run(name+"/"+what, func(t *testing.T) {
				worst.Check(t, func(ctx context.Context) any { return reader.read(ctx, text) })
			})
		}
	}
}

// Who no longer waits for the answer makes no work.
func TestReadingEndsWithItsCall(t *testing.T) {
	long := map[string]string{
		"ReadAreas as GeoJSON":    worst.Text(`{"type":"FeatureCollection","features":[`, `{},`, `1]}`),
		"ReadAreas as KML":        worst.Text("<kml>", "<a/>", "</kml>"),
		"ReadAssetCSV":            "haas_id\n" + strings.Repeat("A\n", 5000),
		"ReadUserCSV":             "email\n" + strings.Repeat("A\n", 5000),
		"ReadHazards as CSV":      "id,lat,lng\n" + strings.Repeat("A,1,1\n", 5000),
		"ReadHazards as GeoJSON":  `{"features":[` + strings.Repeat(`{},`, 5000) + `{}]}`,
		"GuessHazards as CSV":     "id,lat,lng\n" + strings.Repeat("A,1,1\n", 5000),
		"GuessHazards as GeoJSON": `{"features":[` + strings.Repeat(`{},`, 5000) + `{}]}`,
		"MendJSON":                `[NaN]`,
		"HazardFeatures":          `{"properties":{` + strings.Repeat(`"a":1,`, 5000) + `"b":1}}`,
	}
	for name, reader := range readers {
		ended, end := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer end()
		answer := reader.read(ended, long[name])
		if list, ok := answer.([]any); ok {
			answer = list[1]
		}
		if err, _ := answer.(error); err != context.DeadlineExceeded {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A reader that is added must say what is the worst for it.
func TestEveryReaderHasItsWorstFiles(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, source := range packages["file"].Files {
		for _, d := range source.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || strings.HasPrefix(f.Name.Name, "Write") {
				continue
			}
			found++
			has := false
			for name := range readers {
				has = has || strings.Split(name, " ")[0] == f.Name.Name
			}
			if !has {
				t.Errorf("%s has no worst files: add it to readers", f.Name.Name)
			}
		}
	}
	if found == 0 {
		t.Error("no readers are found")
	}
}
