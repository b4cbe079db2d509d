package app

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// UpdateThing edits an asset's profile. Requires EDIT_THING and full reach.
// Refusals: thing_not_found (422), conflict (409, Current), validation_failed (422, Fields).
func (a *App) UpdateThing(ctx context.Context, actor *access.Actor, id string, said wire.ThingWrite) (wire.Thing, error) {
	return record.Edit(ctx, a, actor, &things, id, record.VersionSeen(said.IfMatch), func(e *record.Editing[*App, fleet.Thing]) error {
		return applyThingEdit(&e.Next, said, e.At)
	})
}

var things = record.Noun[*App, fleet.Thing, wire.Thing]{
	Name: "thing", Word: "asset", Requires: "EDIT_THING", Pictured: true,
	Load: func(e *record.Editing[*App, fleet.Thing]) (fleet.Thing, error) {
		t, _, _, ok := e.Live.Thing(e.ID)
		if !ok || reachOfThing(e.Actor, &t) != access.Full {
			return t, refuseNoThing()
		}
		return t, nil
	},
	Of: func(t *fleet.Thing) record.Header {
		return record.Header{Owner: t.OrganizationID, Version: &t.Version, UpdatedAt: &t.UpdatedAt}
	},
	Same: sameThing,
	Save: func(e *record.Editing[*App, fleet.Thing]) (bool, error) {
		err := e.Tx.UpdateThing(e, &e.Next)
		return err == nil, err
	},
	Saved: func(e *record.Editing[*App, fleet.Thing]) error { return sayEdited(e, e.Live.Describe(&e.Next)) },
	Doc:   func(t *fleet.Thing) any { return thingDoc(t) },
	Show: func(_ context.Context, a *App, _ *access.Actor, id string) (wire.Thing, error) {
		_, _, shown, ok := a.Live.Thing(id)
		if !ok {
			return shown, refuseNoThing() // removed in the meantime
		}
		return shown, nil
	},
}

func refuseNoThing() error { return fleet.Refuse("thing_not_found", "", "Asset not found") }

// sayEdited puts an edited asset into the picture and publishes it to everybody who saw it or sees it now.
func sayEdited(e *record.Editing[*App, fleet.Thing], shown wire.Thing) error {
	if err := tellRelations(e, e.Tx, e.Picture, &e.Old, &e.Next); err != nil {
		return err
	}
	sayThing(e.Picture, &e.Old, &e.Next, shown)
	e.Picture.Put(&e.Next)
	return nil
}

func sameThing(a, b *fleet.Thing) bool {
	x, y := *a, *b
	x.Relations, x.Integrations, y.Relations, y.Integrations = nil, nil, nil, nil
	return reflect.DeepEqual(x, y) && slices.Equal(a.Relations, b.Relations) && slices.Equal(a.Integrations, b.Integrations)
}

// thingDocument is what the audit shows of an asset, in the order of the names: with a map, an eighth of the time of an import was
// spent on sorting them.
type thingDocument struct {
	AlertingResetAt    fleet.Instant      `json:"alerting_reset_at"`
	DeviceType         string             `json:"device_type"`
	ExternalID         string             `json:"external_id"`
	SystemName         string             `json:"haas_id"`
	InService          bool               `json:"in_service"`
	Integrations       []fleet.Identifier `json:"integrations"`
	AllowedForClosures bool               `json:"is_allowed_for_closures"`
	Responder          bool               `json:"is_responder"`
	Nickname           string             `json:"nickname"`
	OrganizationID     string             `json:"organization_id"`
	Plate              string             `json:"plate"`
	PubliclyAlerting   bool               `json:"publicly_alerting"`
	Registry           string             `json:"registry"`
	Relations          []fleet.Relation   `json:"relations"`
	SubtypeID          string             `json:"subtype_id"`
	TypeID             string             `json:"type_id"`
	Version            int64              `json:"version"`
	VIN                string             `json:"vin"`
}

