package wire

import (
	"bufio"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// Snapshot is live assets in columns: value i of each column belongs to asset i
// and says what the list says. Texts that repeat (types, organizations, streets)
// are indexes into a dictionary of this answer, -1 for none. Coordinates are
// 1e-7 degrees, instants milliseconds since the epoch (0 = none).
//
// A full answer holds every asset that is seen: what it does not hold is gone.
// Any other tells what changed since the asked instant, in rows ordered so that
// a column may end before count: the rows behind its end have not changed in it.
// The columns end in four steps: what people edit, standing, movement, sign of life.
type Snapshot struct {
	Count   int           `json:"count" doc:"rows of this answer"`
	Total   int           `json:"total" doc:"assets that are seen, in this answer or not"`
	Full    bool          `json:"full" doc:"every asset is in it, what is not has gone; also where what changed cannot be told"`
	IsLarge bool          `json:"is_large" doc:"poll this instead of listening to the stream"`
	AsOf    fleet.Instant `json:"as_of" nullable:"false" doc:"the last_updated_timestamp of the next question"`
	ID      []string      `json:"id"`

	// What people edit.
	HaasID       []string `json:"haas_id"`
	Nickname     []string `json:"nickname"`
	ExternalID   []string `json:"external_id"`
	VINNumber    []string `json:"vin_number"`
	Plate        []string `json:"license_plate_number"`
	Registry     []string `json:"registry_number"`
	Type         []int32  `json:"thing_type"`
	Subtype      []int32  `json:"thing_subtype"`
	DeviceType   []int32  `json:"device_type"`
	Organization []int32  `json:"organization"`
	Relations    []int32  `json:"relations"`
	Integrations []int32  `json:"integrations"`
	Version      []int64  `json:"version"`

	// Standing.
	Status     []uint16 `json:"status" doc:"0 active_location, 1 active, 2 standby, 3 stationary, 4 pending, 5 offline"`
	StatusAt   []int64  `json:"status_at" doc:"since when the status holds"`
	Flags      []uint16 `json:"flags" doc:"1 in service, 2 alerting, 4 has position, 8 has course, 16 r2r, 32 publicly alerting, 64 responder, 128 enroute, 256 allowed for closures, 512 allowed for test mode, 1024 test mode"`
	LocationID []string `json:"location_id" doc:"empty = at no incident"`
	LocationAt []int64  `json:"location_at" doc:"when it arrived there"`
	StationID  []string `json:"station_id"`
	RunID      []string `json:"run_id" doc:"empty = not in a run"`
	RunStartAt []int64  `json:"run_start_at"`

	// Movement.
	Lat        []int32   `json:"lat"`
	Lng        []int32   `json:"lng"`
	Course     []int16   `json:"course" doc:"whole degrees clockwise from north; read it with flag 8"`
	Speed      []float32 `json:"speed" doc:"m/s to two places, 0 when unknown"`
	Accuracy   []float32 `json:"accuracy" doc:"meters to one place, -1 when the device did not say"`
	Street     []int32   `json:"street"`
	At         []int64   `json:"at" doc:"effective time of the position"`
	ReceivedAt []int64   `json:"received_at"`
	RunPoints  []int64   `json:"run_points"`

	// Sign of life.
	HeartbeatAt []int64 `json:"heartbeat_at"`
	StaleAt     []int64 `json:"stale_at" doc:"from this server instant on the position must not be shown as live"`

	Gone []string `json:"gone" doc:"ids of assets that were deleted or are out of sight; none in a full answer"`

	Types          []string               `json:"types" doc:"dictionary of thing_type: ids"`
	Subtypes       []string               `json:"subtypes" doc:"dictionary of thing_subtype: ids"`
	DeviceTypes    []string               `json:"device_types" doc:"dictionary of device_type"`
	Orgs           []OrganizationRef      `json:"orgs" doc:"dictionary of organization"`
	RelationSet    [][]Relationship       `json:"relation_set" doc:"dictionary of relations"`
	IntegrationSet [][]ExternalIdentifier `json:"integration_set" doc:"dictionary of integrations"`
	Streets        []string               `json:"streets" doc:"dictionary of street"`
}

// NewSnapshot makes an empty one with room for rows: the wire has no null lists.
func NewSnapshot(rows int) *Snapshot {
	s := &Snapshot{}
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			room := rows
			if strings.HasPrefix(v.Type().Field(i).Tag.Get("doc"), "dictionary") {
				room = 0
			}
			f.Set(reflect.MakeSlice(f.Type(), 0, room))
		}
	}
	return s
}

// ThingsSnapshot is the compact picture of an organization.
type ThingsSnapshot struct {
	Data Snapshot `json:"data"`
}

// WriteJSON writes the answer as encoding/json would, column by column: as one
// piece that of 100 000 assets takes 20 MB, and more while it grows.
func (t ThingsSnapshot) WriteJSON(to io.Writer) error {
	w := bufio.NewWriterSize(to, 64<<10)
	v := reflect.ValueOf(t.Data)
	b := []byte(`{"data":`)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		b = append(b, "{,"[min(i, 1)])
		b = append(append(append(b, '"'), name...), `":`...)
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
		if err := writeColumn(w, v.Field(i).Interface()); err != nil {
			return err
		}
	}
	if _, err := w.WriteString("}}\n"); err != nil {
		return err
	}
	return w.Flush()
}

func writeColumn(w *bufio.Writer, column any) error {
	switch c := column.(type) {
	case []string:
		return each(w, c, text)
	case []uint16:
		return each(w, c, whole)
	case []int16:
		return each(w, c, whole)
	case []int32:
		return each(w, c, whole)
	case []int64:
		return each(w, c, whole)
	case []float32:
		return each(w, c, func(b []byte, f float32) []byte { return strconv.AppendFloat(b, float64(f), 'f', -1, 32) })
	}
	b, err := json.Marshal(column)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

func whole[T uint16 | int16 | int32 | int64](b []byte, v T) []byte {
	return strconv.AppendInt(b, int64(v), 10)
}

func each[T any](w *bufio.Writer, column []T, write func([]byte, T) []byte) error {
	b := append(w.AvailableBuffer(), '[')
	for i, v := range column {
		if i > 0 {
			b = append(b, ',')
		}
		if b = write(b, v); len(b) < 4096 {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = w.AvailableBuffer()
	}
	_, err := w.Write(append(b, ']'))
	return err
}
