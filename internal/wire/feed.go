package wire

import "lightbar/internal/fleet"

// Feeds are the public documents of an organization's closures, and who reads them.
type Feeds struct {
	IsPublishing bool           `json:"is_publishing" doc:"the organization publishes work zones (is_wzdx_org); false: the addresses answer 404"`
	IsPublic     bool           `json:"is_public" doc:"anyone can read them, and there is a page; false: only keys with the scope feeds"`
	PageURL      string         `json:"page_url" doc:"the public page, while is_public"`
	Documents    []FeedDocument `json:"documents"`
	Consumers    []FeedConsumer `json:"consumers" doc:"the keys that can read them, newest first"`
}

// FeedDocument is the address of a document.
type FeedDocument struct {
	Name         string `json:"name"`
	URL          string `json:"url"`
	Scope        string `json:"scope" enum:"feeds,alerts" doc:"the scope a key needs; alerts are never public"`
	IsPublicOnly bool   `json:"is_public_only" doc:"available only while is_public"`
}

// FeedConsumer is a key that may read feeds.
type FeedConsumer struct {
	ID            string        `json:"id"`
	Name          string        `json:"name" doc:"the key's description, else its first characters"`
	Status        string        `json:"status" enum:"never,reading,silent" doc:"silent: no fetch for 15 minutes"`
	LastFetchedAt fleet.Instant `json:"last_fetched_at" doc:"null: never, or more than 30 days ago; at most 10 s late"`
	FetchesToday  int64         `json:"fetches_today" doc:"since midnight UTC; 304 counts"`
}
