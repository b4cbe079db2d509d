package fleet

import (
	"slices"
	"strings"

	"lightbar/catalog"
)

// How a vehicle of a provider was found to be an asset; the list is catalog/enums.json, vehicleMatches.
const (
	MatchLinked = "linked" // the asset has the vehicle's identifier
	MatchVIN    = "vin"
	MatchSerial = "serial" // the device's serial number is a name of the asset
	MatchPlate  = "plate"
	MatchTwice  = "twice" // several vehicles or assets have the same mark: a person decides
	MatchNone   = "none"
)

// Vehicle is one that an account at a provider has.
type Vehicle struct {
	ExternalID string
	Name       string
	VIN        string
	Serial     string
	Plate      string
}

// VehicleMatch is a vehicle, and which asset it seems to be; none = empty.
type VehicleMatch struct {
	Vehicle
	ThingID string
	Match   string
}

// Names reports whether the identifier is of an integration: bound to it, or typed
// by a person while the organization has no other account at the provider.
func (i Identifier) Names(x *Integration, isOnly bool) bool {
	return i.Provider == x.Provider && (i.Account == x.ID || i.Account == "" && isOnly)
}

// MovedIdentifiers are the identifiers of an asset that goes from one organization to another. An identifier that a person typed
// belongs to the former owner's account from then on: the same id may be another vehicle in the new owner's. An asset that comes
// back has its old ones.
func MovedIdentifiers(of []Identifier, from, to string) []Identifier {
	out := slices.Clone(of)
	for i := range out {
		switch out[i].Account {
		case "":
			out[i].Account = from
		case to:
			out[i].Account = ""
		}
	}
	return out
}

// MatchVehicles finds the assets of vehicles: by the identifier that an asset has, else by VIN, by serial number, by plate. A mark
// of two vehicles or two assets proves nothing, and an asset is one vehicle: the others are "twice".
func MatchVehicles(vehicles []Vehicle, things []*Thing, x *Integration, isOnly bool) []VehicleMatch {
	marks := []struct {
		as      string
		vehicle func(Vehicle) string
		thing   func(*Thing) []string
	}{
		{MatchLinked, func(v Vehicle) string { return v.ExternalID }, func(t *Thing) (out []string) {
			for _, i := range t.Integrations {
				if i.Names(x, isOnly) {
					out = append(out, i.ID)
				}
			}
			return out
		}},
		{MatchVIN, func(v Vehicle) string { return plainMark(v.VIN) }, func(t *Thing) []string { return []string{plainMark(t.VIN)} }},
		{MatchSerial, func(v Vehicle) string { return plainMark(v.Serial) },
			func(t *Thing) []string { return []string{plainMark(t.SystemName), plainMark(t.ExternalID)} }},
		{MatchPlate, func(v Vehicle) string { return plainMark(v.Plate) }, func(t *Thing) []string { return []string{plainMark(t.Plate)} }},
	}
	out := make([]VehicleMatch, len(vehicles))
	for i, v := range vehicles {
		out[i] = VehicleMatch{Vehicle: v, Match: MatchNone}
	}
	for _, mark := range marks {
		byMark := map[string][]string{}
		for _, t := range things {
			for _, key := range mark.thing(t) {
				if key != "" && !slices.Contains(byMark[key], t.ID) {
					byMark[key] = append(byMark[key], t.ID)
				}
			}
		}
		saidBy := map[string]int{}
		for _, v := range vehicles {
			saidBy[mark.vehicle(v)]++
		}
		for i := range out {
			key := mark.vehicle(out[i].Vehicle)
			found := byMark[key]
			if key == "" || len(found) == 0 || out[i].Match != MatchNone {
				continue
			}
			if out[i].Match = mark.as; len(found) > 1 || saidBy[key] > 1 {
				out[i].Match = MatchTwice
			} else {
				out[i].ThingID = found[0]
			}
		}
	}
	oneVehicleEach(out)
	for i := range out {
		out[i].Match = closedWord(catalog.AllEnums().VehicleMatches, out[i].Match, MatchNone)
	}
	return out
}

// oneVehicleEach leaves an asset to the vehicle that is linked with it; other vehicles that seem to be it, too, are "twice".
func oneVehicleEach(out []VehicleMatch) {
	claims := map[string]int{}
	for _, m := range out {
		claims[m.ThingID]++
	}
	for i := range out {
		if m := &out[i]; m.ThingID != "" && claims[m.ThingID] > 1 && m.Match != MatchLinked {
			m.ThingID, m.Match = "", MatchTwice
		}
	}
}

// plainMark is a VIN, a serial number or a plate without what people write between its letters. Texts that mean "not known" (zeros,
// one letter again and again) are none.
func plainMark(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, text)
	if out == "" || strings.Trim(out, out[:1]) == "" || out == "UNKNOWN" || out == "NA" || out == "NONE" {
		return ""
	}
	return out
}

var (
	vinMax   = int(catalog.LimitInt("text", "vehicleId"))
	plateMax = int(catalog.LimitInt("text", "plate"))
)

// AsAsset is the name of an asset that is made from the vehicle, and its VIN and plate. Values that an asset cannot have, or that
// mean "not known", are left out.
func (v Vehicle) AsAsset() (name, vin, plate string) {
	if name = strings.TrimSpace(v.Name); name == "" {
		name = v.ExternalID
	}
	if vin = plainMark(v.VIN); len(vin) > vinMax {
		vin = ""
	}
	if plate = strings.TrimSpace(v.Plate); plainMark(plate) == "" {
		return name, vin, ""
	}
	if _, wrong := CheckText(plate, plateMax); wrong != "" {
		plate = ""
	}
	return name, vin, plate
}
