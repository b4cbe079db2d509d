package device

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mochi-mqtt/server/v2/packets"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

const (
	// mqttTakes is how long a message may wait for its commit.
	mqttTakes = 30 * time.Second
	// mqttWeight is how many bytes a message holds for each of its bytes: the broker's two buffers, and what is decoded from it.
	mqttWeight = 5
)

// take handles what a device published. It returns after the commit: the broker acknowledges then. An error means that
// nothing was taken and the device is to send it again.
func (s *MQTTServer) take(d *mqttDevice, pk *packets.Packet) error {
	actor, err := s.authenticate(d)
	if err != nil {
		return err
	}
	hold := s.budget.Open(d.network)
	defer hold.Close()
	hold.SetHolder(actor.KeyID)
	if err := hold.Take(int64(len(pk.Payload)) * mqttWeight); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), mqttTakes)
	defer cancel()
	if pk.TopicName == d.root+topicAck {
		return s.takeWord(ctx, d, actor, pk)
	}
	batch, err := decodeMessage(string(pk.Payload))
	if errors.Is(err, errJSON) {
		err = errMessage
	}
	if err != nil {
		return s.refuseUnlessBusy(d, pk, err)
	}
	batch.HasFollower, batch.Source = true, fleet.SourceMQTT
	result, err := s.app.RecordPoints(ctx, actor, batch)
	if err != nil {
		return s.refuseUnlessBusy(d, pk, err)
	}
	s.taken.Add(1)
	if len(result.Refused)+len(result.Ignored) > 0 {
		s.refused.Add(1)
		result.Refused = result.Refused[:min(len(result.Refused), mqttTold)] // a device has little memory
		s.tell(d, topicRefused, pk, wire.One[app.ReportResult]{Data: result})
	}
	return nil
}

var (
	errMessage = fleet.Refuse("invalid_request", "", "A message is one item or a list of items in JSON.")
	errAck     = fleet.Refuse("invalid_request", "",
		`A message must be {"id": "…", "at": "2026-11-21T10:42:07Z", "status": "delivered"} in JSON.`)
)

// takeWord handles a device's answer to a command: {"id", "at", "status", "message"}.
func (s *MQTTServer) takeWord(ctx context.Context, d *mqttDevice, actor *access.Actor, pk *packets.Packet) error {
	var said struct {
		ID string `json:"id"`
		wire.CommandWord
	}
	err := json.Unmarshal(pk.Payload, &said)
	if err != nil {
		err = unreadable(err, errAck)
	} else {
		err = checkWord(&said.CommandWord)
	}
	if err == nil {
		_, err = s.app.AcknowledgeCommand(ctx, actor, strings.ToLower(said.ID), wordOf(&said.CommandWord))
	}
	if err == nil {
		s.taken.Add(1)
	}
	return s.refuseUnlessBusy(d, pk, err)
}

// refuseUnlessBusy refuses to a device what will never be accepted, as HTTP does; what may be accepted later is an error, and is
// not acknowledged.
func (s *MQTTServer) refuseUnlessBusy(d *mqttDevice, pk *packets.Packet, err error) error {
	refusal := refusalForGood(err)
	if err == nil || refusal == nil {
		return err
	}
	s.refused.Add(1)
	f := IngestFailure{Error: refusal.Code, Message: refusal.Message, Fields: refusal.Fields}
	if row, ok := catalog.ErrorByCode(f.Error); ok && f.Message == "" {
		f.Message = row.Message
	}
	s.tell(d, topicRefused, pk, f)
	return nil
}

