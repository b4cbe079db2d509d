package wire

import "lightbar/internal/fleet"

// FeedSubscription is a feed of someone else's that an organization reads.
type FeedSubscription struct {
	ID             string            `json:"id"`
	OrganizationID string            `json:"organization_id"`
	Name           string            `json:"name" doc:"also the source of its closures and hazards"`
	Format         string            `json:"format" enum:"wzdx,cwz,cifs,geojson,csv"`
	URL            string            `json:"url" doc:"its user name and query values are returned as ***; without full reach, only the host"`
	IsActive       bool              `json:"is_active" doc:"false: paused, with nothing active"`
	Columns        HazardColumns     `json:"columns"`
	Types          map[string]string `json:"types" doc:"what the feed calls a type: a type of hazards"`
	Timezone       string            `json:"timezone" doc:"of instants without an offset in csv and geojson; empty = the organization's"`
	TimeFormat     string            `json:"time_format" doc:"of csv and geojson; empty = iso"`
	// Status is judged when the answer is made.
	Status        string         `json:"status" enum:"waiting,good,failing,held,frozen,off" doc:"waiting: not fetched yet; held: much shorter than before, and what is missing stays active for now; frozen: good fetches, but nothing new for a day"`
	LastFetchedAt fleet.Instant  `json:"last_fetched_at"`
	LastGoodAt    fleet.Instant  `json:"last_good_at" doc:"the last complete fetch"`
	LastChangedAt fleet.Instant  `json:"last_changed_at" doc:"when its features last changed"`
	PublishedAt   fleet.Instant  `json:"said_at" doc:"when it was published, as it states; null = not stated"`
	Publisher     string         `json:"publisher" doc:"as it states"`
	Kept          int            `json:"kept" doc:"features of the last document that could be read; kept and refused are all"`
	Refused       int            `json:"refused"`
	Reasons       map[string]int `json:"reasons" doc:"number refused by reason: feedReasons in the catalog"`
	Closures      int            `json:"closures" doc:"number of its closures that are active or scheduled"`
	Hazards       int            `json:"hazards" doc:"number of its active hazards"`
	Missing       int            `json:"missing" doc:"with held: number of its closures and hazards that are missing"`
	HeldUntil     fleet.Instant  `json:"held_until" doc:"when what is missing ends; null = nothing is missing"`
	Problem       *string        `json:"problem" doc:"why the last fetch failed: feedProblems in the catalog; null = it didn't"`
	HTTPCode      *int           `json:"http_code" doc:"with the problem status; else null"`
	NextFetchAt   fleet.Instant  `json:"next_fetch_at" doc:"null: it is paused"`
	Fetches       []FeedFetch    `json:"fetches" doc:"the last 20, the newest first"`
	Version       int64          `json:"version" doc:"counts edits; fetches don't raise it"`
	UpdatedAt     fleet.Instant  `json:"updated_at" doc:"of the last edit or fetch; null where is_deleted"`
	IsDeleted     bool           `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// FeedFetch is one fetch of a feed.
type FeedFetch = fleet.FeedFetch

// FeedSubscriptionWrite is what a subscription is made and edited with: what is
// left out stays as it is, or as a new one has it.
type FeedSubscriptionWrite struct {
	ID             *ID                `json:"id,omitempty" format:"uuid" doc:"for a new one; sending the same request again creates no second one"`
	OrganizationID *ID                `json:"organization_id,omitempty" format:"uuid" doc:"for a new one; default the caller's organization. It can't be changed"`
	Name           *string            `json:"name,omitempty" text:"name,required"`
	Format         *string            `json:"format,omitempty" doc:"wzdx, cwz, cifs, geojson (lines are closures, points hazards) or csv (hazards)"`
	URL            *string            `json:"url,omitempty" doc:"http or https; send it back as returned to keep it"`
	IsActive       *bool              `json:"is_active,omitempty" doc:"default true"`
	Columns        *HazardColumns     `json:"columns,omitempty" doc:"of csv, and of points in geojson"`
	Types          *map[string]string `json:"types,omitempty" doc:"what the feed calls a type: a type of hazards; other words are other"`
	Timezone       *string            `json:"timezone,omitempty" doc:"IANA, of times without an offset; empty = the organization's, for wzdx and cwz UTC"`
	TimeFormat     *string            `json:"time_format,omitempty" doc:"iso (default), unix, unix_ms, or a pattern such as yyyy/MM/dd hh:mm:ss a"`
}

// FeedAccept says how much of a held feed was seen to be missing, and may end.
type FeedAccept struct {
	Missing int `json:"missing" minimum:"1" doc:"the subscription's missing count as shown; if it has changed, the answer is 409"`
}

// GoneFeedSubscription is the row of a subscription that was deleted: only its id means something.
func GoneFeedSubscription(id string) FeedSubscription {
	return FeedSubscription{ID: id, Format: "wzdx", Status: "off", Types: map[string]string{}, Reasons: map[string]int{},
		Fetches: []FeedFetch{}, IsDeleted: true}
}
