package fleet_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

type postal struct {
	Address1    string `json:"address1"`
	Address2    string `json:"address2"`
	City        string `json:"city"`
	State       string `json:"state"`
	PostalCode  string `json:"postal_code"`
	CountryCode string `json:"country_code"`
}

type addressVectors struct {
	Cases []struct {
		Name    string
		Address postal
		Normal  map[string]string
		Fields  map[string]string
	}
	Words []struct {
		Country, State, PostalCode string
		StateList                  bool
	}
}

// spec: 5.address.01 5.address.02 5.address.03 5.address.04 5.address.05 5.address.06 5.address.07 3.user.02
func TestAddressVectors(t *testing.T) {
	rows := vectors[addressVectors](t, "address.json").Cases
	if len(rows) < 20 {
		t.Fatalf("only %d cases", len(rows))
	}
	for _, row := range rows {
		got, wrong := fleet.CheckAddress(fleet.Address(row.Address))
		if !maps.Equal(wrong, row.Fields) {
			t.Errorf("%s: %v, want %v", row.Name, wrong, row.Fields)
		}
		leaves := map[string]string{"state": got.State, "postal_code": got.PostalCode, "country_code": got.CountryCode}
		for field, want := range row.Normal {
			if leaves[field] != want {
				t.Errorf("%s: %s leaves as %q, want %q", row.Name, field, leaves[field], want)
			}
		}
		if again, still := fleet.CheckAddress(got); len(wrong) == 0 && (again != got || len(still) != 0) {
			t.Errorf("%s: what was taken is not taken again: %+v %v", row.Name, again, still)
		}
	}
}

// The labels and which countries have a list stand in the catalog.
// spec: 5.address.08 5.address.09
func TestAddressWords(t *testing.T) {
	words := catalog.AllEnums().AddressWords
	for _, row := range vectors[addressVectors](t, "address.json").Words {
		w, ok := words[strings.ToUpper(row.Country)]
		if !ok {
			w = words["default"]
		}
		if w.State != row.State || w.PostalCode != row.PostalCode || w.StateList != row.StateList {
			t.Errorf("%q: %+v", row.Country, w)
		}
		if _, list := catalog.AllEnums().States[strings.ToUpper(row.Country)]; list != row.StateList {
			t.Errorf("%q: a list of states is there: %v", row.Country, list)
		}
	}
	for country, states := range catalog.AllEnums().States {
		var codes []string
		for _, s := range states {
			codes = append(codes, s.Code)
			if len(s.Code) != 2 || s.Name == "" {
				t.Errorf("%s: %+v", country, s)
			}
		}
		slices.Sort(codes)
		if len(slices.Compact(codes)) != len(states) {
			t.Errorf("%s: a code stands twice", country)
		}
	}
}

func TestCheckText(t *testing.T) {
	for _, row := range []struct{ in, out, sentence string }{
		{"  Ada  ", "Ada", ""}, {"", "", ""}, {"Åsa Ünlü 李", "Åsa Ünlü 李", ""}, {"O'Neill-S", "O'Neill-S", ""},
		{"12345678901", "12345678901", "Must be 10 or fewer characters"}, {"äöüäöüäöüä", "äöüäöüäöüä", ""},
		{"a\x00b", "a\x00b", "Please use printable characters"}, {"a\nb", "a\nb", "Please use printable characters"},
		{"a\u202eb", "a\u202eb", "Please use printable characters"}, {"a\u2066b", "a\u2066b", "Please use printable characters"},
		{"a\xffb", "a\xffb", "Please use printable characters"}, {"a\u0085b", "a\u0085b", "Please use printable characters"},
	} {
		if out, sentence := fleet.CheckText(row.in, 10); out != row.out || sentence != row.sentence {
			t.Errorf("%q: %q %q", row.in, out, sentence)
		}
	}
}

// Whatever is typed: no panic, and what is taken is printable, in capitals and stays as it is.
func FuzzCheckAddress(f *testing.F) {
	f.Add("1 Main St", "DE", "19801", "US")
	f.Add("", "on", "k1a 0b1", "ca")
	f.Add("\x00", "\u202e", "SW1_A", "GBR")
	f.Fuzz(func(t *testing.T, street, state, code, country string) {
		got, wrong := fleet.CheckAddress(fleet.Address{Address1: street, State: state, PostalCode: code, CountryCode: country})
		if len(wrong) > 0 {
			return
		}
		for _, text := range []string{got.Address1, got.State, got.PostalCode, got.CountryCode} {
			if !utf8.ValidString(text) || strings.TrimSpace(text) != text {
				t.Errorf("taken: %q", text)
			}
		}
		if again, still := fleet.CheckAddress(got); again != got || len(still) != 0 {
			t.Errorf("%+v becomes %+v %v", got, again, still)
		}
	})
}
