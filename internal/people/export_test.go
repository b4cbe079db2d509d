package people

// ProfileIn is profileIn.
var ProfileIn = (*Accounts).profileIn
