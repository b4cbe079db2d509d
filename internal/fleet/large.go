package fleet

import "lightbar/catalog"

var largeFrom = int(catalog.LimitInt("lists", "largeOrganizationThings"))

// IsLarge reports whether an organization that sees so many assets is polled
// instead of streamed: as set by hand, else above 5000.
func IsLarge(byHand *bool, seen int) bool {
	if byHand != nil {
		return *byHand
	}
	return seen > largeFrom
}

// SetLarge is the value to store after a person's request. Sending back the current value sets nothing: forms send every field.
// What follows from the number of assets is left to it.
func SetLarge(byHand *bool, want bool, seen int) *bool {
	switch want {
	case IsLarge(byHand, seen):
		return byHand
	case IsLarge(nil, seen):
		return nil
	}
	return &want
}
