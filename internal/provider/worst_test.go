package provider_test

import (
	"context"
	"strings"
	"testing"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/worst"
)

// worstTexts are answers that want to cost more than they are.
func worstTexts(kind string) map[string]string {
	begin, end := `{"data":[`, `]}`
	if strings.HasPrefix(kind, "Geotab") {
		begin, end = `{"result":{"data":[`, `],"toVersion":"0000000000000001"}}`
	}
	if kind == "Geotab's devices" {
		begin, end = `{"result":[`, `]}`
	}
	of := func(repeat, last string) string { return worst.Text(begin, repeat, last+end) }
	out := map[string]string{
		"nothings":          of(`1,`, `1`),
		"empty":             of(`{},`, `{}`),
		"lists":             of(`[],`, `[]`),
		"ids":               of(`{"id":"a"},`, `{"id":"a"}`),
		"positions":         of(`{"device":"b","dateTime":"2026-01-01T00:00:00Z","latitude":1,"longitude":1},`, `1`),
		"states":            of(`{"device":"b","dateTime":"2026-01-01T00:00:00Z","diagnostic":"DiagnosticAux1Id","data":1},`, `1`),
		"vehicles":          of(`{"id":"1","gps":[{"time":"2026-01-01T00:00:00Z","latitude":1,"longitude":1}]},`, `1`),
		"readings":          of(`{"id":"1","gps":[`+strings.Repeat(`{},`, 100)+`{}]},`, `1`),
		"one vehicle":       worst.Text(begin+`{"id":"1","gps":[`, `{},`, `{}]}`+end),
		"one vehicle's":     worst.Text(begin+`{"id":"1","gps":[`, `{"time":"2026-01-01T00:00:00Z","latitude":1,"longitude":1},`, `{}]}`+end),
		"inputs":            worst.Text(begin+`{"id":"1","auxInput1":[`, `{"time":"2026-01-01T00:00:00Z","name":"Emergency Lights","value":true},`, `{}]}`+end),
		"members":           worst.Text(begin+`{`, `"gps":[],`, `"id":"1"}`+end),
		"ids of one":        worst.Text(begin+`{`, `"id":"1",`, `"id":"1"}`+end),
		"a long id":         worst.Text(begin+`{"id":"`, `x`, `"}`+end),
		"an escaped id":     worst.Text(begin+`{"id":"`, `\u0020`, `"}`+end),
		"a long number":     worst.Text(begin+`{"latitude":1`, `0`, `}`+end),
		"deep":              worst.Text(begin, `[`, ``),
		"deep objects":      worst.Text(begin, `{"a":`, ``),
		"deep for a list":   worst.Text(`{"result":{"data":{"a":`, `[`, ``),
		"deep elsewhere":    worst.Text(`{"other":`, `[`, ``),
		"errors":            worst.Text(`{"error":{"errors":[`, `{},`, `{"name":"x"}]}}`),
		"many errors":       worst.Text(`{`, `"error":{},`, `"error":{}}`),
		"many results":      worst.Text(`{`, `"result":{},`, `"result":{}}`),
		"many pages":        worst.Text(`{`, `"data":[],`, `"data":[]}`),
		"other members":     worst.Text(`{`, `"a":1,`, `"a":1}`),
		"names":             worst.Text(`{"`, `a`, `":1}`),
		"open":              worst.Text(begin, `{"id":`, ``),
		"blanks":            worst.Text(``, ` `, ``),
		"HTML":              worst.Text(`<html>`, `<p>`, ``),
		"a text":            worst.Text(`"`, `\\`, `"`),
		"a version":         worst.Text(`{"result":{"toVersion":"`, `0`, `"}}`),
		"different devices": different(begin, end),
	}
	return out
}

// different has another id in each element: what is kept by id is kept for each.
func different(begin, end string) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := 0; b.Len() < worst.Size-200; i++ {
		b.WriteString(`{"id":"`)
		for n := i; ; n /= 26 {
			b.WriteByte(byte('a' + n%26))
			if n < 26 {
				break
			}
		}
		b.WriteString(`"},`)
	}
	b.WriteString(`1` + end)
	return b.String()
}

// 1 MiB of the worst answer holds 16 MiB at most, and ends soon.
func TestWorstAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("time and memory are measured without the race detector")
	}
	for kind, decode := range provider.Decoders {
		for name, text := range worstTexts(kind) {
			t.Run(kind+", "+name, func(t *testing.T) {
				worst.Check(t, func(ctx context.Context) any {
					value, err := decode(ctx, 200, text)
					return []any{value, err}
				})
			})
		}
	}
}
