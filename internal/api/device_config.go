package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type deviceConfigInput struct {
	At
	IfMatch string `header:"If-Match" doc:"the version that the caller has, 0 for none; a different one answers 409 with the current state"`
	Once
	Body wire.DeviceConfigWrite
}

func (s *server) deviceConfigRoutes() {
	things := group{s, "Things"}
	read(things, "getDeviceConfig", "/things/{id}/device_config",
		"How an asset's device is wired, and how it reports. "+
			"Requires thing:admin:manage. Only for ha5 and ha7 devices.", byID, s.app.DeviceConfig)
	do(things, http.MethodPut, "setDeviceConfig", "/things/{id}/device_config",
		"Configure an asset's device. "+
			"Requires thing:admin:manage. The device fetches it from /api/ingest/device_config.", whole, s.setDeviceConfig)
}

func (s *server) setDeviceConfig(ctx context.Context, actor *access.Actor, in *deviceConfigInput) (c wire.DeviceConfig, err error) {
	seen, err := parseConfigVersion(in.IfMatch)
	if err != nil {
		return c, err
	}
	b := &in.Body
	return s.app.SetDeviceConfig(ctx, actor, in.ID.String(), app.DeviceConfigEdit{IfMatch: seen, DeviceConfig: fleet.DeviceConfig{
		Model: b.Model, Platform: b.Platform, FileName: b.FileName, HeartbeatIntervalS: b.HeartbeatInterval, WarningLightPin: b.WarningLightPin,
		IndicatorPin: b.IndicatorPin, LocationType: b.LocationType}})
}

// parseConfigVersion is parseIfMatch where 0 means that there was none yet.
func parseConfigVersion(text string) (*int64, error) {
	if n, err := strconv.ParseInt(strings.Trim(strings.TrimSpace(text), `"`), 10, 64); err == nil && n == 0 {
		return &n, nil
	}
	version, err := parseIfMatch(text)
	if err != nil || version == 0 {
		return nil, err
	}
	return &version, nil
}
