/**
 * Begins the key of a query for what a user has set for themselves, such as bookmarks: it is read anew when the stream
 * says that they have changed something elsewhere.
 */
export const OWN = 'own';
