package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	r2rInput struct {
		At
		Once
	}
	lightInput struct {
		ID ID `path:"thingId" format:"uuid"`
		Once
		Body wire.LightIntensity
	}
	commandsInput struct {
		At
		PageFilter
	}
)

func (s *server) commandRoutes() {
	things := group{s, "Things"}
	do(things, http.MethodPut, "toggleTestMode", "/things/{id}/r2r", "Turn an asset's test mode on, with a test alert, or off. "+
		"Send an Idempotency-Key: a repeat with the same key never flips it back. Requires thing:invoke_r2r. Only for ha5 and ha7 devices. "+
		"Whether the device did it is told on the stream (command); test mode ends by itself if the test alert isn't delivered.",
		whole[r2rInput], func(ctx context.Context, actor *access.Actor, in *r2rInput) (wire.Commanded, error) {
			return s.app.ToggleTestMode(ctx, actor, in.ID.String(), in.Key)
		})
	do(things, http.MethodPut, "setLightIntensity", "/things/{thingId}/light_intensity", "Change how bright an asset's lights are. "+
		"Requires thing:ha5_light_intensity_change. Only for ha5 and ha7 devices.",
		whole[lightInput], func(ctx context.Context, actor *access.Actor, in *lightInput) (wire.Commanded, error) {
			return s.app.SetLightIntensity(ctx, actor, in.ID.String(), in.Key, in.Body.LightIntensity)
		})
	list(things, "listThingCommands", "/things/{id}/commands", "What an asset's device was asked to do, newest first",
		func(in *commandsInput) (app.CommandQuery, error) {
			return app.CommandQuery{ThingID: in.ID.String(), Page: in.Page, PerPage: in.PerPage}, nil
		}, s.app.ListThingCommands)
}
