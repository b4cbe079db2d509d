package device

// AskAgain is askAgain.
func (s *MQTTServer) AskAgain() { s.askAgain() }
