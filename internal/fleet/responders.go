package fleet

// RespondersType returns how many of an organization's assets in service are responders: all, some or none of them. Without assets
// there are none.
func RespondersType(responders, inService int) string {
	switch {
	case responders == 0:
		return "none"
	case responders == inService:
		return "all"
	}
	return "some"
}
