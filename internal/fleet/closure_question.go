package fleet

import "time"

// ClosureQuestion is the question whether a closure is still there, put to one person by mail.
type ClosureQuestion struct {
	Hash      string // of the link's token
	ClosureID string
	AskedAt   Instant // the closure's question: everyone who is asked it has the same
	UserID    string
	MailID    string
	ExpiresAt Instant // then the closure has ended without an answer
}

// MailChoice is which mails a user wants, beside those about the own account.
type MailChoice struct {
	UserID        string
	OwnClosures   bool // whether a closure is still there that the user is responsible for
	OtherClosures bool // the same of others in the user's organization, when nobody has answered
	Findings      bool // what the watchdog finds about assets of the user's organization
	Concerns      bool // what needs an administrator, or for those who run the server what needs them there
}

// DefaultMails are the mails of a user who has chosen none: mails about others' closures must be requested.
func DefaultMails(userID string) MailChoice {
	return MailChoice{UserID: userID, OwnClosures: true, Concerns: true}
}

// QuestionLife is how long after a question that nobody answers the closure ends.
func QuestionLife() time.Duration { return answerWait + unansweredStays }

// IsOthersDue reports whether others are to be asked now what nobody has
// answered: after half an hour, of a closure that ends sooner than an hour after the
// question at half of that time, so that an answer still comes before the end.
func (c *Closure) IsOthersDue(now Instant) bool {
	is := c.SpanAt(now)
	if !is.IsAsked || c.OthersAskedAt == c.AskedAt {
		return false
	}
	return now >= c.AskedAt.Add(min(answerWait, is.To.Sub(c.AskedAt)/2))
}

// QuestionEnds is when the closure ends if nobody answers the open question.
func (c *Closure) QuestionEnds(now Instant) Instant {
	return min(c.SpanAt(now).To, c.AskedAt.Add(answerWait+unansweredStays))
}

// QuestionState is the state of a question, in one word.
func (c *Closure) QuestionState(asked, now Instant) string {
	is := c.SpanAt(now)
	switch {
	case c.DeletedAt != 0:
		return QuestionDeleted
	case !is.IsActive:
		return QuestionEnded
	case is.IsAsked && c.AskedAt == asked:
		return QuestionOpen
	}
	return QuestionAnswered
}

// What has become of a question.
const (
	QuestionOpen     = "open"     // it waits for an answer
	QuestionAnswered = "answered" // the closure is still active
	QuestionEnded    = "ended"    // by an answer, by hand or by the clock
	QuestionDeleted  = "deleted"  // the closure was removed
)

// PutAgain asks again a question that was open when the server last worked: only the time counts in which it could be answered, so
// what ran out in between has not. Times of the closure itself stay. False = there is no such question.
func (c *Closure) PutAgain(heard, now Instant) bool {
	heard = max(heard, c.AskedAt) // it was asked after that, so the server was there
	if now <= heard || c.DeletedAt != 0 || !c.SpanAt(heard).IsAsked {
		return false
	}
	plain := *c
	plain.AskedAt = 0 // nothing cuts its time then
	again := min(c.AskedAt.Add(now.Sub(heard)), plain.SpanAt(c.AskedAt).To-1)
	if again <= c.AskedAt {
		return false
	}
	if c.OthersAskedAt == c.AskedAt {
		c.OthersAskedAt = again
	}
	c.AskedAt = again
	return true
}