// tell publishes to a topic that a device subscribed to, only on this connection. about is the message that it answers, whose
// correlation data is returned; nil = none. A device that leaves too much unacknowledged, or does not read, loses its connection:
// it gets the commands that it missed when it reconnects.
func (s *MQTTServer) tell(d *mqttDevice, topic string, about *packets.Packet, data any) (told bool) {
	body, err := json.Marshal(data)
	if err != nil {
		s.app.Log.Error("a message to a device could not be encoded", "error", err)
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	sub, follows := d.topics[d.root+topic]
	if !follows {
		return false
	}
	out := packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Publish, Qos: min(sub.Qos, 1)},
		TopicName: d.root + topic, Payload: body, Created: time.Now().Unix()}
	if sub.Identifier > 0 {
		out.Properties.SubscriptionIdentifier = []int{sub.Identifier}
	}
	if about != nil {
		out.Properties.CorrelationData = about.Properties.CorrelationData
	}
	if out.FixedHeader.Qos > 0 {
		most := int(mqttPending)
		if own := int(d.client.Properties.Props.ReceiveMaximum); own > 0 {
			most = min(most, own)
		}
		if len(d.unheard) >= most {
			s.end(d.client, packets.ErrQuotaExceeded)
			return false
		}
		out.PacketID = d.nextID()
	}
	switch err := d.client.WritePacket(out); {
	case errors.Is(err, packets.ErrPacketTooLarge): // for what the device takes: it is as if it had got it
		delete(d.unheard, out.PacketID)
	case err != nil:
		s.end(d.client, packets.ErrUnspecifiedError)
		return false
	}
	return true
}

// nextID is a packet identifier that is free, and is not from then on. The broker has a list of its own, in which those of
// the device and of the server get in each other's way. mu is held.
func (d *mqttDevice) nextID() uint16 {
	for {
		if d.last++; d.last != 0 && !d.unheard[d.last] {
			d.unheard[d.last] = true
			return d.last
		}
	}
}

// heard notes that the device acknowledged a message.
func (d *mqttDevice) heard(id uint16) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.unheard, id)
}

// follow notifies a device of its commands: those that wait, and each new one as it comes, once. mu is held.
func (s *MQTTServer) follow(d *mqttDevice) {
	d.following = s.app.FollowCommands(d.thingID, func() { s.handOut(d) })
	s.handOut(d)
}

// handOut starts sending a device its waiting commands. While that runs, it is noted that there may be more.
func (s *MQTTServer) handOut(d *mqttDevice) {
	if d.waiting.Add(1) == 1 {
		go s.handOutAll(d)
	}
}

func (s *MQTTServer) handOutAll(d *mqttDevice) {
	for seen := d.waiting.Load(); ; seen = d.waiting.Load() {
		if err := s.handOutOnce(d); err != nil && d.gone.Err() == nil {
			s.app.Log.Warn("commands not handed out over MQTT", "error", err)
			s.end(d.client, packets.ErrServerBusy) // it reconnects, and is authenticated again
		}
		if d.waiting.CompareAndSwap(seen, 0) {
			return
		}
	}
}

func (s *MQTTServer) handOutOnce(d *mqttDevice) error {
	actor, err := s.authenticate(d)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(d.gone, mqttTakes)
	defer cancel()
	found, err := s.app.CommandsForKey(ctx, actor, "")
	if err != nil {
		return err
	}
	handed := map[string]bool{}
	for i := range found {
		if id := found[i].ID; d.handed[id] || s.tell(d, topicCommand, nil, &found[i]) {
			handed[id] = true
		}
	}
	d.handed = handed
	return nil
}

// decodeMessage reads one item, a list of items, {"items": [...]}, or an item a line.
func decodeMessage(payload string) (app.ReportBatch, error) {
	body := strings.TrimSpace(fleet.PlainText(payload))
	switch {
	case strings.HasPrefix(body, "["):
		body = `{"items":` + body + "}"
	case strings.HasPrefix(body, "{") && !listsItems(body):
		if batch, err := decodeItems(`{"items":[` + body + "]}"); err == nil || !strings.Contains(body, "\n") {
			return batch, err
		}
		if c := (scanner{s: body}); c.skip(0) != nil { // not even the first of them is whole
			return app.ReportBatch{}, errJSON
		}
		return decodeLines(body)
	}
	return decodeItems(body)
}

// listsItems distinguishes a batch, whatever else it contains, from an item.
func listsItems(body string) (lists bool) {
	isItem := false
	c := scanner{s: body}
	_ = c.object(func(name string) error {
		lists = lists || name == "items" && c.peek() == '['
		isItem = isItem || name == "type"
		return c.skip(0)
	})
	return lists && !isItem
}
