package places

import (
	"strings"
	"testing"

	"lightbar/internal/geo"
)

func TestABlankNameIsNone(t *testing.T) {
	r, p := opened(t, numberedCounty())
	for i := range 2 {
		at := geo.LatLng{Lat: 40 + (4504+float64(i))/111195, Lng: -75 + 3150.0/85180}
		if street, ok := r.Nearest(at.Lat, at.Lng, 90); ok && strings.TrimFunc(street.Name, func(r rune) bool { return r <= ' ' || r == '\u200b' }) != street.Name {
			t.Errorf("%q", street.Name)
		}
	}
	for i := range p.names {
		if name := p.texts.At(p.names[i].name); strings.Trim(name, " \u200b") != name {
			t.Errorf("%q is a name", name)
		}
	}
}
