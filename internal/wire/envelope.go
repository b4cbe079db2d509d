package wire

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
