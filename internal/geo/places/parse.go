package places

import (
	"strings"

	"lightbar/internal/geo"
)

// Parse returns the place that a text by itself determines: coordinates, or a Plus Code. A short code ("PFV2+VJ Newark, DE") is near the
// town before or behind it, else near a place. If the town is not known here, the place near is used, and the answer is partial. p
// may be nil: there is a place on Earth without a region.
func (p *Places) Parse(text string, near geo.LatLng) (Place, bool) {
	if at, ok := geo.ReadPosition(text); ok {
		return Place{Kind: PlaceCoordinates, Label: geo.PositionText(at), Near: p.townNear(at), LatLng: at}, true
	}
	code, town, ok := codeIn(text)
	if !ok {
		return Place{}, false
	}
	letters, missing, _ := plusLetters(code)
	isPartial := false
	if missing > 0 && town != "" {
		near, isPartial = p.reference(town, near)
	}
	at, ok := ReadPlusCode(code, near)
	if !ok {
		return Place{}, false
	}
	return Place{Kind: PlacePlusCode, Label: PlusCode(at, len(letters)+missing), Near: p.townNear(at), IsPartial: isPartial, LatLng: at}, true
}

// codeIn takes the Plus Code off the beginning or the end of a text.
func codeIn(text string) (code, rest string, ok bool) {
	text = strings.Trim(text, " ,;")
	isBlank := func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' }
	if at := strings.IndexFunc(text, isBlank); at >= 0 {
		code, rest = text[:at], text[at:]
	} else {
		code = text
	}
	if _, _, ok = plusLetters(code); !ok {
		at := strings.LastIndexFunc(text, isBlank)
		code, rest = text[at+1:], text[:max(0, at)]
		_, _, ok = plusLetters(code)
	}
	return code, strings.Trim(rest, " ,;\t"), ok
}

// reference is the place that a short code is near to; partial where the text names none that is known.
func (p *Places) reference(text string, near geo.LatLng) (at geo.LatLng, isPartial bool) {
	if p == nil {
		return near, true
	}
	if town, ok := p.Town(text, near); ok {
		return town.LatLng, false
	}
	if found := p.Find(text, near, 1); len(found) > 0 && !found[0].IsPartial {
		return found[0].LatLng, false
	}
	return near, true
}

func (p *Places) townNear(at geo.LatLng) string {
	if p == nil {
		return ""
	}
	return p.TownAt(at)
}
