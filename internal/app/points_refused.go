package app

import "lightbar/internal/fleet"

// refusedReports are those of one asset in one request.
type refusedReports struct {
	count int64
	code  string // of the last one
}

func newSubmission(now fleet.Instant) *submission {
	return &submission{at: now, done: make(chan error, 1)}
}

// refuse counts a report of a known asset that is not accepted. It still is a sign of life: at its own instant, or at its receipt
// if that instant cannot be right or the device itself is the sender. The lights in a point without a usable position count.
func (s *submission) refuse(no int64, code string, r *fleet.Report) {
	if s.refused == nil {
		s.refused = map[int64]refusedReports{}
	}
	of := s.refused[no]
	lived := of.count > 0
	s.refused[no] = refusedReports{of.count + 1, code}
	sign := r.WithoutFix()
	usable := fleet.UsableAt(r.At, s.at)
	switch {
	case usable && sign.Kind == fleet.ReportAlert, usable && s.device == 0:
		s.half(sign, no)
	case s.device == 0 && !lived:
		s.half(fleet.Report{Kind: fleet.ReportHeartbeat, At: s.at}, no)
	}
	s.alive = s.alive || s.device != 0
}

// half adds what is left of a report that was refused; it is not counted as stored.
func (s *submission) half(sign fleet.Report, no int64) {
	s.halves = append(s.halves, len(s.signals))
	s.signals, s.before = append(s.signals, sign.Signal(no, s.at)), append(s.before, len(s.points))
}

// ignore counts the optional values of a report that were left out.
func (r *ReportResult) ignore(which fleet.Fields) {
	if which == 0 {
		return
	}
	for _, field := range which.Names() {
		if r.Ignored == nil {
			r.Ignored = map[string]int{}
		}
		r.Ignored[field]++
	}
}

// configClaim is the version of its configuration that a device reports.
type configClaim struct {
	version int64
	at      fleet.Instant
}

// claim remembers what a device last reported about its configuration. A refused report counts as well.
func (s *submission) claim(no int64, r *fleet.Report) {
	if s.configs == nil {
		s.configs = map[int64]configClaim{}
	}
	if of, said := s.configs[no]; !said || r.At >= of.at {
		s.configs[no] = configClaim{r.Config, r.At}
	}
}
