package app

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// NewThing requests a new asset. Only OrganizationID, SystemName and Type are required.
type NewThing struct {
	OrganizationID string
	SystemName     string // unique within the organization, letter case aside
	ExternalID     string
	Nickname       string `json:"nickname" text:"nickname"`
	VIN            string `json:"vin_number" text:"vehicleId"`
	Plate          string `json:"license_plate_number" text:"plate"`
	Registry       string `json:"registry_number" text:"registry"`
	Type           string // name ("fire", "arrow_board", …), alias ("ems") or id of a type
	Subtype        string // name or id of a subtype; may be empty
	DeviceType     string // api (default), ha5, ha7
	Relations      []fleet.Relation
}

// RegisterThing creates an asset. Requires ADD_THING and full reach of the
// organization. Refusals: organization_not_found, validation_failed, asset_limit.
func (a *App) RegisterThing(ctx context.Context, actor *access.Actor, in NewThing) (wire.Thing, error) {
	made, err := a.RegisterThings(ctx, actor, []NewThing{in})
	if err != nil {
		return wire.Thing{}, err
	}
	return made[0], nil
}

// RegisterThings creates assets, all or none; if there are several, the refusal of the first invalid one has its row in the field
// ("2.haas_id", from 0).
func (a *App) RegisterThings(ctx context.Context, actor *access.Actor, in []NewThing) ([]wire.Thing, error) {
	if err := actor.Must("ADD_THING"); err != nil {
		return nil, err
	}
	out := make([]wire.Thing, len(in))
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		given, more := newNames{}, map[string]int{}
		for i := range in {
			t, err := a.newThing(actor, &in[i], c.Now())
			if err == nil {
				err = a.mustBeFree(given, t, i)
				more[t.OrganizationID]++
				if err == nil {
					err = a.mustHaveRoom(t.OrganizationID, more[t.OrganizationID])
				}
			}
			if err != nil {
				return atRow(err, i, len(in))
			}
			if err := a.insertNew(ctx, tx, actor, t); err != nil {
				return err
			}
			out[i] = a.putNew(c, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// mustBeFree refuses names that another asset has, or an earlier row of the same request (from 0).
func (a *App) mustBeFree(given newNames, t *fleet.Thing, row int) error {
	wrong := a.namedNow(t, nil)
	if field, earlier := given.take(t, row, row+1); field != "" {
		wrong[field] = takenByRow(field, "Row", earlier)
		if field == "haas_id" {
			wrong[field] = nameTaken
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fleet.RefuseFields(wrong)
}

// insertNew writes a new asset and its audit row.
func (a *App) insertNew(ctx context.Context, tx *store.Tx, actor *access.Actor, t *fleet.Thing) error {
	if err := tx.InsertThing(ctx, t); err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "create", Noun: "thing", NounID: t.ID, OrganizationID: t.OrganizationID,
		After: thingDoc(t)})
}

// putNew puts a new asset into the picture and publishes it to everybody who sees it.
func (a *App) putNew(change *live.Change, t *fleet.Thing) wire.Thing {
	shown := a.Live.Describe(t)
	change.Put(t)
	publishThing(change, t, live.Audience(t), shown, thingAdded)
	return shown
}

// atRow says which row of several a refusal is about.
func atRow(err error, row, of int) error {
	refusal, ok := err.(*fleet.Refusal)
	if !ok || of < 2 {
		return err
	}
	fields := map[string]string{}
	for name, sentence := range refusal.Fields {
		fields[itoa(row)+"."+name] = sentence
	}
	return &fleet.Refusal{Code: refusal.Code, Message: "Row " + itoa(row+1) + ": " + refusal.Message, Fields: fields}
}

// newThing is the law of a new asset.
func (a *App) newThing(actor *access.Actor, in *NewThing, now fleet.Instant) (*fleet.Thing, error) {
	if _, known := a.Live.Organization(in.OrganizationID); !known || actor.Reach(in.OrganizationID) != access.Full {
		return nil, fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	fields := map[string]string{}
	name := norm.NFC.String(strings.TrimSpace(in.SystemName))
	if sentence := nameProblem(name); sentence != "" {
		fields["haas_id"] = sentence
	} else if name == "" {
		fields["haas_id"] = "Required"
	}
	external := norm.NFC.String(strings.TrimSpace(in.ExternalID))
	if sentence := nameProblem(external); sentence != "" {
		fields["external_id"] = sentence
	}
	device := in.DeviceType
	if device == "" {
		device = "api"
	}
	if !slices.Contains(catalog.AllEnums().DeviceTypes, device) {
		fields["device_type"] = "Unknown device type."
	}
	kind := typeNamed(in.Type)
	t := &fleet.Thing{
		ID: a.NewID(), OrganizationID: in.OrganizationID, ExternalID: external, SystemName: name, DeviceType: device,
		InService: true, PubliclyAlerting: true,
		AllowedForTestMode: slices.Contains(catalog.AllEnums().R2RDeviceTypes, device),
		R2R:                slices.Contains(catalog.AllEnums().R2RDeviceTypes, device),
		Relations:          in.Relations, Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	if checkTexts(fields, t, in); in.Nickname != "" && t.Nickname == "" && fields["nickname"] == "" {
		fields["nickname"] = "Required"
	}
	said := wire.ID(in.Type) // required, or not known
	if kind.ID != "" {
		said = wire.ID(kind.ID)
	}
	edit := wire.ThingWrite{ThingTypeID: &said}
	if in.Subtype != "" {
		id := wire.ID(subtypeID(in.Subtype))
		edit.ThingSubtypeID = &id
	}
	if err := applyThingEdit(t, edit, now); err != nil {
		for name, sentence := range err.(*fleet.Refusal).Fields {
			fields[name] = sentence
		}
	}
	if len(fields) > 0 {
		return nil, fleet.RefuseFields(fields)
	}
	return t, nil
}

// typeNamed finds a type by its id, name or alias; the zero type is none of them.
func typeNamed(text string) catalog.ThingType {
	if kind, known := typeByID(text); known {
		return kind
	}
	return typeByName(text)
}

func subtypeID(nameOrID string) string {
	for _, s := range catalog.AllEnums().ThingSubtypes {
		if s.Name == nameOrID {
			return s.ID
		}
	}
	return nameOrID
}
