package simulate

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Recording is a recorded fleet: its assets and their reports in file order,
// with the instants of the recording.
type Recording struct {
	Assets []Asset
	Items  []Item
	times  []time.Time
}

// ReadRecording reads a file of one of the known kinds: Geotab AVL messages
// (JSON), work-zone drive logs (CSV with "GPS Date & Time"), or WKT points (JSON).
// Units become those of the ingest wire (m/s, degrees, meters).
func ReadRecording(path string) (*Recording, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	var rec *Recording
	switch {
	case strings.EqualFold(filepath.Ext(path), ".csv"):
		rec, err = readDrive(strings.NewReader(string(body)), name)
	case strings.Contains(string(body[:min(len(body), 200)]), `"point"`):
		rec, err = readWKT(body)
	default:
		rec, err = readAVL(body)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if len(rec.Items) == 0 {
		return nil, fmt.Errorf("%s holds no positions", filepath.Base(path))
	}
	return rec, nil
}

func (r *Recording) add(seen map[string]bool, a Asset, at time.Time, item Item) {
	if !seen[a.HaasID] {
		seen[a.HaasID] = true
		r.Assets = append(r.Assets, a)
	}
	item.Type, item.Asset = "point", a.HaasID
	r.Items = append(r.Items, item)
	r.times = append(r.times, at)
}

// readAVL reads messages as Colorado's AVL feed relays them from Geotab; speed is km/h.
func readAVL(body []byte) (*Recording, error) {
	var messages []struct {
		AVL struct {
			Vehicle struct {
				ID      string `json:"id2"`
				Type    string `json:"type"`
				SubType string `json:"sub_type"`
			} `json:"vehicle"`
			Position struct {
				Lat     *float64 `json:"latitude"`
				Lng     *float64 `json:"longitude"`
				Bearing *float64 `json:"bearing"`
				Speed   *float64 `json:"speed"`
			} `json:"position"`
			Source struct {
				At time.Time `json:"collection_timestamp"`
			} `json:"source"`
		} `json:"avl_location"`
	}
	if err := json.Unmarshal(body, &messages); err != nil {
		return nil, errors.New("this is no known recording (expected Geotab AVL messages, a drive log in CSV or WKT points)")
	}
	rec, seen := &Recording{}, map[string]bool{}
	for _, m := range messages {
		p := m.AVL.Position
		if m.AVL.Vehicle.ID == "" || p.Lat == nil || p.Lng == nil {
			continue
		}
		item := Item{Lat: p.Lat, Lng: p.Lng, Course: p.Bearing}
		if p.Speed != nil {
			ms := round(*p.Speed/3.6, 3)
			item.Speed = &ms
		}
		rec.add(seen, Asset{HaasID: m.AVL.Vehicle.ID, ThingType: "maintenance", DeviceType: "api", Nickname: ""}, m.AVL.Source.At, item)
	}
	return rec, nil
}

// readDrive reads one vehicle's log at 10 Hz; speed is m/s, HDOP × 5 m stands for accuracy.
func readDrive(r io.Reader, name string) (*Recording, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	rec, seen := &Recording{}, map[string]bool{}
	for i, row := range rows {
		if i == 0 || len(row) < 8 {
			continue
		}
		at, err := time.Parse("2006/01/02-15:04:05", row[0][:max(0, strings.LastIndex(row[0], ":"))])
		if err != nil {
			return nil, fmt.Errorf("line %d: no date and time: %q", i+1, row[0])
		}
		hundredths, _ := strconv.Atoi(row[0][strings.LastIndex(row[0], ":")+1:])
		var n [8]float64
		for c := 2; c < 8; c++ {
			if n[c], err = strconv.ParseFloat(row[c], 64); err != nil {
				return nil, fmt.Errorf("line %d column %d: not a number: %q", i+1, c+1, row[c])
			}
		}
		lat, lng, speed, course, accuracy := n[3], n[4], n[6], n[7], n[2]*5
		rec.add(seen, Asset{HaasID: strings.ToUpper(name), ThingType: "maintenance", DeviceType: "api"},
			at.Add(time.Duration(hundredths)*10*time.Millisecond),
			Item{Lat: &lat, Lng: &lng, Speed: &speed, Course: &course, Accuracy: &accuracy})
	}
	return rec, nil
}

// readWKT reads [{"point": "POINT(lng lat)", "time": "…", "id": "…"}, …].
func readWKT(body []byte) (*Recording, error) {
	var rows []struct{ Point, Time, ID string }
	if err := json.Unmarshal(body, &rows); err != nil {
		return nil, err
	}
	rec, seen := &Recording{}, map[string]bool{}
	for i, row := range rows {
		var lng, lat float64
		if _, err := fmt.Sscanf(row.Point, "POINT(%g %g)", &lng, &lat); err != nil {
			return nil, fmt.Errorf("row %d: no point: %q", i, row.Point)
		}
		at, err := time.Parse("2006-01-02 15:04:05-0700", row.Time)
		if err != nil {
			return nil, fmt.Errorf("row %d: no time: %q", i, row.Time)
		}
		rec.add(seen, Asset{HaasID: "TRACE-" + strings.Trim(row.ID, `\x`), DeviceType: "api"}, at, Item{Lat: &lat, Lng: &lng})
	}
	return rec, nil
}

// ShiftTo moves all instants so that the newest becomes now.
func (r *Recording) ShiftTo(now time.Time) {
	var newest time.Time
	for _, t := range r.times {
		if t.After(newest) {
			newest = t
		}
	}
	by := now.Sub(newest)
	for i := range r.times {
		r.times[i] = r.times[i].Add(by)
		r.Items[i].At = stamp(r.times[i])
	}
}

// ReplayOptions say how fast a recording runs.
type ReplayOptions struct {
	Speed    float64 // times real time; 0 = as fast as the server takes it
	Batch    int     // items a request, 0 = 200
	Progress func(done, total int)
}

// Replay registers the recording's assets and sends its reports in file order.
func (r *Recording) Replay(ctx context.Context, client *Client, o ReplayOptions) (Answer, error) {
	for i := 0; i < len(r.Assets); i += 1000 {
		if err := client.Register(ctx, r.Assets[i:min(i+1000, len(r.Assets))]); err != nil {
			return Answer{}, fmt.Errorf("register assets: %w", err)
		}
	}
	if o.Batch <= 0 {
		o.Batch = 200
	}
	begin, total := time.Now(), Answer{}
	for i := 0; i < len(r.Items); {
		n := min(o.Batch, len(r.Items)-i)
		if o.Speed > 0 {
			n = 1
			if wait := time.Until(begin.Add(time.Duration(float64(r.times[i].Sub(r.times[0])) / o.Speed))); wait > 0 {
				select {
				case <-ctx.Done():
					return total, ctx.Err()
				case <-time.After(wait):
				}
			}
		}
		answer, err := client.SendAgain(ctx, r.Items[i:i+n])
		if err != nil {
			return total, err
		}
		total.Accepted += answer.Accepted
		total.Duplicates += answer.Duplicates
		for _, refused := range answer.Refused {
			refused.Index += i
			total.Refused = append(total.Refused, refused)
		}
		i += n
		if o.Progress != nil {
			o.Progress(i, len(r.Items))
		}
	}
	return total, nil
}
