package device

import (
	"encoding/json"
	"strings"
	"testing"

	"lightbar/internal/app"
)

// What is counted before memory is taken for it is what is decoded afterwards.
func FuzzAssets(f *testing.F) {
	f.Add(`{"things":[{"haas_id":"A-1","thing_type":"fire"}]}`)
	f.Add(`{"things":[{}],"THINGS":[{},{}]}`)
	f.Add(`{"things":null}`)
	f.Add(`{"x":{"things":[1]},"things":[]} `)
	f.Add(`{"thing\u0073":[{}]}`)
	f.Add(`{"things":[` + strings.Repeat(`{},`, 10_000) + `{}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		if countThings(body) != nil {
			return
		}
		var in IngestAssets
		if json.Unmarshal([]byte(body), &in) == nil && len(in.Things) > app.ItemsPerBatch() {
			t.Errorf("%d assets passed the count", len(in.Things))
		}
	})
}
