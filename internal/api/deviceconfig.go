package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type (
	deviceConfigInput struct {
		ID      ID     `path:"id" format:"uuid"`
		IfMatch string `header:"If-Match" doc:"the version that was seen, 0 for none; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.DeviceConfigWrite
	}
)

func (s *server) deviceConfigRoutes() {
	tags := []string{"Things"}
	signedIn(s, huma.Operation{OperationID: "getDeviceConfig", Method: http.MethodGet, Path: "/things/{id}/device_config", Tags: tags,
		Summary: "How an asset's device is wired and reports", Description: "Ours; thing:admin:manage; ha5 and ha7 devices."}, s.getDeviceConfig)
	signedIn(s, huma.Operation{OperationID: "setDeviceConfig", Method: http.MethodPut, Path: "/things/{id}/device_config", Tags: tags,
		Summary: "Configure an asset's device", Description: "Ours; thing:admin:manage; the device fetches it from /api/ingest/device_config."}, s.setDeviceConfig)
}

func (s *server) getDeviceConfig(ctx context.Context, actor *app.Actor, in *idInput) (*versionedOf[wire.DeviceConfig], error) {
	c, err := s.app.DeviceConfig(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return oneDeviceConfig(c), nil
}

func (s *server) setDeviceConfig(ctx context.Context, actor *app.Actor, in *deviceConfigInput) (*versionedOf[wire.DeviceConfig], error) {
	seen, err := parseConfigVersion(in.IfMatch)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	c, err := s.app.SetDeviceConfig(ctx, actor, in.ID.String(), app.DeviceConfigEdit{IfMatch: seen, DeviceConfig: fleet.DeviceConfig{
		Model: b.Model, Platform: b.Platform, FileName: b.FileName, HeartbeatIntervalS: b.HeartbeatInterval, WarningLightPin: b.WarningLightPin,
		IndicatorPin: b.IndicatorPin, LocationType: b.LocationType}})
	if err != nil {
		return nil, err
	}
	return oneDeviceConfig(c), nil
}

func oneDeviceConfig(c wire.DeviceConfig) *versionedOf[wire.DeviceConfig] {
	return versioned(c, c.Version)
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
