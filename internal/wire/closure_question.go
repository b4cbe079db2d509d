package wire

import "lightbar/internal/fleet"

// ClosureQuestion is what the link of a mail asks, and what has become of it.
type ClosureQuestion struct {
	ClosureID    string        `json:"closure_id"`
	Organization string        `json:"organization" doc:"the name of the closure's organization"`
	Timezone     string        `json:"timezone" doc:"of that organization"`
	Description  string        `json:"description"`
	RoadName     string        `json:"road_name"`
	Direction    string        `json:"direction" doc:"direction of traffic: N, E, S or W; empty = not specified"`
	StreetStart  string        `json:"street_start"`
	StreetEnd    string        `json:"street_end"`
	StartTime    fleet.Instant `json:"start_time" doc:"since when it is or was active; null if it was removed"`
	EndTime      fleet.Instant `json:"end_time" doc:"as planned, or estimated; if it has ended, when"`
	AskedAt      fleet.Instant `json:"asked_at" nullable:"false"`
	ExpiresAt    fleet.Instant `json:"expires_at" nullable:"false" doc:"when the closure ends if nobody answers"`
	State        string        `json:"state" doc:"open: waiting for an answer; answered: the closure is still there; ended; deleted"`
	EndReason    string        `json:"end_reason" doc:"why it has ended, as of a closure; empty = at its end"`
	AnsweredBy   string        `json:"answered_by" doc:"who confirmed, ended, or removed it: a name, or You; empty = nobody, or unknown"`
	AnsweredAt   fleet.Instant `json:"answered_at" doc:"when; null while it waits"`
}
