package device

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/packets"

	"lightbar/internal/alerts"
)

// alertBytes is how much is written at once, about: alerts change together, and a write for each would cost more than they do.
const alertBytes = 32 << 10

// alertBuffers hold packets while they are put together. Each holds what is written at once, and the packet that exceeds it.
var alertBuffers = sync.Pool{New: func() any {
	b := make([]byte, 0, alertBytes+alertBytes/8)
	return &b
}}

var errUnheard = errors.New("device: the follower acknowledges nothing")

// endOfFollower is the reason code for a connection whose follower has ended.
func endOfFollower(err error) packets.Code {
	switch {
	case errors.Is(err, alerts.ErrEnded):
		return packets.ErrNotAuthorized
	case errors.Is(err, alerts.ErrSlow), errors.Is(err, errUnheard):
		return packets.ErrQuotaExceeded
	case errors.Is(err, alerts.ErrOver):
		return packets.ErrServerShuttingDown
	}
	return packets.ErrUnspecifiedError
}

// tellAlerts publishes alerts of an organization to one follower. The broker's queue is not used: it would silently drop what does
// not fit. Here the follower reads on from the board when it has written, and is ended when it falls behind.
func (s *MQTTServer) tellAlerts(ctx context.Context, f *mqttFollower, organizationID string, messages []alerts.Message) error {
	f.written.Lock()
	defer f.written.Unlock()
	most, root := f.client.Properties.Props.MaximumPacketSize, topicAlerts+organizationID+"/"
	buffer := alertBuffers.Get().(*[]byte)
	defer alertBuffers.Put(buffer)
	out := (*buffer)[:0]
	var to target
	for i := range messages {
		m := &messages[i]
		if i == 0 || m.IsAll || messages[i-1].IsAll || m.Cell != messages[i-1].Cell { // most are of one cell
			to = f.target(root, m)
		}
		if !to.wanted { // it has left meanwhile
			continue
		}
		p := publication{target: to, payload: m.Data, version: f.client.Properties.ProtocolVersion}
		if to.qos > 0 {
			if len(out) > 0 && !f.hasRoom() {
				if err := f.write(&out); err != nil {
					return err
				}
			}
			var err error
			if p.id, err = f.number(ctx); err != nil {
				return err
			}
		}
		before := len(out)
		out = p.append(out)
		if most > 0 && len(out)-before > int(most) { // it does not take it: as if it had got it
			out = out[:before]
			f.heardOf(p.id)
		}
		if len(out) >= alertBytes {
			if err := f.write(&out); err != nil {
				return err
			}
		}
	}
	return f.write(&out)
}

// write sends whole packets: a connection writes each call as one, also beside the broker's own.
func (f *mqttFollower) write(out *[]byte) error {
	if len(*out) == 0 {
		return nil
	}
	_, err := f.client.Net.Conn.Write(*out)
	*out = (*out)[:0]
	return err
}

// target is a topic, with the quality and the identifiers of the subscriptions by which it is followed.
type target struct {
	topic       string
	qos         byte
	identifiers []int // MQTT 5 alone
	wanted      bool  // it is followed
}

func (f *mqttFollower) target(root string, m *alerts.Message) (t target) {
	level := allCells
	if !m.IsAll {
		level = m.Cell.String()
	}
	t.topic = root + level
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, last := range []string{level, wildLevel, wildRest} {
		sub, ok := f.filters[root+last]
		if !ok {
			continue
		}
		t.wanted, t.qos = true, max(t.qos, min(sub.Qos, 1))
		if sub.Identifier > 0 {
			t.identifiers = append(t.identifiers, sub.Identifier)
		}
	}
	return t
}

// window is how many messages may be unacknowledged at once.
func (f *mqttFollower) window() int {
	most := int(mqttPending)
	if own := int(f.client.Properties.Props.ReceiveMaximum); own > 0 {
		most = min(most, own)
	}
	return most
}

func (f *mqttFollower) hasRoom() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.unheard) < f.window()
}

// number is a packet identifier that is free, and is not from then on. It waits while too many are unacknowledged.
func (f *mqttFollower) number(ctx context.Context) (uint16, error) {
	for timeout := time.After(mqttWrites.Duration()); ; {
		f.mu.Lock()
		if len(f.unheard) < f.window() {
			for f.last++; f.last == 0 || f.unheard[f.last]; f.last++ {
			}
			f.unheard[f.last] = true
			id := f.last
			f.mu.Unlock()
			return id, nil
		}
		f.mu.Unlock()
		select {
		case <-f.heard:
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-timeout:
			return 0, errUnheard
		}
	}
}

// publication is a PUBLISH packet.
type publication struct {
	target
	id      uint16 // 0 without acknowledgment
	payload []byte
	version byte
}

func (p *publication) append(out []byte) []byte {
	var properties []byte
	if p.version >= 5 {
		var list []byte
		for _, id := range p.identifiers {
			list = binary.AppendUvarint(append(list, packets.PropSubscriptionIdentifier), uint64(id)) //nolint:gosec // a client's, above 0
		}
		properties = append(binary.AppendUvarint(nil, uint64(len(list))), list...)
	}
	n := 2 + len(p.topic) + len(properties) + len(p.payload)
	if p.qos > 0 {
		n += 2
	}
	out = binary.AppendUvarint(append(out, packets.Publish<<4|p.qos<<1), uint64(n))    //nolint:gosec // a length
	out = append(binary.BigEndian.AppendUint16(out, uint16(len(p.topic))), p.topic...) //nolint:gosec // our own topic
	if p.qos > 0 {
		out = binary.BigEndian.AppendUint16(out, p.id)
	}
	return append(append(out, properties...), p.payload...)
}
