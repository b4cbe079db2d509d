package wire

import "lightbar/internal/fleet"

// Change is what became of a record.
type Change struct {
	At   fleet.Instant `json:"at" nullable:"false" doc:"when the server learned of it"`
	Noun string        `json:"noun"`
	ID   string        `json:"id"`
	Name string        `json:"name" doc:"empty where it has none, as an event without a street"`
	What string        `json:"what" enum:"opened,activated,ended,expired,cleared,withdrawn,silent,heard,created,changed,published,confirmed,deleted" doc:"silent: no sign of life for 10 minutes; heard: reporting again; withdrawn: an asset drove through a hazard; published: a closure went into the public feeds"`
	By   *string       `json:"by" doc:"who did it, in words, as far as the caller may know; null if nobody did, or unknown"`
}

// Changes are the newest changes and a count of all.
type Changes struct {
	Data   []Change                  `json:"data" doc:"newest first, at most 500"`
	Meta   Meta                      `json:"meta"`
	Counts map[string]map[string]int `json:"counts" doc:"of all changes, by noun and kind, complete"`
}
