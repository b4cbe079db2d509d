package simulate

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/mochi-mqtt/server/v2/packets"
)

// MQTT is a device's way over MQTT 3.1.1 (docs/mqtt.md). The zero TLS is a connection in the clear.
type MQTT struct {
	Address string // HOST:PORT
	TLS     *tls.Config
	Key     string // the asset's own
	// Every is how often Report is asked for what the device reports, until it has a configuration that says otherwise.
	Every  time.Duration
	Report func() Item
	// Refused is called with what the server says of a message that it did not take; may be nil.
	Refused func(text string)
}

// ErrKeyRefused says that the server knows no asset of this name with this key.
var ErrKeyRefused = errors.New("the server refuses the name or key of the device")

const (
	mqttKeepalive = time.Minute
	mqttAnswer    = 20 * time.Second // how long the server may take to acknowledge
	mqttMost      = 1 << 20          // bytes of a packet
)

// AnswerMQTT is Answer over MQTT, and reports as well. What was not acknowledged is
// sent again after the connection has been made anew. A server that cannot be
// reached the first time is told at once, as its address may be wrong.
func (d *Device) AnswerMQTT(ctx context.Context, m MQTT) error {
	reached := false
	for wait := firstWait; ; wait = min(wait*2, longestWait) {
		began := time.Now()
		l, err := dialMQTT(ctx, m, d.Asset)
		if err == nil {
			reached = true
			err = d.overMQTT(ctx, m, l)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrKeyRefused), !reached:
			return err
		case time.Since(began) > longestWait:
			wait = firstWait
		}
		if !paused(ctx, wait) {
			return nil
		}
	}
}

// mqttLink is one connection of a device.
type mqttLink struct {
	conn    net.Conn
	r       *bufio.Reader
	id      uint16
	pending map[uint16]time.Time // what the server has not acknowledged, and until when it may
}

// overMQTT is one connection, from the hello to its end.
func (d *Device) overMQTT(ctx context.Context, m MQTT, l *mqttLink) error {
	defer func() { _ = l.conn.Close() }()
	root := "lightbar/v1/" + d.Asset
	l.id++
	if err := l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Subscribe, Qos: 1}, PacketID: l.id,
		Filters: packets.Subscriptions{{Filter: root + "/command", Qos: 1}, {Filter: root + "/refused", Qos: 1}}}); err != nil {
		return err
	}
	heard, broken := make(chan packets.Packet), make(chan error, 1)
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { broken <- l.listen(over, heard) }()
	report, ping := time.NewTicker(d.Every(m.Every)), time.NewTicker(mqttKeepalive/2)
	changed := d.Reconfigured()
	defer report.Stop()
	defer ping.Stop()
	err := l.publish(root+"/report", m.Report())
	for err == nil {
		select {
		case <-ctx.Done():
			return l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Disconnect}})
		case err = <-broken:
		case pk := <-heard:
			err = d.hear(l, m, root, &pk)
		case <-changed:
			report.Reset(d.Every(m.Every))
		case <-report.C:
			if err = l.overdue(); err == nil {
				err = l.publish(root+"/report", m.Report())
			}
		case <-ping.C:
			if err = l.overdue(); err == nil {
				err = l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Pingreq}})
			}
		}
	}
	return err
}

// hear does what a packet asks for.
func (d *Device) hear(l *mqttLink, m MQTT, root string, pk *packets.Packet) error {
	if pk.FixedHeader.Type == packets.Puback {
		delete(l.pending, pk.PacketID)
		return nil
	}
	if pk.FixedHeader.Type != packets.Publish {
		return nil
	}
	if pk.FixedHeader.Qos == 1 {
		if err := l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Puback}, PacketID: pk.PacketID}); err != nil {
			return err
		}
	}
	if pk.TopicName != root+"/command" {
		if m.Refused != nil {
			m.Refused(string(pk.Payload))
		}
		return nil
	}
	var command Command
	if err := json.Unmarshal(pk.Payload, &command); err != nil {
		return err
	}
	status, message := d.Execute(command, time.Duration(command.LeftMs)*time.Millisecond)
	if status == "" {
		return nil
	}
	word := d.wordOn(&command, status, message)
	word["id"] = command.ID
	if err := l.publish(root+"/ack", word); err != nil {
		return err
	}
	if d.OnCommand != nil {
		d.OnCommand(command, status)
	}
	return nil
}

