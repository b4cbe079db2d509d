package people

// ProfileIn is profileIn.
var ProfileIn = (*Accounts).profileIn

// UserDoc is userDoc.
var UserDoc = userDoc
