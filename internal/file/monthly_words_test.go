package file

import (
	"encoding/json"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Both sides say a figure and a change in the same words.
func TestMonthlyWords(t *testing.T) {
	var cases struct {
		Words []struct {
			Kind  string
			Value float64
			Miles bool
			Text  string
		}
		Changes []struct {
			Kind        string
			Now, Before float64
			Miles       bool
			Sign        int
			By, Percent string
		}
	}
	text, err := catalog.Files.ReadFile("vectors/monthly.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil || len(cases.Words) < 10 || len(cases.Changes) < 10 {
		t.Fatal(len(cases.Words), len(cases.Changes), err)
	}
	for _, c := range cases.Words {
		if got := kindWords(c.Kind, c.Value, c.Miles); got != c.Text {
			t.Errorf("%s %v: %q, not %q", c.Kind, c.Value, got, c.Text)
		}
	}
	for _, c := range cases.Changes {
		if got, want := changeOf(c.Kind, c.Now, c.Before, c.Miles), (monthlyChange{c.Sign, c.By, c.Percent}); got != want {
			t.Errorf("%s %v from %v: %+v, not %+v", c.Kind, c.Now, c.Before, got, want)
		}
	}
}

// Each figure of the catalog has its value, its section and its words, and no value lacks its figure.
func TestMonthlyFiguresAreTheCatalogs(t *testing.T) {
	all := catalog.MonthlyReport()
	sections := map[string]bool{}
	for _, s := range all.Sections {
		sections[s.Name] = true
	}
	seen := map[string]bool{}
	for _, f := range all.Figures {
		if monthlyFigures[f.Name] == nil || !sections[f.Section] || all.Ways[f.Kind][0] == "" || f.Means == "" || seen[f.Name] {
			t.Errorf("%s: %+v", f.Name, f)
		}
		seen[f.Name] = true
		if v := monthlyFigures[f.Name](&fleet.MonthlyFigures{}); v != nil && *v != 0 {
			t.Errorf("%s of nothing is %v", f.Name, *v)
		}
	}
	if len(seen) != len(monthlyFigures) {
		t.Errorf("%d figures in the catalog, %d have a value", len(seen), len(monthlyFigures))
	}
}
