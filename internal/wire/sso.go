package wire

// SignInMethods says how people may sign in (ours).
type SignInMethods struct {
	Password  bool             `json:"password"`
	Providers []SignInProvider `json:"providers"`
}

// SignInProvider is an identity provider on the sign-in screen.
type SignInProvider struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Start string `json:"start" doc:"address to open in the browser; may carry ?origin=/dashboard/…"`
}

// OneSignInMethods is the answer of GET /sign_in_methods.
type OneSignInMethods struct {
	Data SignInMethods `json:"data"`
}
