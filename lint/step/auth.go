package step

// Auth is the phase of a talk about credentials: what the server says to those
// who have none, and what it publishes about where to get them. It is held over
// HTTP with servers that have answered a request with 401, and with all for which
// the user has given credentials. Its requests have none but the ones that the
// step says.
const Auth = "auth"

// Steps of Auth.
const (
	// Challenge is an initialize without credentials.
	Challenge = "challenge"
	// ResourceMetadata is one GET of the document that says who issues tokens for
	// this server (RFC 9728), about the place: one of those below. Once a
	// document is there the places after it are left out.
	ResourceMetadata = "resource metadata"
	// IssuerMetadata is one GET of the document in which an authorization server
	// describes itself, about the issuer as the resource's document names it. The
	// well-known places are tried in turn, until there is a document.
	IssuerMetadata = "issuer metadata"
	// BadToken is an initialize with a bearer token that was made up.
	BadToken = "bad token"
	// QueryToken is an initialize with the user's token in the address. The token
	// is not in the record.
	QueryToken = "query token"
)

// The places of ResourceMetadata: where the challenge says, and the well-known
// ones with and without the path of the endpoint.
const (
	NamedPlace = "named"
	PathPlace  = "path"
	RootPlace  = "root"
)