// dialMQTT connects and says hello.
func dialMQTT(ctx context.Context, m MQTT, name string) (*mqttLink, error) {
	conn, err := (&net.Dialer{Timeout: mqttAnswer}).DialContext(ctx, "tcp", m.Address)
	if err != nil {
		return nil, err
	}
	if m.TLS != nil {
		conn = tls.Client(conn, m.TLS)
	}
	l := &mqttLink{conn: conn, r: bufio.NewReader(conn), pending: map[uint16]time.Time{}}
	if err = conn.SetReadDeadline(time.Now().Add(mqttAnswer)); err == nil {
		err = l.hello(m, name)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return l, nil
}

func (l *mqttLink) hello(m MQTT, name string) error {
	if err := l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Connect}, ProtocolVersion: 4,
		Connect: packets.ConnectParams{ProtocolName: []byte("MQTT"), Clean: true, Keepalive: uint16(mqttKeepalive / time.Second),
			ClientIdentifier: "lightbar", UsernameFlag: true, Username: []byte(name), PasswordFlag: true, Password: []byte(m.Key)}}); err != nil {
		return err
	}
	pk, err := l.read()
	switch {
	case err != nil:
		return err
	case pk.FixedHeader.Type != packets.Connack:
		return fmt.Errorf("packet %d is no answer to a hello", pk.FixedHeader.Type)
	case pk.ReasonCode == 4, pk.ReasonCode == 5:
		return ErrKeyRefused
	case pk.ReasonCode != 0:
		return fmt.Errorf("the server answered the hello with code %d", pk.ReasonCode)
	}
	return nil
}

// listen hands on what the server sends, until the connection ends.
func (l *mqttLink) listen(ctx context.Context, heard chan<- packets.Packet) error {
	for {
		if err := l.conn.SetReadDeadline(time.Now().Add(mqttKeepalive)); err != nil { // a ping is answered in half of that
			return err
		}
		pk, err := l.read()
		if err != nil {
			return err
		}
		select {
		case heard <- pk:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// overdue is an error when the server should have acknowledged something.
func (l *mqttLink) overdue() error {
	for id, until := range l.pending {
		if time.Now().After(until) {
			return fmt.Errorf("message %d was not acknowledged", id)
		}
	}
	return nil
}

// publish sends at QoS 1.
func (l *mqttLink) publish(topic string, what any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if l.id++; l.id == 0 {
		l.id++
	}
	l.pending[l.id] = time.Now().Add(mqttAnswer)
	return l.write(packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Publish, Qos: 1}, PacketID: l.id,
		TopicName: topic, Payload: body})
}

func (l *mqttLink) write(pk packets.Packet) error {
	var b bytes.Buffer
	encode := map[byte]func(*bytes.Buffer) error{packets.Connect: pk.ConnectEncode, packets.Subscribe: pk.SubscribeEncode,
		packets.Publish: pk.PublishEncode, packets.Puback: pk.PubackEncode, packets.Pingreq: pk.PingreqEncode,
		packets.Disconnect: pk.DisconnectEncode}[pk.FixedHeader.Type]
	if err := encode(&b); err != nil {
		return err
	}
	if err := l.conn.SetWriteDeadline(time.Now().Add(mqttAnswer)); err != nil {
		return err
	}
	_, err := l.conn.Write(b.Bytes())
	return err
}

func (l *mqttLink) read() (pk packets.Packet, err error) {
	first, err := l.r.ReadByte()
	if err != nil {
		return pk, err
	}
	if err := pk.FixedHeader.Decode(first); err != nil {
		return pk, err
	}
	if pk.FixedHeader.Remaining, _, err = packets.DecodeLength(l.r); err != nil {
		return pk, err
	}
	if pk.FixedHeader.Remaining > mqttMost {
		return pk, fmt.Errorf("a packet of %d bytes", pk.FixedHeader.Remaining)
	}
	body := make([]byte, pk.FixedHeader.Remaining)
	if _, err := io.ReadFull(l.r, body); err != nil {
		return pk, err
	}
	switch pk.FixedHeader.Type {
	case packets.Connack:
		err = pk.ConnackDecode(body)
	case packets.Publish:
		err = pk.PublishDecode(body)
	case packets.Puback:
		err = pk.PubackDecode(body)
	}
	return pk, err
}
