package people

import (
	"context"
	"slices"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// UpdateOrganization edits an organization in full reach (requirements 7.org); it takes effect on live sessions at once. Another
// way of signing in, or a less strict one, needs a fresh proof and is mailed to the administrators. Requires EDIT_ORGANIZATION.
// Refusals: organization_not_found, conflict, validation_failed, step_up_required.
func (a *Accounts) UpdateOrganization(ctx context.Context, actor *access.Actor, id string,
	said wire.OrganizationWrite) (wire.OrganizationRow, error) {
	seen := record.VersionSeen(said.IfMatch)
	return record.Edit(ctx, a, actor, &organizations, id, seen, func(e *record.Editing[*Accounts, fleet.Organization]) error {
		if err := a.applyOrganizationEdit(actor, &e.Next, said); err != nil {
			return err
		}
		if err := a.mayMakePublic(ctx, e.Tx, actor, e.Old, e.Next); err != nil {
			return err
		}
		return a.mayChangeRules(ctx, e.Tx, actor, e.Old, e.Next)
	})
}

var organizations = record.Noun[*Accounts, fleet.Organization, wire.OrganizationRow]{
	Name: "organization", Word: "organization", Requires: "EDIT_ORGANIZATION", Adds: "MANAGE_PLATFORM",
	Load: func(e *record.Editing[*Accounts, fleet.Organization]) (o fleet.Organization, err error) {
		if err := e.Actor.MustReachFully(e.ID); err != nil {
			return o, err
		}
		if err := record.LockOrganizations(e, e.Tx, e.ID); err != nil {
			return o, err
		}
		return store.OrganizationByID(e, e.Tx, e.ID)
	},
	Of: func(o *fleet.Organization) record.Header {
		return record.Header{Owner: o.ID, Version: &o.Version, UpdatedAt: &o.UpdatedAt}
	},
	Same: store.SameOrganization,
	Save: func(e *record.Editing[*Accounts, fleet.Organization]) (bool, error) {
		return e.Tx.UpdateOrganization(e, e.Next, e.Old.Version)
	},
	Saved: func(e *record.Editing[*Accounts, fleet.Organization]) error {
		e.Afterwards(func() error {
			e.By.AccessChanged("", e.ID)
			return e.By.OrganizationsChanged(e)
		})
		return nil
	},
	Doc: func(o *fleet.Organization) any { return OrganizationWire(*o, nil, nil) },
	Show: func(ctx context.Context, a *Accounts, actor *access.Actor, id string) (wire.OrganizationRow, error) {
		return a.OrganizationNow(ctx, actor, id)
	},
}

// applyOrganizationEdit is the law of an organization's profile.
func (a *Accounts) applyOrganizationEdit(actor *access.Actor, o *fleet.Organization, e wire.OrganizationWrite) error {
	fields := map[string]string{}
	wire.Texts(fields, o, &e)
	if e.Email != nil {
		if o.Email = strings.TrimSpace(*e.Email); o.Email != "" && !fleet.ValidEmail(o.Email) {
			fields["email"] = "Must be a valid email"
		}
	}
	SetAddress(fields, o, &e)
	if e.SSOOnly != nil && *e.SSOOnly && !o.SSOOnly && len(a.Providers) == 0 {
		fields["sso_only"] = "No sign-in provider is set up on this server, so no one could sign in."
	}
	applyOrganizationSettings(fields, o, e, a.now())
	applyPlatformSettings(fields, actor, o, e, a.seenBy(o.ID))
	if len(fields) > 0 {
		return fleet.RefuseFields(fields)
	}
	return nil
}

func applyOrganizationSettings(fields map[string]string, o *fleet.Organization, e wire.OrganizationWrite, now fleet.Instant) {
	if e.OrganizationTypeID.IsSent() {
		id := e.OrganizationTypeID.String()
		types := catalog.AllEnums().OrganizationTypes
		i := slices.IndexFunc(types, func(t catalog.OrganizationType) bool { return t.ID == id || t.Name == id })
		switch {
		case i >= 0:
			o.TypeName = types[i].Name
		case id != o.TypeName:
			fields["organization_type_id"] = "Unknown type."
		}
	}
	if e.Timezone != nil {
		zone := strings.TrimSpace(*e.Timezone)
		if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
			fields["timezone"] = "Unknown time zone."
		}
		o.Timezone = zone
	}
	if e.EventWording != nil {
		if !slices.Contains(catalog.AllEnums().EventWording, *e.EventWording) {
			fields["event_wording"] = "The wording must be default, events, or incidents."
		}
		o.EventWording = *e.EventWording
	}
	setIcon(fields, "vehicle_icon_active", &o.VehicleIconActive, e.VehicleIconActive)
	setIcon(fields, "vehicle_icon_default", &o.VehicleIconDefault, e.VehicleIconDefault)
	if e.LockScreenMs != nil {
		if ms := *e.LockScreenMs; ms != 0 && (ms < lockScreenLeastMs || ms > lockScreenMostMs) {
			fields["lock_screen_ms"] = "The screen lock must be 1 minute to 4 hours, or 0 for never."
		}
		o.LockScreenMs = *e.LockScreenMs
	}
	if e.MFARequired != nil && *e.MFARequired != o.MFARequired {
		o.MFARequired, o.MFARequiredAt = *e.MFARequired, 0
		if o.MFARequired {
			o.MFARequiredAt = now
		}
	}
	setFlag(&o.SSOOnly, e.SSOOnly)
	setFlag(&o.FeedsPublic, e.FeedsPublic)
	setFlag(&o.AlertsPublic, e.AlertsPublic)
	if e.FeedLicense != nil {
		o.FeedLicense = strings.TrimSpace(*e.FeedLicense)
		if sentence := fleet.CheckFeedLicense(o.FeedLicense); sentence != "" {
			fields["feed_license"] = sentence
		}
	}
}

