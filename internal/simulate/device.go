package simulate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Command is what a device is asked to do (docs/ingest.md, Device commands).
type Command struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Value    *string         `json:"value"`
	Config   json.RawMessage `json:"config"`
	IssuedAt time.Time       `json:"issued_at"`
	LeftMs   int64           `json:"left_ms"`
}

// deviceConfig is what a device does with its configuration: it reports as often as that says, and what it has.
type deviceConfig struct {
	Version           int64 `json:"version"`
	HeartbeatInterval int64 `json:"heartbeat_interval"` // seconds
}

// Device is the reference of a light device: it executes each command once, none
// after its end, and of two about one thing the newer one.
type Device struct {
	Asset string
	// OnCommand is called after each command that it took; may be nil.
	OnCommand func(c Command, status string)

	mu       sync.Mutex
	done     map[string]string    // what it said of a command, by id
	newest   map[string]time.Time // issued_at of what it executed last, by matter
	testMode bool
	light    string
	config   deviceConfig
	changed  chan struct{} // made by Reconfigured
}

// Every is how often the device reports: as its configuration says, else as often as without one.
func (d *Device) Every(without time.Duration) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.config.HeartbeatInterval > 0 {
		return time.Duration(d.config.HeartbeatInterval) * time.Second
	}
	return without
}

// ConfigVersion is the version of the configuration that it has; 0 = none.
func (d *Device) ConfigVersion() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.config.Version
}

// Reconfigured tells of each configuration that the device takes; one caller may listen.
func (d *Device) Reconfigured() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.changed == nil {
		d.changed = make(chan struct{}, 1)
	}
	return d.changed
}

// configure takes a configuration.
func (d *Device) configure(config json.RawMessage) (status, message string) {
	var next deviceConfig
	switch err := json.Unmarshal(config, &next); {
	case err != nil || next.Version < 1 || next.HeartbeatInterval < 1:
		return "failed", "not a configuration"
	case next.Version < d.config.Version:
		return "failed", "a newer configuration is in use"
	}
	d.config = next
	select {
	case d.changed <- struct{}{}: // nobody listens to a channel that was not made
	default:
	}
	return "delivered", ""
}

// wordOn is what the device says of a command.
func (d *Device) wordOn(c *Command, status, message string) map[string]any {
	word := map[string]any{"at": time.Now().UTC().Format(time.RFC3339Nano), "status": status, "message": message}
	if c.Type == "config" {
		word["config_version"] = d.ConfigVersion()
	}
	return word
}

// devicePoll is how long a device waits for a command, and longer than that its request may take.
const devicePoll, deviceGrace = 25 * time.Second, 20 * time.Second

// doneKept bounds what a device remembers: the server forgets a command after a minute.
const doneKept = 1000

// InTestMode reports whether the device is in test mode.
func (d *Device) InTestMode() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.testMode
}

// Execute does what a command says and answers what to say of it; "" = nothing,
// as its time is over. left is how long it may still be executed.
func (d *Device) Execute(c Command, left time.Duration) (status, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if said, again := d.done[c.ID]; again {
		return said, ""
	}
	if left <= 0 {
		return "", ""
	}
	matter := "test"
	if c.Type == "light_intensity" || c.Type == "config" {
		matter = c.Type
	}
	switch {
	case c.IssuedAt.Before(d.newest[matter]):
		status, message = "failed", "a newer command was executed"
	case c.Type == "r2r_test":
		d.testMode, status = true, "delivered"
	case c.Type == "test_mode" && c.Value != nil:
		d.testMode, status = *c.Value == "on", "delivered"
	case c.Type == "light_intensity" && c.Value != nil:
		d.light, status = *c.Value, "delivered"
	case c.Type == "config":
		status, message = d.configure(c.Config)
	default:
		status, message = "failed", "unknown command"
	}
	if d.done == nil || len(d.done) >= doneKept {
		d.done = map[string]string{}
	}
	if d.newest == nil {
		d.newest = map[string]time.Time{}
	}
	if d.done[c.ID] = status; status == "delivered" {
		d.newest[matter] = c.IssuedAt
	}
	return status, message
}

// Answer waits for commands, executes and acknowledges them, until ctx ends. What
// fails comes again: the server hands a command out until it is acknowledged.
func (d *Device) Answer(ctx context.Context, c *Client) error {
	for wait := firstWait; ; {
		err := d.poll(ctx, c)
		if ctx.Err() != nil {
			return nil
		}
		if status, ok := err.(*StatusError); ok && !status.Retryable() && status.Status < 500 {
			return err // another key or asset is needed
		}
		if err == nil {
			wait = firstWait
			continue
		}
		if !paused(ctx, wait) {
			return nil
		}
		wait = min(wait*2, longestWait)
	}
}

func (d *Device) poll(ctx context.Context, c *Client) error {
	ctx, cancel := context.WithTimeout(ctx, devicePoll+deviceGrace)
	defer cancel()
	var answer struct {
		Data []Command `json:"data"`
	}
	path := fmt.Sprintf("/api/ingest/commands?wait=%d&asset=%s", int(devicePoll/time.Second), url.QueryEscape(d.Asset))
	if err := c.call(ctx, http.MethodGet, path, nil, &answer); err != nil {
		return err
	}
	got := time.Now()
	for _, command := range answer.Data {
		status, message := d.Execute(command, time.Duration(command.LeftMs)*time.Millisecond-time.Since(got))
		if status == "" {
			continue
		}
		body, err := json.Marshal(d.wordOn(&command, status, message))
		if err != nil {
			return err
		}
		if err := c.post(ctx, "/api/ingest/commands/"+command.ID, body, nil); err != nil {
			return err
		}
		if d.OnCommand != nil {
			d.OnCommand(command, status)
		}
	}
	return nil
}
