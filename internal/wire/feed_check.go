package wire

// FeedCheck names what is to be checked: the document at an address, or one that is sent.
type FeedCheck struct {
	URL     string `json:"url,omitempty" doc:"https://… or http://…, at most 2000 characters; it must be public"`
	Content string `json:"content,omitempty" doc:"instead of url: the document's text, at most 10 MB"`
}
