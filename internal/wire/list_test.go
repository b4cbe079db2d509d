package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// written is what encoding/json writes of a list; its type has no WriteJSON.
func written[T any](t *rapid.T, l wire.List[T]) string {
	type plain wire.List[T]
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plain(l)); err != nil {
		t.Skip(err)
	}
	return want.String()
}

func checkList[T any](t *rapid.T, l wire.List[T]) {
	var got bytes.Buffer
	if err := l.WriteJSON(&got); err != nil {
		t.Fatal(err)
	}
	if want := written(t, l); got.String() != want {
		t.Fatalf("got  %s\nwant %s", got.String(), want)
	}
}

// Lists with long fields say what encoding/json says, byte for byte, also where a text looks like such a field.
func TestListsAreWrittenAsByEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degrees := rapid.OneOf(rapid.Float64Range(-180, 180), rapid.SampledFrom([]float64{0, 39.7391234, -75.5, 1e-7, -1e-6, 1e-9, 100, 39.739210000000004}),
			rapid.Map(rapid.Int32(), fleet.FromFixed))
		line := rapid.OneOf(rapid.Just([]fleet.LatLng(nil)), rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fleet.LatLng {
			return fleet.LatLng{Lat: degrees.Draw(t, "lat"), Lng: degrees.Draw(t, "lng")}
		}), 0, 4))
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{`"user_route":null`, `","area_geom":null`, "<&>\u2028"}))
		meta := wire.Meta{Page: 1, PerPage: 25, Total: rapid.IntRange(0, 3).Draw(t, "total"), AsOf: 1}
		closures, areas := wire.List[wire.Closure]{Data: []wire.Closure{}, Meta: meta}, wire.List[wire.Area]{Data: []wire.Area{}, Meta: meta}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			closures.Data = append(closures.Data, wire.Closure{ID: "1", Description: text.Draw(t, "description"), GeocodedRoute: line.Draw(t, "geocoded"),
				CalculatedRoute: line.Draw(t, "calculated"), UserRoute: line.Draw(t, "user"), RoadName: text.Draw(t, "road")})
			areas.Data = append(areas.Data, wire.Area{ID: "1", Name: text.Draw(t, "name"), Desc: text.Draw(t, "desc"),
				AreaGeom: rapid.SampledFrom([]wire.Geometry{nil, wire.Geometry(`{"type":"LineString","coordinates":[[1,2],[3,4.5]]}`)}).Draw(t, "shape")})
		}
		checkList(t, closures)
		checkList(t, areas)
		checkList(t, wire.List[wire.Hazard]{Data: []wire.Hazard{{ID: text.Draw(t, "hazard")}}, Meta: meta})
	})
}