func thingDoc(t *fleet.Thing) any {
	var doc thingDocument
	wire.Same(&doc, t)
	return doc
}

var (
	vehicleIDMax = int(catalog.LimitInt("text", "vehicleId"))
)

func tooLong(most int) string { return fmt.Sprintf("Must be %d or fewer characters", most) }

// applyThingEdit is the profile's law (requirements 3.thing and 5.asset).
func applyThingEdit(t *fleet.Thing, e wire.ThingWrite, now fleet.Instant) error {
	fields := map[string]string{}
	checkTexts(fields, t, &e)
	applyType(t, e, fields)
	if e.ExternalIdentifiers != nil {
		applyIntegrations(t, e.ExternalIdentifiers, fields)
	}
	if e.InService != nil {
		t.PutInService(*e.InService, now)
	}
	if e.IsPubliclyAlerting != nil {
		if t.PubliclyAlerting && !*e.IsPubliclyAlerting {
			t.AlertingResetAt = fleet.AlertingResetAt(now)
		} else if *e.IsPubliclyAlerting {
			t.AlertingResetAt = 0
		}
		t.PubliclyAlerting = *e.IsPubliclyAlerting
	}
	if len(fields) == 0 {
		return nil
	}
	return fleet.RefuseFields(fields)
}

// checkTexts writes the texts that were sent over an asset's, and notes what is wrong with them.
func checkTexts(fields map[string]string, t *fleet.Thing, said any) {
	before := t.VIN
	wire.Texts(fields, t, said)
	if t.VIN != before && strings.ContainsFunc(t.VIN, notLetterOrNumber) {
		fields["vin_number"] = "Please only use numbers or letters"
	}
}

func notLetterOrNumber(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}

// applyType keeps type and subtype consistent: a new type clears the subtype unless one is sent with it; a subtype belongs to the
// type or to one with the same emergency flag (requirements 5.asset).
func applyType(t *fleet.Thing, e wire.ThingWrite, fields map[string]string) {
	if e.ThingTypeID != nil {
		id := e.ThingTypeID.String()
		switch _, known := typeByID(id); {
		case id == "":
			fields["thing_type_id"] = "Required"
		case !known:
			fields["thing_type_id"] = "Unknown type."
		case id != t.TypeID:
			setType(t, id)
			t.SubtypeID = ""
		}
	}
	if e.ThingSubtypeID == nil || fields["thing_type_id"] != "" {
		return
	}
	if *e.ThingSubtypeID == "" {
		t.SubtypeID = ""
		return
	}
	sub, known := subtypeByID(e.ThingSubtypeID.String())
	if !known {
		fields["thing_subtype_id"] = "Unknown subtype."
		return
	}
	of, _ := typeByID(t.TypeID)
	if sub.ThingType != of.Name && typeByName(sub.ThingType).IsEmergency != of.IsEmergency {
		fields["thing_subtype_id"] = "The subtype doesn't match the type."
		return
	}
	t.SubtypeID = sub.ID
}

// setType gives an asset a type and sets what follows from it: whether it is a responder, and whether closures may use it.
func setType(t *fleet.Thing, id string) {
	kind, _ := typeByID(id)
	t.TypeID, t.Responder, t.AllowedForClosures = id, kind.IsResponder, kind.Name == "arrow_board"
}

func typeByID(id string) (catalog.ThingType, bool) {
	for _, t := range catalog.AllEnums().ThingTypes {
		if t.ID == id {
			return t, true
		}
	}
	return catalog.ThingType{}, false
}

// typeByName finds a type by its name or one of its aliases.
func typeByName(name string) catalog.ThingType {
	if alias, ok := catalog.AllEnums().ThingTypeAliases[name]; ok {
		name = alias
	}
	for _, t := range catalog.AllEnums().ThingTypes {
		if t.Name == name {
			return t
		}
	}
	return catalog.ThingType{}
}

func subtypeByID(id string) (catalog.ThingSubtype, bool) {
	for _, s := range catalog.AllEnums().ThingSubtypes {
		if s.ID == id {
			return s, true
		}
	}
	return catalog.ThingSubtype{}, false
}

