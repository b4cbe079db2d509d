package fleet

// HazardColumns are the columns of a file of hazards; empty = the field's own name.
type HazardColumns struct{ ID, Lat, Lng, Type, Description, Start, Updated string }

// HazardColumn is a field and its name in a file; Said: it was given.
type HazardColumn struct {
	Field, As string
	Said      bool
}

// Named are the fields and what the file calls them.
func (c HazardColumns) Named() (out []HazardColumn) {
	for _, f := range []struct{ field, as string }{{"id", c.ID}, {"lat", c.Lat}, {"lng", c.Lng}, {"type", c.Type},
		{"description", c.Description}, {"start", c.Start}, {"updated", c.Updated}} {
		if f.as == "" {
			out = append(out, HazardColumn{f.field, f.field, false})
		} else {
			out = append(out, HazardColumn{f.field, f.as, true})
		}
	}
	return out
}

// Why a row of a file of hazards is refused; the list is closed.
const (
	RowIDMissing   = "id_missing"
	RowIDRepeated  = "id_repeated"
	RowNoPosition  = "lat_lng_missing"
	RowOutOfRange  = "out_of_range"
	RowNoFix       = NoFix
	RowSwapped     = "coordinates_swapped"
	RowTimeInvalid = "time_invalid"
	RowTooOld      = "too_old"
	RowNotAPoint   = "not_a_point"
	RowTooMany     = "too_many"
	RowInvalid     = "invalid"
)

// CheckRow judges a report that is a row of a file, by itself: why it is refused
// (of the list above, with a sentence), empty when it is taken.
func (r *HazardReport) CheckRow(now Instant) (reason, message string) {
	if r.ID == "" {
		return RowIDMissing, "The row has no ID."
	}
	if IsSwapped(r.Lat, r.Lng) {
		return RowSwapped, "Latitude and longitude are swapped."
	}
	switch why := r.Check(now); {
	case why == nil:
	case why.Code == "lat_out_of_range" || why.Code == "lng_out_of_range":
		return RowOutOfRange, why.Message
	case why.Code == NoFix:
		return RowNoFix, why.Message
	case why.Code == "at_too_old":
		return RowTooOld, "The row is more than 30 days old."
	case why.Field == "at":
		return RowTimeInvalid, why.Message
	default:
		return RowInvalid, why.Message
	}
	if r.At.Add(hazardLife) <= now {
		return RowTooOld, "The hazard would already be over. Its newest time is more than an hour ago."
	}
	return "", ""
}
