package provider

import (
	"context"
	"time"

	"lightbar/catalog"
)

// geotabDevices is how many devices are asked for at once. MyGeotab answers 5,000 at most, and does not say that there are more.
var geotabDevices = int(catalog.LimitInt("provider", "geotabDevices"))

// geotabDevice is what of a device is read; all of it may be missing.
type geotabDevice struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	VIN       string `json:"vehicleIdentificationNumber"`
	EngineVIN string `json:"engineVehicleIdentificationNumber"`
	Serial    string `json:"serialNumber"`
	Plate     string `json:"licensePlate"`
	ActiveTo  string `json:"activeTo"`
}

// Vehicles are the account's devices that are in use: one that was taken out of
// a vehicle stays in MyGeotab's list, and has the VIN of the one that replaced it.
func (g *geotab) Vehicles(ctx context.Context) ([]Vehicle, error) {
	all := &fleet{api: &g.api, ctx: ctx, seen: map[string]bool{}}
	var offset any // null at first
	for pages := 0; ; pages++ {
		page, count := []geotabDevice{}, 0
		params := object{"typeName": "Device", "resultsLimit": geotabDevices,
			"sort": object{"sortBy": "id", "sortDirection": "asc", "offset": offset}}
		_, err := g.data(ctx, "Get", params, func() func(*reader) error {
			page, count = page[:0], 0
			return func(in *reader) error { return g.devices(in, &page, &count) }
		})
		if err != nil {
			return nil, err
		}
		if count == 0 { // which alone is the end
			return all.list, nil
		}
		if len(page) == 0 || offset == page[len(page)-1].ID || pages > vehiclesMax/geotabDevices+vehiclesMax/100 {
			return nil, g.failed(Unreadable, 0, "%s does not come to an end of its vehicles.", g.name)
		}
		offset = page[len(page)-1].ID
		for i := range page {
			if err := g.keep(all, &page[i]); err != nil {
				return nil, err
			}
		}
	}
}

func (g *geotab) devices(in *reader, page *[]geotabDevice, count *int) error {
	return in.list(func() error {
		var d geotabDevice
		if *count++; *count > hardestCap {
			return g.failed(Unreadable, 0, "%s sends more vehicles than it was asked for.", g.name)
		}
		if err := shapeless(in.value(&d)); err != nil || d.ID == "" || len(d.ID) > idTextMax {
			return err
		}
		d.Name, d.VIN, d.EngineVIN, d.Serial, d.Plate = clean(d.Name), clean(d.VIN), clean(d.EngineVIN), clean(d.Serial), clean(d.Plate)
		*page = append(*page, d)
		return nil
	})
}

// hardestCap is more than any answer of MyGeotab has.
const hardestCap = 5000

func (g *geotab) keep(all *fleet, d *geotabDevice) error {
	if until, err := time.Parse(time.RFC3339Nano, d.ActiveTo); err == nil && !until.After(g.now()) {
		return nil
	}
	return all.add(Vehicle{ExternalID: d.ID, Name: d.Name, VIN: vin(d.VIN, d.EngineVIN), Serial: said(d.Serial), Plate: said(d.Plate)})
}
