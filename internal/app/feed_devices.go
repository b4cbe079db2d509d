package app

import (
	"slices"
	"strings"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// deviceFeatures are the field devices of an organization as they were last published. Devices are judged for each answer; a
// document is made only when one differs.
type deviceFeatures struct {
	devices  []feed.Device
	bytes    map[string][]byte // by asset
	name     string            // of the organization
	document FeedDocument
}

// devicesOf returns what the public may see now of an organization's assets, with the closures that each drives.
func (a *App) devicesOf(f *organizationFeeds, organizationID string, now fleet.Instant) (out []feed.Device) {
	a.Live.VisitOwned(organizationID, func(t *fleet.Thing, s *fleet.State) {
		if d, ok := feed.DeviceOf(t, s, now); ok {
			out = append(out, d)
		}
	})
	drives := map[string][]string{}
	for _, c := range f.closures {
		if c.ThingID != "" && feed.PhaseOf(a.closureAt(c), now) == feed.Active {
			drives[c.ThingID] = append(drives[c.ThingID], c.ExternalID)
		}
	}
	for i := range out {
		out[i].Closures = strings.Join(drives[out[i].ID], "\n")
	}
	return out
}

// deviceDocument returns the document of devices; unchanged features are not made again.
func (f *organizationFeeds) deviceDocument(source feed.Source, devices []feed.Device) FeedDocument {
	source.UpdatedAt = max(source.UpdatedAt, source.MadeAt)
	for i := range devices {
		source.UpdatedAt = max(source.UpdatedAt, devices[i].UpdatedAt)
	}
	was := &f.devices
	if was.document.ETag != "" && slices.Equal(devices, was.devices) && was.document.state == source.UpdatedAt && was.name == source.Name {
		return was.document
	}
	old := make(map[string]feed.Device, len(was.devices))
	for _, d := range was.devices {
		old[d.ID] = d
	}
	is, parts := make(map[string][]byte, len(devices)), make([][]byte, len(devices))
	for i, d := range devices {
		if old[d.ID] == d {
			parts[i] = was.bytes[d.ID]
		} else {
			parts[i] = d.Feature()
		}
		is[d.ID] = parts[i]
	}
	body := feed.DeviceDocument(source, parts)
	f.devices = deviceFeatures{devices, is, source.Name, FeedDocument{Body: body, ETag: tagOf(body), MediaType: feed.DevicesMediaType,
		Fresh: deviceFresh, state: source.UpdatedAt}}
	return f.devices.document
}
