package main

import (
	"crypto/tls"

	"lightbar/internal/app"
	"lightbar/internal/device"
)

// pairOfMQTT takes MQTT's own certificate, else that of HTTP.
func (s *server) pairOfMQTT() (err error) {
	if s.mqttCert = s.cert; s.cfg.MQTTCert != "" {
		s.mqttCert, err = loadCertificate(s.cfg.MQTTCert, s.cfg.MQTTKey, s.e.log)
	}
	return err
}

// devices makes the server of MQTT; nil = there is no port for it.
func (s *server) devices() (*device.MQTTServer, error) {
	if s.ports.mqtt == nil {
		return nil, nil
	}
	var tlsConfig *tls.Config
	if s.mqttCert != nil {
		tlsConfig = s.mqttCert.config()
		tlsConfig.NextProtos = nil // which are those of HTTP
	}
	return device.NewMQTT(s.app, device.Options{Budget: &s.held, Alerts: s.alerts}, s.ports.mqtt, tlsConfig)
}

// mqtt adds what the port of MQTT counts.
func (m meter) mqtt(stats func() device.MQTTStats) {
	of := reader(stats)
	m.gauge("mqtt_devices", "Devices that are connected over MQTT.",
		of(func(st device.MQTTStats) float64 { return float64(st.Connected - st.Followers) }))
	m.gauge("mqtt_followers", "Apps that are connected over MQTT to follow alerts to drivers.",
		of(func(st device.MQTTStats) float64 { return float64(st.Followers) }))
	m.gauge("mqtt_hellos", "Connections over MQTT that have not said who they are.",
		of(func(st device.MQTTStats) float64 { return float64(st.Hellos) }))
	m.count("mqtt_messages_total", "Messages of devices over MQTT that were stored.",
		of(func(st device.MQTTStats) float64 { return float64(st.Taken) }))
	m.count("mqtt_refused_total", "Messages over MQTT of which something was refused, and connections and topics that were.",
		of(func(st device.MQTTStats) float64 { return float64(st.Refused) }))
}

// cuts adds the figures of connections that ended without a goodbye.
func (m meter) cuts(stats func() app.CutStats) {
	of := reader(stats)
	m.count("mqtt_cut_total", "Assets that are silent because their connection over MQTT ended without a goodbye.",
		of(func(st app.CutStats) float64 { return float64(st.Assets) }))
	m.count("mqtt_cut_commits_total", "Transactions in which such assets were silenced.",
		of(func(st app.CutStats) float64 { return float64(st.Commits) }))
}
