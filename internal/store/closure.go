package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/points"
)

var closures = table[fleet.Closure]{name: "closure", columns: func(c *fleet.Closure) []column {
	return []column{
		{"id", &c.ID, keyed}, {"organization_id", &c.OrganizationID, edit}, {"kind", &c.Kind, edit},
		{"out_of_service", &c.OutOfService, edit}, {"description", &c.Description, edit}, {"alert_message", &c.AlertMessage, edit},
		{"direction", &c.Direction, edit | driven}, {"impacted_lanes", asJSON(&c.ImpactedLanes), edit}, {"total_lanes", &c.TotalLanes, edit},
		{"geocoded_route", asLine(&c.GeocodedRoute), edit | driven}, {"calculated_route", asLine(&c.CalculatedRoute), edit | driven},
		{"user_route", asLine(&c.UserRoute), edit}, {"street_start", &c.StreetStart, edit | driven}, {"street_end", &c.StreetEnd, edit | driven},
		{"road_name", &c.RoadName, edit | driven}, {"is_published", &c.IsPublished, edit}, {"external_id", &c.ExternalID, edit},
		{"location_method", &c.LocationMethod, edit}, {"vehicle_impact", &c.VehicleImpact, edit}, {"group_id", &c.GroupID, edit},
		{"start_at", &c.StartAt, edit | driven}, {"end_at", &c.EndAt, edit | driven}, {"last_start_at", &c.LastStartAt, edit | driven},
		{"ended_at", &c.EndedAt, edit | driven}, {"end_reason", &c.EndReason, edit | driven}, {"end_estimated", &c.EndEstimated, edit | driven},
		{"verified_at", &c.VerifiedAt, edit | driven}, {"verified_by", jsonOf(&c.VerifiedBy), edit | driven},
		{"thing_id", &c.ThingID, edit | driven},
		{"responsible_user_id", &c.ResponsibleUserID, edit}, {"asked_at", &c.AskedAt, edit},
		{"others_asked_at", &c.OthersAskedAt, once},
		{"recurrence", asPattern(c), edit}, {"schedule", jsonOf(&c.Weekly), edit}, {"turns_at", &c.NextChangeAt, edit},
		{"feed_subscription_id", &c.FeedSubscriptionID, once}, {"source", &c.Source, edit},
		{"version", &c.Version, edit}, {"updated_at", &c.UpdatedAt, edit | driven}, {"deleted_at", &c.DeletedAt, edit},
	}
}}

// asJSON is a list that the database stores as JSON; an empty text for an empty list.
func asJSON[T any](at *[]T) asText {
	return asText{
		write: func() string {
			if len(*at) == 0 {
				return ""
			}
			text, _ := json.Marshal(*at) // numbers that the law has judged
			return string(text)
		},
		read: func(text string) error {
			if *at = nil; text == "" {
				return nil
			}
			return json.Unmarshal([]byte(text), at)
		},
	}
}

// pattern is a recurrence as the database stores it.
type pattern struct {
	fleet.Recurrence
	Since fleet.Instant `json:"since"`
}

// asPattern is a closure's recurrence, and since when it is agreed.
func asPattern(c *fleet.Closure) asText {
	return asText{
		write: func() string {
			if c.Recurrence == nil {
				return ""
			}
			kept := &pattern{*c.Recurrence, c.RecursSince}
			return jsonOf(&kept).write()
		},
		read: func(text string) error {
			var kept *pattern
			err := jsonOf(&kept).read(text)
			if c.Recurrence, c.RecursSince = nil, 0; kept != nil {
				c.Recurrence, c.RecursSince = &kept.Recurrence, kept.Since
			}
			return err
		},
	}
}

var (
	saveDriven       = closures.updates(driven, "deleted_at", "")
	automatedClosure = closures.selects("WHERE kind = 'automated' AND deleted_at = 0 ORDER BY id")
	closureOfThing   = closures.selects("WHERE thing_id = $1 AND thing_id <> '' AND deleted_at = 0")
)

// SaveDrivenClosure writes the changes that an asset makes to an automated closure. Its version stays.
func (tx *Tx) SaveDrivenClosure(ctx context.Context, c *fleet.Closure) error {
	_, err := saveDriven.run(ctx, tx, c, 0)
	return err
}

// ListAutomatedClosures reads every closure that an asset drives.
func ListAutomatedClosures(ctx context.Context, r Reader) ([]*fleet.Closure, error) {
	return automatedClosure.refs(ctx, r)
}

