package app

// TurnsWaiting is how many pieces of long work wait for their turn.
func (a *App) TurnsWaiting() (n int) {
	a.turns.mu.Lock()
	defer a.turns.mu.Unlock()
	for _, list := range a.turns.waiting {
		n += len(list)
	}
	return n
}

// Tell is tell.
var Tell = tell

// ThingDoc is thingDoc.
var ThingDoc = thingDoc
