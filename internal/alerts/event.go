package alerts

import (
	"strconv"
	"strings"
	"time"

	"lightbar/internal/feed"
)

// batch has the events of one check, one after the other.
type batch struct {
	at     time.Time
	first  uint64 // number of events[0]
	bytes  []byte
	events []event
}

// event is a part of a batch; those who follow a part of the organization pick theirs.
type event struct {
	no       uint64 // of its alert
	id       string
	gone     bool
	alert    *feed.Alert // nil when gone; nobody changes it
	cells    []Cell      // none when gone
	message  []byte      // of those who follow cells; nil when nobody did
	from, to int
}

func (b *batch) add(e event, encoded []byte) {
	e.from = len(b.bytes)
	b.bytes = append(b.bytes, encoded...)
	e.to = len(b.bytes)
	b.events = append(b.events, e)
}

func appendHead(out []byte, name, epoch string, seq uint64) []byte {
	out = append(out, "event: "...)
	out = append(out, name...)
	out = append(out, "\nid: "...)
	out = append(out, epoch...)
	out = append(out, '-')
	out = strconv.AppendUint(out, seq, 10)
	return append(out, "\ndata: "...)
}

func appendAlert(out []byte, epoch string, seq uint64, feature []byte) []byte {
	out = append(appendHead(out, "alert", epoch, seq), feature...)
	return append(out, "\n\n"...)
}

// appendGone reports that an alert is over, or no longer concerns the reader. Ids are hexadecimal: they need no escape.
func appendGone(out []byte, epoch string, seq uint64, id string) []byte {
	out = append(appendHead(out, "gone", epoch, seq), `{"id":"`...)
	out = append(out, id...)
	return append(out, "\"}\n\n"...)
}

// parseEventID reads the id of an event; false for one that no board gave.
func parseEventID(text string) (epoch string, seq uint64, ok bool) {
	epoch, digits, found := strings.Cut(text, "-")
	if !found || epoch == "" || len(text) > 64 {
		return "", 0, false
	}
	seq, err := strconv.ParseUint(digits, 10, 64)
	return epoch, seq, err == nil
}
