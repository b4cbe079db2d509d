package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// Only longitudes and latitudes of WGS 84 are taken; any other coordinate system is named.
func TestCoordinateSystemsAreNamed(t *testing.T) {
	named := func(name string) string { return `{"type":"name","properties":{"name":"` + name + `"}}` }
	for raw, want := range map[string]string{
		``: "", `null`: "", `{}`: "", named("urn:ogc:def:crs:OGC:1.3:CRS84"): "", named("urn:ogc:def:crs:EPSG::4326"): "", named("EPSG:4326"): "",
		`{"type":"EPSG","properties":{"code":4326}}`: "", named("http://www.opengis.net/def/crs/EPSG/0/4326"): "",
		named("urn:ogc:def:crs:EPSG::3857"): "urn:ogc:def:crs:EPSG::3857", named("EPSG:25832"): "EPSG:25832", named("local"): "local",
		`{"type":"EPSG","properties":{"code":"2263"}}`: "EPSG:2263", named("EPSG:14326"): "EPSG:14326",
		`{"type":"link","properties":{"href":"http://example.org/31467"}}`: "http://example.org/31467",
		`{"type":"name"}`: "unknown", `7`: "unknown",
	} {
		name, ok := fleet.CoordinateSystem([]byte(raw))
		if ok != (want == "") || !ok && name != want {
			t.Errorf("%s: %q %v, want %q", raw, name, ok, want)
		}
	}
}
