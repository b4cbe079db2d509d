package directions

import (
	"testing"

	"lightbar/internal/geo/route"
)

func TestWhatMostOfAWayIsCalled(t *testing.T) {
	motorway := route.Step{Name: "Delaware Turnpike", Ref: "I 95;DE 1", Class: "motorway", DistanceM: 800}
	for want, steps := range map[string][]route.Step{
		"I-95":      {{Name: "Ramp Road", Class: "residential", DistanceM: 500}, motorway},
		"Ramp Road": {{Name: "Ramp Road", DistanceM: 500}, {Name: "Side", DistanceM: 450}, {Name: "Ramp Road", DistanceM: 1}, {DistanceM: 900}},
		"US 13":     {{Ref: "US 13", Class: "trunk", DistanceM: 5}},
		"":          {{Class: "service", DistanceM: 5}},
	} {
		if got := longest(namesOf(steps)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAFirstLetterIsWhole(t *testing.T) {
	for text, want := range map[string]string{"émile-Zola Straße": "Émile-Zola Straße", "Émile": "Émile", "exit 5": "Exit 5", "ǆep": "ǅep", "": "", "улица": "Улица",
		"\xff": "\xff"} {
		if got := capital(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
