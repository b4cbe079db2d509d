package fleet

import "lightbar/catalog"

// Publishing is what an organization tells everyone outside of.
type Publishing struct{ WorkZones, Alerts bool }

// Publishes is the law of which feeds an organization has: alerts to drivers also without work zones.
func (o *Organization) Publishes() Publishing {
	isThere := o.DeletedAt == 0
	return Publishing{WorkZones: isThere && o.WZDx, Alerts: isThere && (o.WZDx || o.AlertsPublic)}
}

// FieldDevice is what an asset is to readers of device feeds.
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

// FieldDevice is what the asset's type makes it.
func (t *Thing) FieldDevice() FieldDevice { return fieldDevices[t.TypeID] }

// The kinds of feeds that tell of assets.
const (
	FeedAlerts  = "alerts"
	FeedDevices = "devices"
)

// Shared by all assets: nobody changes one.
var noFeeds, alertFeeds, deviceFeeds, bothFeeds = []string{}, []string{FeedAlerts}, []string{FeedDevices}, []string{FeedAlerts, FeedDevices}

// Feeds are the feeds of its owner that tell of the asset, as far as it reports what they tell (lights on, for most). A
// feed of closures tells of none: what it drives is in the asset's closures.
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
