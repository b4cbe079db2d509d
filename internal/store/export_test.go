package store

// Made are the texts of statements that tables make.
func Made() []string { return madeTexts }

// MadePG are those for PostgreSQL alone.
func MadePG() []string { return madeTextsPG }

// Documented are the tables that keep documents, and their columns: the one that is only read as a whole is among them.
func Documented() map[string][]string {
	out := map[string][]string{}
	for _, e := range examinations {
		out[e.table] = e.documents
	}
	return out
}
