package wire

import "lightbar/internal/fleet"

// Integration is an organization's account at a fleet-telematics provider. Its secret is never read back.
type Integration struct {
	ID             string   `json:"id"`
	OrganizationID string   `json:"organization_id"`
	Provider       string   `json:"provider" enum:"geotab,samsara"`
	Name           string   `json:"name"`
	Server         string   `json:"server" doc:"host; empty = the provider's usual one"`
	Database       string   `json:"database" doc:"of geotab"`
	User           string   `json:"user" doc:"of geotab"`
	HasSecret      bool     `json:"has_secret" doc:"false: it was forgotten after the integration was deleted; enter it again"`
	HasWebhook     bool     `json:"has_webhook" doc:"samsara's webhooks are taken, at /api/ingest/samsara/{id}"`
	Lights         []string `json:"lights" doc:"inputs that mean that warning lights are on: names of samsara's auxiliary inputs, ids of geotab's diagnostics"`
	IsActive       bool     `json:"is_active" doc:"false: paused, the provider is not asked"`
	// Status is judged when the answer is made.
	Status        string           `json:"status" enum:"waiting,good,failing,unauthorized,off" doc:"waiting: not asked yet; unauthorized: the provider refuses the account, and is asked again once an hour"`
	LastFetchedAt fleet.Instant    `json:"last_fetched_at" doc:"when the provider was last asked"`
	LastGoodAt    fleet.Instant    `json:"last_good_at" doc:"when it last answered well"`
	LastReportAt  fleet.Instant    `json:"last_report_at" doc:"the newest report that was kept"`
	FailingSince  fleet.Instant    `json:"failing_since" doc:"null: it isn't failing"`
	Problem       *string          `json:"problem" doc:"why it failed: providerProblems in the catalog; null = it didn't"`
	Error         *string          `json:"error" doc:"the problem in a sentence"`
	CountedSince  fleet.Instant    `json:"counted_since" doc:"kept, repeated, unlinked, and refused count from here; they begin anew after a day"`
	Kept          int64            `json:"kept" doc:"number of reports taken"`
	Repeated      int64            `json:"repeated" doc:"number of reports that were there already"`
	Unlinked      int64            `json:"unlinked" doc:"number of reports of vehicles that are linked with no asset"`
	Refused       map[string]int64 `json:"refused" doc:"number of reports refused, by reason: providerRefusals in the catalog"`
	LastEventAt   fleet.Instant    `json:"last_event_at" doc:"when the provider last told of an event by its webhook"`
	Events        int64            `json:"events" doc:"number of such events that tell of vehicles, since counted_since"`
	UnknownEvents int64            `json:"unknown_events" doc:"number of such events that aren't used"`
	NextFetchAt   fleet.Instant    `json:"next_fetch_at" doc:"null: it is paused"`
	Version       int64            `json:"version" doc:"counts edits; asking the provider doesn't raise it"`
	UpdatedAt     fleet.Instant    `json:"updated_at" doc:"of the last edit; null where is_deleted"`
	IsDeleted     bool             `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// IntegrationWrite is what an integration is made and edited with: what is left
// out stays as it is, or as a new one has it.
type IntegrationWrite struct {
	ID             *ID       `json:"id,omitempty" format:"uuid" doc:"for a new one; sending the same request again creates no second one"`
	OrganizationID *ID       `json:"organization_id,omitempty" format:"uuid" doc:"for a new one; default the caller's organization. It can't be changed"`
	Provider       *string   `json:"provider,omitempty" doc:"for a new one. It can't be changed"`
	Name           *string   `json:"name,omitempty" text:"name,required"`
	Server         *string   `json:"server,omitempty" doc:"host; empty = the provider's usual one. With another one the secret must be entered again"`
	Database       *string   `json:"database,omitempty" doc:"geotab only, which needs it"`
	User           *string   `json:"user,omitempty" doc:"geotab only, which needs it"`
	Secret         *string   `json:"secret,omitempty" doc:"geotab's password or samsara's API token. Left out or empty, it stays"`
	WebhookSecret  *string   `json:"webhook_secret,omitempty" doc:"samsara only: the secret key of its webhook, never read back. Left out, it stays; empty = webhooks aren't taken"`
	Lights         *[]string `json:"lights,omitempty" doc:"at most 10; empty = reports say nothing about lights"`
	IsActive       *bool     `json:"is_active,omitempty" doc:"default true. Resumed, it begins with what is reported from then on"`
}

// GoneIntegration is the row of an integration that was deleted: only its id means something.
func GoneIntegration(id string) Integration {
	return Integration{ID: id, Provider: fleet.ProviderGeotab, Status: fleet.IntegrationOff, Lights: []string{}, Refused: map[string]int64{},
		IsDeleted: true}
}

// IntegrationCheck is what a dry run found; nothing was changed.
type IntegrationCheck struct {
	Vehicles []IntegrationVehicle `json:"vehicles"`
}

// IntegrationVehicle is a vehicle of a provider, and which asset it seems to be.
type IntegrationVehicle struct {
	ExternalID string  `json:"external_id" doc:"the provider's id of it"`
	Name       string  `json:"name"`
	VIN        string  `json:"vin" doc:"empty = the provider doesn't say"`
	Serial     string  `json:"serial" doc:"of the device or gateway"`
	Plate      string  `json:"plate"`
	ThingID    *string `json:"thing_id" doc:"null: none, or several"`
	Match      string  `json:"match" enum:"linked,vin,serial,plate,twice,none" doc:"linked: the asset has this identifier already; twice: several vehicles or assets have what tells them"`
}

// IntegrationLinks says which vehicles are which assets.
type IntegrationLinks struct {
	Vehicles []IntegrationLink `json:"vehicles"`
}

// IntegrationLink is a vehicle, and the asset that it is.
type IntegrationLink struct {
	ExternalID string  `json:"external_id"`
	ThingID    *string `json:"thing_id" doc:"an asset of the organization; null = none: its reports are left out; new = an asset is made of it, unless one is linked with it already. The answer has its id"`
}

// NewAsset in place of an asset's id asks to make one of the vehicle.
const NewAsset = "new"
