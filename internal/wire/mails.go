package wire

// Mails are the mails about closures that a user wants (GET and PUT /user/mails).
type Mails struct {
	OwnClosures   bool `json:"own_closures" doc:"whether a closure still stands that one is responsible for; true until one chooses"`
	OtherClosures bool `json:"other_closures" doc:"the same of others in one's organization, when nobody has answered; false until one chooses"`
}
