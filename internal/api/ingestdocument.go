package api

import (
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/device"
	"lightbar/internal/wire"
)

// ingestTag groups what devices call.
const ingestTag = "Ingest"

// keyOnly is the security of what devices call.
var keyOnly = []map[string][]string{{"key": {}}}

// documentIngest describes the handlers of vehicles and gateways. They are no
// operations of huma: they read at the rate of a fleet.
func documentIngest(api *huma.OpenAPI) {
	api.Components.SecuritySchemes["key"] = &huma.SecurityScheme{Type: "http", Scheme: "bearer",
		Description: "An API key for an organization (scope ingest) or for one asset (scope thing)."}
	d := ingestDocument{api.Components.Schemas}
	api.AddOperation(&huma.Operation{OperationID: "ingest", Method: http.MethodPost, Path: "/ingest", Tags: []string{ingestTag},
		Security: keyOnly, Summary: "Send positions and signs of life",
		Description: "The answer comes after the commit: reports that it counts as accepted survive a crash. A batch is one transaction; " +
			"invalid items are refused one by one. At most 1 MiB (gzip is accepted, 8 MiB unpacked) and 10 000 items. " +
			"Repeats are harmless: (asset, at) identifies a report.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json":     d.content(device.IngestBatch{}),
			"application/x-ndjson": {Schema: &huma.Schema{Type: huma.TypeString, Description: "one item (IngestItem) per line"}}}},
		Responses: d.answers(device.IngestAnswer{}, 400, 401, 403, 408, 413, 415, 429, 503)})
	api.AddOperation(&huma.Operation{OperationID: "ingest-assets", Method: http.MethodPost, Path: "/ingest/assets",
		Tags: []string{ingestTag}, Security: keyOnly,
		Summary:     "Register assets",
		Description: "With an organization's key. Existing assets don't change, so a gateway can send its whole list at every start.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": d.content(device.IngestAssets{})}},
		Responses:   d.answers(device.IngestAssetsAnswer{}, 400, 401, 403, 408, 413, 415, 422, 429, 503)})
	api.AddOperation(&huma.Operation{OperationID: "ingest-device-config", Method: http.MethodGet, Path: "/ingest/device_config",
		Tags:     []string{ingestTag},
		Security: keyOnly, Summary: "Fetch a device's configuration",
		Description: "The answer's ETag is its version: ask with If-None-Match.",
		Parameters:  []*huma.Param{query("asset", "system name or external id; optional with a single-asset key")},
		Responses:   d.answers(wire.One[wire.DeviceConfig]{}, 401, 403, 404, 422, 503)})
	api.AddOperation(&huma.Operation{OperationID: "ingest-samsara", Method: http.MethodPost, Path: "/ingest/samsara/{id}",
		Tags: []string{ingestTag}, Summary: "Webhook of Samsara for an integration",
		Description: "Samsara signs it with the secret key of its webhook: X-Samsara-Signature is v1= and the HMAC-SHA256 in hexadecimal of " +
			"v1:<X-Samsara-Timestamp>:<body>. At most 64 KiB, no more than 5 minutes old. Ping and events that aren't used are answered 200. " +
			"An event of vehicles lets the provider be asked soon; it isn't a report by itself.",
		Parameters: []*huma.Param{{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"}},
			header("X-Samsara-Timestamp", "seconds since 1970"), header("X-Samsara-Signature", "v1= and 64 hexadecimal digits")},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}}},
		Responses: d.answers(wire.One[device.WebhookAnswer]{}, 400, 401, 408, 413, 422, 429, 503)})
	d.commands(api)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		api.AddOperation(d.osmand(method))
	}
}

