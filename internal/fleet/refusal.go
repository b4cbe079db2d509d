package fleet

// Refusal means that a law does not allow something. It is data, not an accident: Code is a machine code of catalog/errors.json
// that never changes once released, Field names the offending wire field (may be empty), Message is a sentence a user may read,
// Fields maps more fields to sentences.
type Refusal struct {
	Code    string
	Field   string
	Message string
	Fields  map[string]string
	// Current is the present state for conflicts (409), encoded as the wire shows it.
	Current any
	// ChangedBy and ChangedAt are the person who made Current and when; empty and 0 when that is not known or not for the caller.
	ChangedBy string
	ChangedAt Instant
	// Challenge is what the caller must answer first (mfa_required, mfa_setup_required), as in the API's answer.
	Challenge any
	// RetryAfterS tells the caller when to retry (429, 503); 0 means not set.
	RetryAfterS int
}

// Error implements error.
func (r *Refusal) Error() string {
	if r.Field != "" {
		return r.Code + " (" + r.Field + "): " + r.Message
	}
	return r.Code + ": " + r.Message
}

// Refuse makes a refusal.
func Refuse(code, field, message string) *Refusal {
	return &Refusal{Code: code, Field: field, Message: message}
}

// RefuseFields puts into one sentence what is wrong; a nickname is named, because programs may key on the word (requirements
// 8.asset). Our own page uses the field.
func RefuseFields(fields map[string]string) error {
	message := "Please check the marked fields."
	if len(fields) == 1 {
		for field, sentence := range fields {
			message = sentence
			if field == "nickname" {
				message = "nickname: " + sentence
			}
		}
	}
	return &Refusal{Code: "validation_failed", Message: message, Fields: fields}
}
