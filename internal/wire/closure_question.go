package wire

import "lightbar/internal/fleet"

// ClosureQuestion is what the link of a mail asks, and what has become of it.
type ClosureQuestion struct {
	ClosureID    string        `json:"closure_id"`
	Organization string        `json:"organization" doc:"the name of the closure's organization"`
	Timezone     string        `json:"timezone" doc:"of that organization"`
	Description  string        `json:"description"`
	RoadName     string        `json:"road_name"`
	Direction    string        `json:"direction" doc:"of the traffic: N, E, S or W; empty = not said"`
	StreetStart  string        `json:"street_start"`
	StreetEnd    string        `json:"street_end"`
	StartTime    fleet.Instant `json:"start_time" doc:"since when it stands or stood; null where it was removed"`
	EndTime      fleet.Instant `json:"end_time" doc:"as agreed, or estimated; when it ended, of one that has"`
	AskedAt      fleet.Instant `json:"asked_at" nullable:"false"`
	ExpiresAt    fleet.Instant `json:"expires_at" nullable:"false" doc:"when the closure ends if nobody answers"`
	State        string        `json:"state" doc:"open: it waits for an answer; answered: the closure still stands; ended; deleted"`
	EndReason    string        `json:"end_reason" doc:"why it has ended, as of a closure; empty = at its end"`
	AnsweredBy   string        `json:"answered_by" doc:"who confirmed, ended or removed it: a name, You; empty = nobody, or not known"`
	AnsweredAt   fleet.Instant `json:"answered_at" doc:"when; null while it waits"`
}