var integrationsMax = int(catalog.LimitInt("integrations", "max"))

// applyIntegrations merges the sent identifiers into the existing ones: a row marked is_deleted removes its provider, another sets
// it; at most two, each provider once.
func applyIntegrations(t *fleet.Thing, rows []wire.ExternalIdentifierWrite, fields map[string]string) {
	const field = "external_identifiers"
	said := map[string]bool{}
	next := slices.Clone(t.Integrations)
	drop := func(provider string) {
		next = slices.DeleteFunc(next, func(i fleet.Identifier) bool { return i.Provider == provider })
	}
	for _, r := range rows {
		if r.IsDeleted {
			drop(r.SystemName)
		}
	}
	for _, r := range rows {
		if r.IsDeleted {
			continue
		}
		id := strings.TrimSpace(r.IdentifierID)
		switch {
		case !slices.Contains(catalog.AllEnums().Providers, r.SystemName):
			fields[field] = "Unknown provider."
		case id == "":
			fields[field] = "Required"
		case utf8.RuneCountInString(id) > vehicleIDMax:
			fields[field] = tooLong(vehicleIDMax)
		case said[r.SystemName]:
			fields[field] = "Provider already used"
		default:
			said[r.SystemName] = true
			is := fleet.Identifier{Provider: r.SystemName, ID: id}
			for _, was := range t.Integrations {
				if was.Provider == is.Provider && was.ID == is.ID { // it still belongs to the same account
					is = was
				}
			}
			drop(r.SystemName)
			next = append(next, is)
			continue
		}
		return
	}
	if len(next) > integrationsMax {
		fields[field] = fmt.Sprintf("At most %d integrations", integrationsMax)
		return
	}
	slices.SortFunc(next, func(a, b fleet.Identifier) int { return strings.Compare(a.Provider, b.Provider) })
	t.Integrations = next
}

// sayThing publishes an asset's new state to everybody who sees it.
func sayThing(change *live.Change, old, next *fleet.Thing, shown wire.Thing) {
	before, after := live.Audience(old), live.Audience(next)
	var stay, come []string
	for _, org := range after {
		if slices.Contains(before, org) {
			stay = append(stay, org)
		} else {
			come = append(come, org)
		}
	}
	publishThing(change, next, come, shown, thingAdded)
	for _, org := range before {
		if !slices.Contains(after, org) {
			tellRemoved(change, next.ID, []string{org})
		}
	}
	publishThing(change, next, stay, shown, thingChanged)
}

// tellRelations notes which organizations can no longer see the asset, or can see it now.
func tellRelations(ctx context.Context, tx *store.Tx, change *live.Change, old, next *fleet.Thing) error {
	before, after := live.Audience(old), live.Audience(next)
	for _, org := range before {
		if !slices.Contains(after, org) {
			if err := tx.PutGone(ctx, org, next.ID, change.Now()); err != nil {
				return err
			}
			change.Lost(org, next.ID)
		}
	}
	for _, org := range after {
		if !slices.Contains(before, org) {
			if err := tx.DeleteGone(ctx, org, next.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// ResetAlerting shows assets to drivers again when the time of their hiding is over (60 min after it was switched on; a row, not a
// timer, so it survives a restart). The server's own clock calls it every second.
func (a *App) ResetAlerting(ctx context.Context) error {
	due, err := store.AlertingResetsDue(ctx, a.Store.Reader(), a.now())
	if err != nil {
		return err
	}
	return store.EachOf(ctx, due, func(id string) error {
		_, err := record.Edit(ctx, a, access.System(), &things, id, nil, func(e *record.Editing[*App, fleet.Thing]) error {
			e.Verb = "alerting_reset"
			if t := &e.Next; t.AlertingResetAt != 0 && t.AlertingResetAt <= e.At {
				t.PubliclyAlerting, t.AlertingResetAt = true, 0
			}
			return nil
		})
		return err
	})
}
