package store

// Made are the texts of statements that tables make.
func Made() []string { return madeTexts }
