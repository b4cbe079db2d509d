package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/cable"
)

const shapesPrefix = "#/components/schemas/"

// anyMessage and anyFrame are shapes of which each message, and each frame of
// the server, is exactly one.
const (
	anyMessage = "AnyMessage"
	anyFrame   = "ServerFrame"
)

// streamShape is a frame or a message of the stream.
type streamShape struct {
	name, text string
	shape      reflect.Type
}

// streamMessages are the messages that a data frame carries, by their type.
func streamMessages() (out []streamShape) {
	for _, m := range app.StreamedTypes() {
		if m.Shape != nil {
			out = append(out, streamShape{string(m.Type), m.Text, m.Shape})
		}
	}
	return out
}

// messageName is what documents call the message of a noun, whose shape has no name of its own: LocationMessage.
func messageName(s streamShape) string {
	return strings.ToUpper(s.name[:1]) + s.name[1:] + "Message"
}

// serverFrames are what the server sends.
var serverFrames = []streamShape{
	{"welcome", "The first frame of a socket.", reflect.TypeFor[cable.WelcomeFrame]()},
	{"ping", "The server's time, every 3 s.", reflect.TypeFor[cable.PingFrame]()},
	{"confirm_subscription", "The subscription is active; messages follow from the position.",
		reflect.TypeFor[cable.ConfirmSubscriptionFrame]()},
	{"reject_subscription", "The organization is out of reach, or its assets can't be seen.",
		reflect.TypeFor[cable.RejectSubscriptionFrame]()},
	{"confirm_history", "All missed messages have been sent.", reflect.TypeFor[cable.ConfirmHistoryFrame]()},
	{"reject_history", "The missed messages are no longer kept: fetch the lists.", reflect.TypeFor[cable.RejectHistoryFrame]()},
	{"message", "One message.", reflect.TypeFor[cable.MessageFrame]()},
	{"batch", "All messages of a moment, if the subscription asked for it.", reflect.TypeFor[cable.BatchFrame]()},
	{"profile_changed", "The user's profile, permissions, or organizations have changed: read the profile again.",
		reflect.TypeFor[cable.ProfileChangedFrame]()},
	{"disconnect", "The last frame of a socket.", reflect.TypeFor[cable.DisconnectFrame]()},
}

var clientCommand = streamShape{"command", "Subscribes to an organization, or ends that.", reflect.TypeFor[cable.Command]()}

// messageSchema stands for wire.AnyMessage in the document.
type messageSchema struct{}

// Schema implements huma.SchemaProvider.
func (messageSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Ref: shapesPrefix + anyMessage}
}

// documentStream puts the stream's shapes beside those of HTTP: the web makes its types from one document.
func documentStream(registry huma.Registry) {
	for name, union := range map[string][]streamShape{anyMessage: streamMessages(), anyFrame: serverFrames} {
		schema := &huma.Schema{}
		for _, s := range union {
			schema.OneOf = append(schema.OneOf, registry.Schema(s.shape, true, messageName(s)))
		}
		registry.Map()[name] = schema
	}
	registry.Map()[anyMessage].Description = "One message of the stream; type says which. Ignore types that you do not know."
	registry.Map()[anyFrame].Description = "One frame that the server sends at /cable."
	registry.Schema(clientCommand.shape, true, "")
}

// streamDocument describes /cable as AsyncAPI 3, with the shapes that its frames reach.
func streamDocument(api *huma.OpenAPI) map[string]any {
	type object = map[string]any
	shapes := object{}
	messages, ofChannel, sent := object{}, object{}, []object{}
	add := func(s streamShape) object {
		schema := api.Components.Schemas.Schema(s.shape, true, "")
		gatherShapes(api.Components.Schemas, schema, shapes)
		messages[s.name] = object{"name": s.name, "summary": s.text, "contentType": "application/json", "payload": schema}
		ofChannel[s.name] = object{"$ref": "#/components/messages/" + s.name}
		return object{"$ref": "#/channels/cable/messages/" + s.name}
	}
	for _, s := range serverFrames {
		sent = append(sent, add(s))
	}
	shapes[anyFrame] = api.Components.Schemas.Map()[anyFrame]
	received := []object{add(clientCommand)}
	channel := object{"$ref": "#/channels/cable"}
	return object{
		"asyncapi": "3.0.0",
		"info": object{"title": api.Info.Title + " stream", "version": api.Info.Version, "license": object{"name": api.Info.License.Name},
			"description": "Changes as they happen. The stream is a hint, HTTP is the truth: every list can be fetched again, " +
				"and the stream says when it must be."},
		"servers": object{"this": object{"host": "{host}", "protocol": "wss",
			"variables": object{"host": object{"description": "where the API is"}},
			"security": []object{{"type": "userPassword", "description": "A WebSocket subprotocol beside datapumper: " +
				"the access token of POST /user_token."}}}},
		"channels": object{"cable": object{"address": "/cable", "messages": ofChannel,
			"bindings": object{"ws": object{"method": "GET", "bindingVersion": "0.1.0", "headers": object{"type": "object", "properties": object{
				"Sec-WebSocket-Protocol": object{"type": "string",
					"description": "datapumper (or actioncable-v1-ext-json, actioncable-v1-json), then the access token"}},
				"required": []string{"Sec-WebSocket-Protocol"}}}}}},
		"operations": object{
			"tell":    object{"action": "send", "channel": channel, "messages": sent, "summary": "What the server sends."},
			"command": object{"action": "receive", "channel": channel, "messages": received, "summary": "What a client sends."}},
		"components": object{"messages": messages, "schemas": shapes},
	}
}

// gatherShapes adds the shapes that a schema refers to, however deep.
func gatherShapes(registry huma.Registry, schema *huma.Schema, into map[string]any) {
	if schema == nil {
		return
	}
	if name, ok := strings.CutPrefix(schema.Ref, shapesPrefix); ok && into[name] == nil {
		found := registry.SchemaFromRef(schema.Ref)
		into[name] = found
		gatherShapes(registry, found, into)
	}
	for _, part := range schema.OneOf {
		gatherShapes(registry, part, into)
	}
	for _, property := range schema.Properties {
		gatherShapes(registry, property, into)
	}
	gatherShapes(registry, schema.Items, into)
	if values, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		gatherShapes(registry, values, into)
	}
}
