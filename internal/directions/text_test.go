package directions_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/internal/directions"
)

func TestReadADescription(t *testing.T) {
	exit := func(n string) directions.Place { return directions.Place{Kind: directions.AtExit, Text: n} }
	mile := func(text string, n float64) directions.Place {
		return directions.Place{Kind: directions.AtMile, Text: text, Number: n}
	}
	point := func(text string) directions.Place { return directions.Place{Kind: directions.AtPoint, Text: text} }
	street := func(n string) directions.Place { return directions.Place{Kind: directions.AtStreet, Text: n} }
	for text, want := range map[string]directions.Said{
		"I-95 N, exit 5 to exit 7":                      {Road: "I-95", Way: 0, From: exit("5"), To: exit("7")},
		"I 95 northbound from exit 5A to 7":             {Road: "I 95", Way: 0, From: exit("5A"), To: exit("7")},
		"interstate 95 nb exit5 - exit 7 b":             {Road: "interstate 95", Way: 0, From: exit("5"), To: exit("7B")},
		"I-95 S exits 7-5":                              {Road: "I-95", Way: 180, From: exit("7"), To: exit("5")},
		"I-95, northbound, Exit 5 thru Exit 7.":         {Road: "I-95", Way: 0, From: exit("5"), To: exit("7")},
		"I-95 exit 5 to 7 Northbound":                   {Road: "I-95", Way: 0, From: exit("5"), To: exit("7")},
		"US 13 S, mile 12.5 to 14":                      {Road: "US 13", Way: 180, From: mile("12.5", 12.5), To: mile("14", 14)},
		"DE-1 N MM 12 to MM 14":                         {Road: "DE-1", Way: 0, From: mile("12", 12), To: mile("14", 14)},
		"Route 1 n/b mile marker 12–14":                 {Road: "Route 1", Way: 0, From: mile("12", 12), To: mile("14", 14)},
		"Kirkwood Hwy from Limestone Rd to Duncan Rd":   {Road: "Kirkwood Hwy", Way: -1, From: street("Limestone Rd"), To: street("Duncan Rd")},
		"Main St between 2nd and 5th Ave":               {Road: "Main St", Way: -1, From: street("2nd"), To: street("5th Ave"), IsBetween: true},
		"Main St between 2nd & 5th Ave, Newark, DE":     {Road: "Main St", Way: -1, From: street("2nd"), To: street("5th Ave"), IsBetween: true, Town: "Newark, DE"},
		"North St W from A St to B St":                  {Road: "North St", Way: 270, From: street("A St"), To: street("B St")},
		"I-95 N at exit 7":                              {Road: "I-95", Way: 0, From: exit("7")},
		"I-95 N, exit 7 for 0.5 miles":                  {Road: "I-95", Way: 0, From: exit("7"), Meters: 804.672},
		"Market St at 5th for 500ft":                    {Road: "Market St", Way: -1, From: street("5th"), Meters: 152.4},
		"i95 from exit 5 to Foulk Rd":                   {Road: "i95", Way: -1, From: exit("5"), To: street("Foulk Rd")},
		"I-95 E from MM 3 to exit 7":                    {Road: "I-95", Way: 90, From: mile("3", 3), To: exit("7")},
		"I-95 from exit 5 to MM 8":                      {Road: "I-95", Way: -1, From: exit("5"), To: mile("8", 8)},
		"I-95 from 5 to exit 7":                         {Road: "I-95", Way: -1, From: exit("5"), To: exit("7")},
		"Main St from 39.7411, -75.5508 to 5th, Newark": {Road: "Main St", Way: -1, From: point("39.7411, -75.5508"), To: street("5th"), Town: "Newark"},
		"Main St N, 5th to 39°44'41.4\"N 75°32'54.2\"W": {Road: "Main St", Way: 0, From: street("5th"), To: point("39°44'41.4\"N 75°32'54.2\"W")},
		"Main St QFX2+2X Newark, to 2nd":                {Road: "Main St", Way: -1, From: point("QFX2+2X Newark"), To: street("2nd")},
		"Main St at qfx2+2x for 0.5 mi":                 {Road: "Main St", Way: -1, From: point("qfx2+2x"), Meters: 804.672},
		"39.7411, -75.5508 to QFX2+2X Newark":           {Way: -1, From: point("39.7411, -75.5508"), To: point("QFX2+2X Newark")},
		"from geo:39.7,-75.5 to geo:39.8,-75.6":         {Way: -1, From: point("geo:39.7,-75.5"), To: point("geo:39.8,-75.6")},
		"US 13 exit 5 to MM 12.125":                     {Road: "US 13", Way: -1, From: exit("5"), To: mile("12.125", 12.125)},
		"N from A to B":                                 {Road: "N", Way: -1, From: street("A"), To: street("B")},
		"  Concord\tPike   from Foulk Rd → Silverside":  {Road: "Concord Pike", Way: -1, From: street("Foulk Rd"), To: street("Silverside")},
	} {
		if got, err := directions.Read(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestWhatDescribesNothing(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "Say a road and where on it",
		"I-95":                         "Say a road and where on it",
		"exit 5":                       "Say a road and where on it",
		"I-95 N, exit":                 "Say which exit is meant",
		"I-95 exit 5 to exit":          "Say which exit is meant",
		"US 13 mile":                   "Say which milepost is meant",
		"US 13 mile x":                 `"x" is no milepost`,
		"39.7411, -75.5508":            "Say which road the line follows",
		"QFX2+2X to 5th":               "Say which road the line follows",
		"I-95 exit QFX2+2X":            `"QFX2+2X" is no exit's number`,
		"I-95 exit north":              `"north" is no exit's number`,
		"I-95 exit five to exit 7":     `"five" is no exit's number`,
		"Main St from":                 "Say where on the road",
		"Main St from 2nd":             "Say also where the line ends",
		"Main St between & 5th":        "Say where on the road",
		"Main St at 5th for a while":   `"a while" is no length`,
		"I-95 at exit 7 for 900 miles": `"900 miles" is no length`,
		strings.Repeat("x ", 150):      "A description has at most 200 letters.",
	} {
		_, err := directions.Read(text)
		var unclear *directions.Unclear
		if !errors.As(err, &unclear) || !strings.HasPrefix(unclear.Sentence, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzRead reads anything: a road and a first place, or a sentence.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"I-95 N, exit 5 to exit 7", "US 13 S, mile 12.5 to 14", "Main St between 2nd & 5th Ave, Newark", "a at exit5for",
		"x , , to", "I-95 exit 5-7 nb", "\xff at \xfe", "n s e w from to", "a from 39.7411, -75.5508 to QFX2+2X, B", "QFX2+2X to 39°N 75°W", "\uE0000 to b", "Market at 5th for 1 km"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		said, err := directions.Read(text)
		var unclear *directions.Unclear
		switch {
		case err != nil && (!errors.As(err, &unclear) || unclear.Sentence == "" || !utf8.ValidString(unclear.Sentence)):
			t.Fatalf("%q: %v", text, err)
		case err == nil && (said.Road == "" && said.From.Kind != directions.AtPoint || said.From.Kind == 0 || said.From.Text == "" || said.To.Kind != 0 && said.To.Text == "" || said.Meters < 0):
			t.Fatalf("%q: %+v", text, said)
		}
	})
}