// commands describes how a device fetches what it is asked to do, and says what became of it.
func (d ingestDocument) commands(api *huma.OpenAPI) {
	api.AddOperation(&huma.Operation{OperationID: "ingest-commands", Method: http.MethodGet, Path: "/ingest/commands",
		Tags: []string{ingestTag}, Security: keyOnly, Summary: "Fetch a device's commands",
		Description: "Those that wait, oldest first. A command comes again until it is acknowledged or expires: execute each id once, " +
			"and none after expires_at.",
		Parameters: []*huma.Param{query("asset", "system name or external id; optional with a single-asset key"),
			query("wait", "0 to 30 seconds: the answer comes as soon as there is a command")},
		Responses: d.answers(device.IngestCommands{}, 401, 403, 422, 503)})
	api.AddOperation(&huma.Operation{OperationID: "ingest-command-word", Method: http.MethodPost, Path: "/ingest/commands/{id}",
		Tags: []string{ingestTag}, Security: keyOnly, Summary: "Say what became of a command",
		Description: "Repeats are harmless. What comes after expires_at is late: it is noted, and the command stays expired.",
		Parameters:  []*huma.Param{{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"}}},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": d.content(wire.CommandWord{})}},
		Responses:   d.answers(wire.One[wire.CommandHeard]{}, 400, 401, 403, 404, 408, 413, 415, 422, 429, 503)})
}

// osmand describes the protocol of common tracker apps; it has no bearer key,
// because the apps can send none.
func (d ingestDocument) osmand(method string) *huma.Operation {
	op := &huma.Operation{OperationID: "ingest-osmand", Method: method, Path: "/ingest/osmand", Tags: []string{ingestTag},
		Summary: "OsmAnd protocol: a phone's position",
		Description: "As OsmAnd and Traccar Client send it. Without a position it is a sign of life. " +
			"A report that will never be taken is answered 200 and stands in refused: apps repeat anything else. " +
			"The secret is part of the address, so use only TLS. It can be revoked.",
		Parameters: []*huma.Param{query("id", "the secret of one asset; also deviceid, device_id"), query("lat", "degrees"),
			query("lon", "degrees"), query("timestamp", "seconds, milliseconds, or text; default now"),
			query("speed", "knots, unless speed_unit says otherwise"),
			query("speed_unit", "kn, m/s, km/h, or mph"),
			query("bearing", "degrees"), query("accuracy", "meters"), query("hdop", "each counts as 5 m if accuracy is missing"),
			query("alarm", "lights on; 0, false and off = off"), query("valid", "0 and false = no fix"),
			query("event", "heartbeat = a sign of life, whatever the timestamp")},
		Responses: d.answers(device.IngestAnswer{}, 400, 401, 408, 413, 415, 429, 503)}
	if method == http.MethodPost {
		op.OperationID += "-post"
		op.RequestBody = &huma.RequestBody{Description: "The same parameters as a form, or JSON: one position or a list.",
			Content: map[string]*huma.MediaType{
				"application/x-www-form-urlencoded": {Schema: &huma.Schema{Type: huma.TypeObject,
					AdditionalProperties: &huma.Schema{Type: huma.TypeString}}},
				"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}}}
	}
	return op
}

func query(name, text string) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: text, Schema: &huma.Schema{Type: huma.TypeString}}
}

func header(name, text string) *huma.Param {
	return &huma.Param{Name: name, In: "header", Required: true, Description: text, Schema: &huma.Schema{Type: huma.TypeString}}
}

// ingestDocument puts shapes into the document.
type ingestDocument struct{ shapes huma.Registry }

func (d ingestDocument) content(shape any) *huma.MediaType {
	return &huma.MediaType{Schema: d.shapes.Schema(reflect.TypeOf(shape), true, "")}
}

func (d ingestDocument) answers(ok any, failures ...int) map[string]*huma.Response {
	out := map[string]*huma.Response{"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": d.content(ok)}}}
	for _, status := range failures {
		r := &huma.Response{Description: http.StatusText(status),
			Content: map[string]*huma.MediaType{"application/json": d.content(device.IngestFailure{})}}
		if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
			r.Headers = map[string]*huma.Param{"Retry-After": {Description: "seconds; then send the same batch again",
				Schema: &huma.Schema{Type: huma.TypeInteger}}}
		}
		out[strconv.Itoa(status)] = r
	}
	return out
}