// ClosureOfThing finds the closure that an asset drives. ErrNotFound when there is none.
func ClosureOfThing(ctx context.Context, r Reader, thingID string) (fleet.Closure, error) {
	return closureOfThing.one(ctx, r, thingID)
}

// Closures are work zones.
var Closures = recordsOf(closures)

// Closed for some of a period, by its own time or the last occurrence; deleted ones were closed then all the same. Only the law can
// decide about recurring ones, so all of them are read.
var closuresBetween = closures.selects(`WHERE organization_id = $1 AND (start_at > 0 AND start_at < $2 AND (end_at = 0 OR end_at >= $3)
OR last_start_at > 0 AND last_start_at < $2 AND ended_at >= $3 OR recurrence <> '') ORDER BY start_at, id LIMIT $4 OFFSET $5`)

// ClosuresBetween reads a page of an organization's closures that lasted at some time from, to (to excluded), the first one
// first; those that were deleted since, and those of feeds, are among them, and all with a pattern. seen
// counts those that cannot be read, too.
func ClosuresBetween(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant, perPage, skip int) (
	page []fleet.Closure, seen int, err error) {
	return closuresBetween.some(ctx, r, organizationID, int64(to), int64(from), perPage, skip)
}

// A closure that was active in a month may have other times now: then it was changed after the month began.
var closuresOfMonth = closures.selects("WHERE " + ownClosures + ` AND (updated_at >= $2 OR start_at > 0 AND start_at < $3
AND (end_at = 0 OR end_at >= $2) OR recurrence <> '') ORDER BY id LIMIT $4 OFFSET $5`)

// OwnClosuresSince reads a page of an organization's own closures of which some version may have been active from, to (to
// excluded), by their ids, including those deleted since. seen also counts those that cannot be read.
func OwnClosuresSince(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant, perPage, skip int) (
	page []fleet.Closure, seen int, err error) {
	return closuresOfMonth.some(ctx, r, organizationID, int64(from), int64(to), perPage, skip)
}

var closureNamed = closures.selects(
	"WHERE lower(external_id) = lower($1) AND external_id <> '' AND deleted_at = 0 AND feed_subscription_id = '' ORDER BY id LIMIT 1")

// ClosureNamed finds our closure with an id of feeds, ignoring letter case, of any organization. ErrNotFound when there is none.
func ClosureNamed(ctx context.Context, r Reader, externalID string) (fleet.Closure, error) {
	return closureNamed.one(ctx, r, externalID)
}

// Documents contain only our own closures: those of feeds are not republished.
const ownClosures = "organization_id = $1 AND feed_subscription_id = ''"

var closuresChanged = closures.selects("WHERE " + ownClosures + " AND updated_at >= $2 ORDER BY id")

const newestClosure = "SELECT updated_at FROM closure WHERE " + ownClosures + " ORDER BY updated_at DESC LIMIT 1"

// closuresOfTheClock are those that the clock may still change, or has changed
// since they were written; of those of feeds, which are many, the latter alone.
var closuresOfTheClock = closures.selects(`WHERE deleted_at = 0 AND (feed_subscription_id = '' AND (end_at > updated_at OR recurrence <> '')
OR feed_subscription_id <> '' AND start_at > 0 AND (start_at > updated_at AND start_at <= $1 OR end_at > updated_at AND end_at <= $1
OR turns_at > 0 AND turns_at <= $1 OR verified_at <= $2 AND updated_at - verified_at < $3)) ORDER BY id`)

// ClosuresOfTheClock reads the closures of all organizations that a clock may have to change; silent is how long a closure lasts
// after its feed last reported it.
func ClosuresOfTheClock(ctx context.Context, r Reader, now fleet.Instant, silent time.Duration) ([]*fleet.Closure, error) {
	return closuresOfTheClock.refs(ctx, r, int64(now), int64(now.Add(-silent)), silent.Milliseconds())
}

var askedClosures = closures.selects("WHERE deleted_at = 0 AND asked_at > verified_at AND asked_at > $1 ORDER BY id")

// AskedClosures reads the closures of all organizations about which somebody was asked after an instant, and has not answered.
func AskedClosures(ctx context.Context, r Reader, after fleet.Instant) ([]*fleet.Closure, error) {
	return askedClosures.refs(ctx, r, int64(after))
}

