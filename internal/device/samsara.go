package device

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

var webhookBytes = catalog.LimitInt("integrations", "webhookBytes")

// samsaraPing is the event by which Samsara tries an address.
const samsaraPing = "Ping"

// samsaraEvents are those about something that happened to vehicles. None contains where a vehicle is: a geofence's position is the
// place's, not the vehicle's.
var samsaraEvents = []string{"AlertIncident", "AlertObjectEvent", "EngineFaultOff", "EngineFaultOn", "GatewayUnplugged", "GeofenceEntry",
	"GeofenceExit", "RouteStopArrival", "RouteStopDeparture", "SevereSpeedingEnded", "SevereSpeedingStarted", "SuddenFuelLevelDrop",
	"SuddenFuelLevelRise", "VehicleCreated", "VehicleUpdated"}

// WebhookAnswer is the result of an event.
type WebhookAnswer struct {
	Outcome string `json:"outcome" enum:"pong,asked,known,unknown" doc:"asked: the provider is asked sooner because of it; known: it is asked as soon anyway, or paused; unknown: an event that isn't used"`
}

// NewSamsara serves POST /api/ingest/samsara/{id}: webhooks of Samsara for an
// integration, signed with its webhook secret. Samsara sends again what is not
// answered 2xx; so events that are of no use are answered 200, too.
func NewSamsara(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			fail(w, "method_not_allowed", "")
			return
		}
		outcome, err := takeSamsara(a, w, r)
		switch {
		case errors.Is(err, errTooLarge):
			fail(w, "too_large", "A webhook has at most "+strconv.FormatInt(webhookBytes>>10, 10)+" KiB.")
		case err != nil:
			refuse(w, err)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			_ = json.NewEncoder(w).Encode(wire.One[WebhookAnswer]{Data: WebhookAnswer{outcome}}) // Samsara has gone if this fails
		}
	})
}

// takeSamsara reads an event. Nothing of the body is read before the account is
// found, and nothing in it is looked at before its signature is.
func takeSamsara(a *app.App, w http.ResponseWriter, r *http.Request) (outcome string, err error) {
	signed := fleet.SignedWebhook{Timestamp: r.Header.Get("X-Samsara-Timestamp"), Signature: r.Header.Get("X-Samsara-Signature")}
	hook, err := a.Webhook(r.Context(), fleet.ProviderSamsara, r.PathValue("id"), signed)
	if err != nil {
		return "", err
	}
	budget.Of(r).SetHolder(hook.ID())
	if signed.Body, err = readBody(w, r, webhookBytes, 0); err != nil {
		return "", err
	}
	if err := a.VerifyWebhook(hook, signed); err != nil {
		return "", err
	}
	kind, err := decodeSamsara(signed.Body)
	if err != nil {
		return "", err
	}
	if kind == samsaraPing {
		return "pong", nil
	}
	isOfVehicles := slices.Contains(samsaraEvents, kind)
	isHastened, err := a.TakeWebhook(r.Context(), hook, isOfVehicles)
	switch {
	case err != nil:
		return "", err
	case !isOfVehicles:
		return "unknown", nil
	case isHastened:
		return "asked", nil
	}
	return "known", nil
}

// decodeSamsara reads the type of a webhook's event.
func decodeSamsara(body string) (kind string, err error) {
	var event struct {
		EventType *string `json:"eventType"`
	}
	if err := json.Unmarshal([]byte(body), &event); err != nil {
		return "", errJSON
	}
	if event.EventType == nil || *event.EventType == "" {
		return "", fleet.RefuseFields(map[string]string{"eventType": "Required"})
	}
	return *event.EventType, nil
}
