package providertest

import "encoding/pem"

// Certificate is what another program has to trust to ask the server, as PEM.
func (s *server) Certificate() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.http.Certificate().Raw})
}