// setIcon sets the name of a shipped glyph: each thing type has one.
func setIcon(fields map[string]string, field string, target, sent *string) {
	if sent == nil {
		return
	}
	if *sent != "" && !slices.ContainsFunc(catalog.AllEnums().ThingTypes, func(t catalog.ThingType) bool { return t.Name == *sent }) {
		fields[field] = "Unknown icon."
		return
	}
	*target = *sent
}

// A lock screen below a minute cannot be worked with; past the idle prompt it would never show.
var (
	lockScreenLeastMs = time.Minute.Milliseconds()
	lockScreenMostMs  = catalog.LimitInt("session", "idleMs")
)

// applyPlatformSettings applies the settings that only the installation may
// change: sending one without haas:manage is refused, whatever its value.
func applyPlatformSettings(fields map[string]string, actor *access.Actor, o *fleet.Organization, e wire.OrganizationWrite, seen int) {
	for field, sent := range map[string]bool{"show_infinite_timeout_option": e.ShowInfiniteTimeoutOption != nil,
		"is_wzdx_org":  e.IsWZDxOrg != nil,
		"is_large_org": e.IsLargeOrg != nil, "acs": e.ACS != nil, "billing_id": e.BillingID != nil} {
		if sent && !actor.Meets("MANAGE_PLATFORM") {
			fields[field] = "You don't have permission to change this field."
		}
	}
	setFlag(&o.InfiniteTimeout, e.ShowInfiniteTimeoutOption)
	if e.IsWZDxOrg != nil && e.FeedLicense == nil {
		o.Publish(*e.IsWZDxOrg)
	}
	setFlag(&o.WZDx, e.IsWZDxOrg)
	setFlag(&o.ACS, e.ACS)
	if e.IsLargeOrg != nil {
		o.Large = fleet.SetLarge(o.Large, *e.IsLargeOrg, seen)
	}
}

func setFlag(target, sent *bool) {
	if sent != nil {
		*target = *sent
	}
}
