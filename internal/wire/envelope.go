package wire

import "lightbar/internal/fleet"

// One is a single resource as it leaves the server (decisions.md, "Wire"). The
// document names One[Thing] OneThing.
type One[T any] struct {
	Data T `json:"data"`
}

// List is a list or a page of resources. The document names List[Thing] Things,
// and List[SessionRow] Sessions.
type List[T any] struct {
	Data []T  `json:"data"`
	Meta Meta `json:"meta"`
}

// Meta of a list answer.
type Meta struct {
	Page    int `json:"page"`
	PerPage int `json:"per_page"`
	Total   int `json:"total" doc:"all rows, by which pages are asked for; a row that the database cannot read counts and is left out"`
	// AsOf is the server instant to send back as last_updated_timestamp.
	AsOf fleet.Instant `json:"as_of" nullable:"false"`
}

// SinglePage describes a list of n rows that is never in pages.
func SinglePage(n int, asOf fleet.Instant) Meta {
	return Meta{Page: 1, PerPage: max(n, 1), Total: n, AsOf: asOf}
}