var drawnClosures = closures.selects(`WHERE deleted_at = 0 AND kind = 'manual'
AND (recurrence <> '' OR start_at > 0 AND start_at <= $1 AND end_at > $1) ORDER BY id`)

// DrawnClosures reads the closures of all organizations that somebody drew and that may be active at an instant.
func DrawnClosures(ctx context.Context, r Reader, now fleet.Instant) ([]*fleet.Closure, error) {
	return drawnClosures.refs(ctx, r, int64(now))
}

var closuresOfFeed = closures.selects(
	"WHERE feed_subscription_id = $1 AND feed_subscription_id <> '' AND deleted_at = 0 ORDER BY id LIMIT $2")

// ClosuresOfFeed reads the closures that came from a feed, at most so many.
func ClosuresOfFeed(ctx context.Context, r Reader, feedID string, most int) ([]*fleet.Closure, error) {
	return closuresOfFeed.refs(ctx, r, feedID, most)
}

var goneOfFeed = closures.selects("WHERE feed_subscription_id = $1 AND feed_subscription_id <> '' AND external_id = $2 " +
	"AND deleted_at > 0 ORDER BY deleted_at DESC, id LIMIT 1")

// GoneClosureOfFeed reads the last deleted closure with an id of a feed. ErrNotFound when there is none.
func GoneClosureOfFeed(ctx context.Context, r Reader, feedID, externalID string) (fleet.Closure, error) {
	return goneOfFeed.one(ctx, r, feedID, externalID)
}

var closuresOfFeeds = closures.selects("WHERE organization_id = $1 AND feed_subscription_id <> '' AND deleted_at = 0 ORDER BY id")

// ClosuresOfFeeds reads the closures that all feeds brought to an organization.
func ClosuresOfFeeds(ctx context.Context, r Reader, organizationID string) ([]*fleet.Closure, error) {
	return closuresOfFeeds.refs(ctx, r, organizationID)
}

var saveFeedClosure = closures.updates(edit, "feed_subscription_id", "")

// SaveFeedClosure writes the changes that a feed or its end makes to one of its closures. Nobody else edits those.
func (tx *Tx) SaveFeedClosure(ctx context.Context, c *fleet.Closure) error {
	_, err := saveFeedClosure.run(ctx, tx, c, c.FeedSubscriptionID)
	return err
}

var forgetClosuresOfFeed = "DELETE FROM closure AS x WHERE x.feed_subscription_id = $1 AND x.feed_subscription_id <> '' " +
	"AND x.deleted_at > 0 AND x.deleted_at < $2 AND NOT " +
	strings.ReplaceAll(points.Held("x.organization_id", "x.thing_id", "0", "x.updated_at"), "$now", "$3")

// ForgetClosuresOfFeed removes closures of a feed that were deleted before an instant: lists showed that long ago. Closures under
// legal hold stay.
func (tx *Tx) ForgetClosuresOfFeed(ctx context.Context, feedID string, before, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, forgetClosuresOfFeed, feedID, int64(before), int64(now))
	return err
}

const closuresState = "SELECT COUNT(*), COALESCE(SUM(version), 0), COALESCE(MAX(updated_at), 0) FROM closure WHERE " + ownClosures

// ClosuresChanged reads the closures of an organization that were changed at or
// after an instant, 0 = all, deleted ones too, in the order of ids.
func ClosuresChanged(ctx context.Context, r Reader, organizationID string, since fleet.Instant) ([]*fleet.Closure, error) {
	return closuresChanged.refs(ctx, r, organizationID, int64(since))
}

// NewestClosure is when one of an organization's closures was changed last, 0 = there is none. It reads one row.
func NewestClosure(ctx context.Context, r Reader, organizationID string) (at fleet.Instant, err error) {
	err = r.QueryRowContext(ctx, newestClosure, organizationID).Scan((*int64)(&at))
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return at, err
}

// ClosuresState is a mark of an organization's closures: whatever changes one, or deletes it, changes the mark.
type ClosuresState struct {
	Rows, Versions int64
	UpdatedAt      fleet.Instant // of the newest change
}

// StateOfClosures reads the mark.
func StateOfClosures(ctx context.Context, r Reader, organizationID string) (s ClosuresState, err error) {
	err = r.QueryRowContext(ctx, closuresState, organizationID).Scan(&s.Rows, &s.Versions, (*int64)(&s.UpdatedAt))
	return s, err
}
