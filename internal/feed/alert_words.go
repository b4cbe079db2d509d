package feed

import (
	"math"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// alertText is the length of the longest message of an alert: what a driver can read at a glance.
var alertText = int(catalog.LimitInt("alerts", "messageText"))

// vehicleWords name assets to drivers, by thing type; how a vehicle looks matters, not whose it is.
var vehicleWords = map[string]string{
	"fire": "Fire truck", "police": "Police", "ambulance": "Ambulance", "emergency_response": "Emergency vehicle",
	"arrow_board": "Arrow board", "maintenance": "Road crew", "tow": "Tow truck", "waste": "Waste truck",
}

// movingKPH is from which speed a vehicle moves.
const movingKPH = 8

func vehicleMessage(a *Alert) string {
	who := vehicleWords[a.Kind]
	if who == "" {
		who = "Service vehicle"
	}
	switch {
	case a.Kind == "arrow_board":
		return who + " ahead"
	case a.OnScene:
		return who + " on scene ahead"
	case a.SpeedKPH != nil && *a.SpeedKPH >= movingKPH:
		return who + " with lights on nearby"
	}
	return who + " with lights on ahead"
}

// closureMessage is the publisher's message to drivers, if it can be read at a glance, else what is closed.
func closureMessage(c *fleet.Closure) string {
	said := strings.Join(strings.Fields(c.AlertMessage), " ")
	if said == "" || utf8.RuneCountInString(said) > alertText {
		said = lanesInWords(c)
	}
	if utf8.RuneCountInString(said) > alertText {
		return "Road work ahead"
	}
	return said
}

// hazardMessages are those whose type is not the message by itself.
var hazardMessages = map[string]string{"other": "Hazard ahead", "signal_out": "Traffic signal out ahead",
	"fire": "Fire near the road ahead"}

func hazardMessage(kind string) string {
	if said := hazardMessages[kind]; said != "" {
		return said
	}
	for _, t := range catalog.AllEnums().HazardTypes {
		if t.Name == kind {
			return t.DisplayName + " ahead"
		}
	}
	return hazardMessages["other"]
}

// lineBearing is the direction from the beginning of a line to its end, degrees to a tenth.
func lineBearing(line []fleet.LatLng) float64 {
	return math.Mod(math.Round(bearing(line[0], line[len(line)-1])*10)/10, 360)
}
