package device

import (
	"errors"
	"net"
	"sync/atomic"
	"time"

	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// attach runs a connection to its end. The broker's own way has two goroutines for each connection: one only empties a queue that
// is never used here, and the other waits with packets on its stack: 20 kB for a quiet device. Here one goroutine waits, and calls
// that need more stack have returned by then, so that the collector reclaims it.
func (s *MQTTServer) attach(conn net.Conn) {
	s.broker.Listeners.ClientsWg.Add(1)
	defer s.broker.Listeners.ClientsWg.Done()
	cl := s.broker.NewClient(conn, portID, "", false)
	defer cl.Stop(nil)
	if !s.hello(cl) {
		return
	}
	defer atomic.AddInt64(&s.broker.Info.ClientsConnected, -1)
	for !cl.Closed() {
		var until time.Time // a keepalive of 0 has no end
		if keepalive := time.Duration(cl.State.Keepalive) * time.Second; keepalive > 0 {
			until = time.Now().Add(keepalive + keepalive/2)
		}
		if conn.SetDeadline(until) != nil {
			return
		}
		head := new(packets.FixedHeader)
		if cl.ReadFixedHeader(head) != nil || s.packet(cl, head) != nil {
			return
		}
	}
}

// hello authenticates a client and answers it; false: it is not admitted.
func (s *MQTTServer) hello(cl *mqtt.Client) bool {
	head := new(packets.FixedHeader)
	if cl.ReadFixedHeader(head) != nil || head.Type != packets.Connect {
		return false
	}
	pk, err := cl.ReadPacket(head)
	if err != nil {
		return false
	}
	cl.ParseConnect(portID, pk)
	if atomic.LoadInt64(&s.broker.Info.ClientsConnected) >= s.broker.Options.Capabilities.MaximumClients {
		s.refuseBusy(cl)
		return false
	}
	code := s.checkHello(cl, &pk)
	if code == packets.CodeSuccess && !s.connect(cl, pk) {
		code = packets.ErrBadUsernameOrPassword
	}
	if code != packets.CodeSuccess {
		_ = s.broker.SendConnack(cl, code, false, nil) // it may already have been answered
		return false
	}
	s.broker.Clients.Add(cl)
	if s.broker.SendConnack(cl, code, false, nil) != nil {
		return false
	}
	atomic.AddInt64(&s.broker.Info.ClientsConnected, 1)
	return true
}

// checkHello returns what is wrong with a CONNECT packet by the protocol, whoever sends it.
func (s *MQTTServer) checkHello(cl *mqtt.Client, pk *packets.Packet) packets.Code {
	code := pk.ConnectValidate()
	switch {
	case code != packets.CodeSuccess:
	case cl.Properties.ProtocolVersion < 5 && !pk.Connect.Clean && pk.Connect.ClientIdentifier == "":
		return packets.ErrUnspecifiedError
	case cl.Properties.ProtocolVersion < s.broker.Options.Capabilities.MinimumProtocolVersion:
		return packets.ErrUnsupportedProtocolVersion
	case cl.Properties.Will.Retain:
		return packets.ErrRetainNotSupported
	}
	return code
}

// packet handles one packet of a client; an error ends its connection, with the reason in MQTT 5.
func (s *MQTTServer) packet(cl *mqtt.Client, head *packets.FixedHeader) error {
	pk, err := cl.ReadPacket(head)
	if err != nil {
		return err
	}
	err = s.broker.InjectPacket(cl, pk)
	var code packets.Code
	if errors.As(err, &code) && cl.Properties.ProtocolVersion >= 5 && code.Code >= packets.ErrUnspecifiedError.Code {
		_ = s.broker.DisconnectClient(cl, code)
	}
	return err
}
