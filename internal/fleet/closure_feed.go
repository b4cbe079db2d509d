package fleet

// ClosureOfFeed is the kind of closure that a feed of somebody else's brings:
// that says what it is, and nobody edits it here.
const ClosureOfFeed = "feed"
