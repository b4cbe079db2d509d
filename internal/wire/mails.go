package wire

// Mails are the mails about closures that a user wants (GET and PUT /user/mails).
type Mails struct {
	OwnClosures   bool `json:"own_closures" doc:"ask by email whether closures one is responsible for are still in place; true until one chooses"`
	OtherClosures bool `json:"other_closures" doc:"the same for other closures of one's organization when nobody has answered; false until one chooses"`
}
