package device

import (
	"strings"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// mqttHook has the functions that the broker calls.
type mqttHook struct {
	mqtt.HookBase
	s *MQTTServer
}

// ID implements mqtt.Hook.
func (h *mqttHook) ID() string { return "lightbar" }

// Provides implements mqtt.Hook.
func (h *mqttHook) Provides(b byte) bool {
	switch b {
	case mqtt.OnACLCheck, mqtt.OnPublish, mqtt.OnSubscribed, mqtt.OnUnsubscribed,
		mqtt.OnPacketRead, mqtt.OnPacketEncode, mqtt.OnPacketProcessed:
		return true
	}
	return false
}

// OnACLCheck implements mqtt.Hook.
func (h *mqttHook) OnACLCheck(cl *mqtt.Client, topic string, write bool) bool {
	return h.s.mayUse(cl, topic, write)
}

// OnPacketRead implements mqtt.Hook: the broker passes over what is published to topics with a dollar sign, and its sender
// would wait for ever.
func (h *mqttHook) OnPacketRead(cl *mqtt.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Type == packets.Publish && strings.HasPrefix(pk.TopicName, "$") && !h.s.mayUse(cl, pk.TopicName, true) {
		return pk, packets.ErrRejectPacket
	}
	conn := below(cl.Net.Conn)
	switch d := conn.device; {
	case pk.FixedHeader.Type == packets.Puback && conn.follower != nil:
		conn.follower.heardOf(pk.PacketID)
	case d == nil:
	case pk.FixedHeader.Type == packets.Puback:
		d.heard(pk.PacketID)
	case pk.FixedHeader.Type == packets.Disconnect && pk.ReasonCode == packets.CodeSuccess.Code: // any other requests the will
		d.excused.Store(true)
	}
	return pk, nil
}

// OnPacketEncode implements mqtt.Hook: a client of MQTT 5 is notified of what the server does not support.
func (h *mqttHook) OnPacketEncode(cl *mqtt.Client, pk packets.Packet) packets.Packet {
	if pk.FixedHeader.Type == packets.Connack && pk.ReasonCode == packets.CodeSuccess.Code {
		p := &pk.Properties
		p.MaximumPacketSize = mqttPacket
		p.RetainAvailable, p.RetainAvailableFlag = 0, true
		if conn := below(cl.Net.Conn); conn == nil || conn.follower == nil {
			p.WildcardSubAvailable, p.WildcardSubAvailableFlag = 0, true
		} else {
			p.WildcardSubAvailable, p.WildcardSubAvailableFlag = 1, true
		}
		p.SharedSubAvailable, p.SharedSubAvailableFlag = 0, true
	}
	return pk
}

// OnPublish implements mqtt.Hook. A message that was not stored is not acknowledged; the connection ends, so that the device sends
// it again. A stored message goes to no other device.
func (h *mqttHook) OnPublish(cl *mqtt.Client, pk packets.Packet) (packets.Packet, error) {
	d := below(cl.Net.Conn).device
	d.turn.Lock()
	d.isTaking = true
	if err := h.s.take(d, &pk); err != nil {
		why := packets.ErrServerBusy
		if refusal := refusalForGood(err); refusal != nil {
			why = packets.ErrNotAuthorized
			h.s.app.Audit.NoteRefusal(d.network, refusal.Code)
		}
		h.s.end(cl, why)
		return pk, packets.ErrRejectPacket
	}
	return pk, packets.CodeSuccessIgnore
}

// OnPacketProcessed implements mqtt.Hook: a message has been acknowledged.
func (h *mqttHook) OnPacketProcessed(cl *mqtt.Client, _ packets.Packet, _ error) {
	if d := below(cl.Net.Conn).device; d != nil && d.isTaking {
		d.isTaking = false
		d.turn.Unlock()
	}
}

// OnSubscribed implements mqtt.Hook: the broker answers with the codes that it leaves.
func (h *mqttHook) OnSubscribed(cl *mqtt.Client, pk packets.Packet, reasonCodes []byte) {
	conn := below(cl.Net.Conn)
	if conn.follower != nil {
		h.followed(conn.follower, cl, &pk, reasonCodes)
		return
	}
	d := conn.device
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, f := range pk.Filters {
		if i >= len(reasonCodes) || reasonCodes[i] > packets.CodeGrantedQos2.Code {
			continue
		}
		d.topics[f.Filter] = f
		if f.Filter == d.root+topicCommand && d.following == nil {
			h.s.follow(d)
		}
	}
}

// followed begins to publish to a follower what it subscribed to.
func (h *mqttHook) followed(f *mqttFollower, cl *mqtt.Client, pk *packets.Packet, reasonCodes []byte) {
	for i, sub := range pk.Filters {
		if i >= len(reasonCodes) || reasonCodes[i] > packets.CodeGrantedQos2.Code {
			continue
		}
		sub.Qos = min(sub.Qos, 1)
		code, ok := h.s.subscribed(f, sub)
		switch {
		case ok:
			reasonCodes[i] = sub.Qos
		case cl.Properties.ProtocolVersion < 5:
			reasonCodes[i] = packets.ErrUnspecifiedError.Code
		default:
			reasonCodes[i] = code.Code
		}
	}
}

// OnUnsubscribed implements mqtt.Hook.
func (h *mqttHook) OnUnsubscribed(cl *mqtt.Client, pk packets.Packet) {
	if f := below(cl.Net.Conn).follower; f != nil {
		for _, sub := range pk.Filters {
			f.unsubscribed(sub.Filter)
		}
		return
	}
	d := below(cl.Net.Conn).device
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range pk.Filters {
		delete(d.topics, f.Filter)
		if f.Filter == d.root+topicCommand {
			h.s.app.LeaveCommands(d.following)
			d.following = nil
		}
	}
}
