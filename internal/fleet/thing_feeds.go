package fleet

import "lightbar/catalog"

// Publishing is what an organization publishes to everyone.
type Publishing struct{ WorkZones, Alerts bool }

// Publishes is the law of which feeds an organization has: alerts to drivers also without work zones.
func (o *Organization) Publishes() Publishing {
	isThere := o.DeletedAt == 0
	return Publishing{WorkZones: isThere && o.WZDx, Alerts: isThere && (o.WZDx || o.AlertsPublic)}
}

// FieldDevice is the role of an asset for readers of device feeds.
type FieldDevice int

// NoFieldDevice is any asset but arrow boards and work trucks.
const (
	NoFieldDevice FieldDevice = iota
	ArrowBoard
	WorkTruck // only while its lights are on
)

var fieldDevices = func() map[string]FieldDevice {
	out := map[string]FieldDevice{}
	for _, t := range catalog.AllEnums().ThingTypes {
		switch t.Name {
		case "arrow_board":
			out[t.ID] = ArrowBoard
		case "maintenance":
			out[t.ID] = WorkTruck
		}
	}
	return out
}()

// FieldDevice is the role that follows from the asset's type.
func (t *Thing) FieldDevice() FieldDevice { return fieldDevices[t.TypeID] }

// The kinds of feeds that contain assets.
const (
	FeedAlerts  = "alerts"
	FeedDevices = "devices"
)

// Shared by all assets: nobody changes one.
var noFeeds, alertFeeds, deviceFeeds, bothFeeds = []string{}, []string{FeedAlerts}, []string{FeedDevices}, []string{FeedAlerts, FeedDevices}

// Feeds are the feeds of its owner that contain the asset, as far as it reports what they need (lights on, for most). A feed of
// closures contains none: its closures are those that the asset drives.
func (t *Thing) Feeds(of Publishing) []string {
	alerts, devices := of.Alerts, of.WorkZones && t.FieldDevice() != NoFieldDevice
	switch {
	case !t.WarnsDrivers() || !alerts && !devices:
		return noFeeds
	case !devices:
		return alertFeeds
	case !alerts:
		return deviceFeeds
	}
	return bothFeeds
}
