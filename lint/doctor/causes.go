package doctor

import (
	"strings"

	"mcpworks/internal/bounded"
)

// A Cause is why a server cannot be used.
type Cause struct {
	ID       string // stable: it never changes its meaning
	Sentence string
	Action   string // what to do
}

// The causes that code asks for, beside those of the clues.
const (
	notFound        = "command-not-found"
	notExecutable   = "not-executable"
	noDirectory     = "directory-not-found"
	missingVariable = "missing-variable"
	endedEarly      = "ended-before-answer"
	endedLate       = "ended-after-handshake"
	closedOutput    = "output-closed"
	noAnswer        = "no-answer"
	errorAnswer     = "error-answer"
	brokenAnswer    = "broken-answer"
	noVersion       = "no-common-version"
	endlessList     = "endless-list"
	echoesInput     = "echoes-input"

	proxyUnreachable   = "proxy-unreachable"
	nameUnknown        = "name-not-resolved"
	portClosed         = "port-closed"
	portSilent         = "port-silent"
	tlsUntrusted       = "tls-untrusted"
	tlsExpired         = "tls-expired"
	tlsWrongName       = "tls-wrong-name"
	tlsNotSpoken       = "tls-not-spoken"
	tlsFailed          = "tls-failed"
	tlsWanted          = "tls-wanted"
	wantsCredentials   = "credentials-wanted"
	refusesCredentials = "credentials-refused"
	accessForbidden    = "access-forbidden"
	proxyCredentials   = "proxy-credentials"
	redirectedAway     = "redirected-away"
	redirectLoop       = "redirect-loop"
	wrongPath          = "wrong-path"
	htmlAnswer         = "html-answer"
	gatewayError       = "gateway-error"
	serverError        = "server-error"
	statusRefused      = "status-refused"
	notMCP             = "no-message"
	emptyAnswer        = "empty-answer"
	sseEndpoint        = "sse-endpoint"
	connectionLost     = "connection-lost"
)

// detail is the place in a sentence for what was found.
const detail = "{}"

// catalogue has the words for every cause. A test holds docs/doctor.md to it.
var catalogue = []Cause{
	{notFound, "the command {} was not found", "install it, or write the path of the program; words of a command are not quoted together"},
	{notExecutable, "{} cannot be executed", "make it executable (chmod +x), or name the program that runs it before it"},
	{noDirectory, "the directory {} does not exist", "--cwd must name a directory"},
	{"file-not-found", "the file {} that it should run does not exist", "is the path right, and was the server built?"},
	{"package-not-found", "the package {} does not exist", "is its name spelled right, and is it public?"},
	{"package-without-command", "the package has no command that could be run", "name the command: npx -y -p PACKAGE COMMAND"},
	{"native-binding", "a native part of the server cannot be loaded: {}", "install the server anew with the runtime that runs it here: npm rebuild, or delete node_modules and install"},
	{"runtime-too-old", "the server needs another version of its runtime: {}", "install the version that it asks for, and see that it is the one in PATH"},
	{"missing-module", "the module {} is not installed", "install what the server depends on: npm install, pip install, uv sync"},
	{"port-in-use", "the port {} is in use already", "end the other process, or give the server another port"},
	{missingVariable, "the server did not get {} in its environment", "pass on what is set here with -e NAME; set what is not"},
	{"docker-not-running", "Docker does not run", "start it, and see that docker ps works"},
	{"docker-without-input", "docker run without -i gives the server no input", "add -i: docker run -i --rm IMAGE"},
	{"backend-unresolved", "the server does not find a host that it needs: {}", "is its name right, and is there a network?"},
	{"backend-refused", "the server cannot connect to something that it needs: {}", "is that running, and is its address right?"},
	{"usage-text", "the server printed how it is used and ended: {}", "an argument or a sub-command is missing behind the command"},
	{"lsp-framing", "the server frames its messages like a language server, with Content-Length", "MCP wants one message on one line; use a version of the server that does"},
	{"serves-http", "the server serves HTTP and does not talk over its standard output: {}", "start it with its option for stdio, or give mcplint its URL"},
	{"stdout-text", "the server writes text to standard output, where only messages belong: {}", "have it log to standard error"},
	{endedEarly, "the server's process ended before it answered: {}", "start the command by hand and see what it wants: arguments, variables, files"},
	{endedLate, "the server's process ended after the handshake: {}", "that is a bug of the server; its last words are above"},
	{closedOutput, "the server closed its standard output and went on", "that is a bug of the server"},
	{noAnswer, "the server does not answer: {}", "is it an MCP server, and of this transport? --startup-timeout and --timeout wait longer"},
	{errorAnswer, "the server answered with an error: {}", "its message says why"},
	{brokenAnswer, "the server broke the protocol: {}", "that is a bug of the server; mcplint validate tells more"},
	{noVersion, "the server speaks no protocol version that was asked for", "leave out --protocol, or use another version of the server"},
	{endlessList, "a list of the server does not come to an end: {}", "that is a bug of the server: its last page has no nextCursor; mcplint stops there"},
	{echoesInput, "the command sends back what it is sent", "it is no MCP server, or something in between echoes, like a terminal; is it the right command?"},

	{proxyUnreachable, "the proxy {} cannot be reached", "HTTP_PROXY and HTTPS_PROXY name it; NO_PROXY lists hosts that need none"},
	{nameUnknown, "there is no host {}", "is the name spelled right? Some names exist in a company's network only"},
	{portClosed, "nobody listens at {}", "is the server running, and is the port right?"},
	{portSilent, "{} cannot be reached", "a firewall may be in between, or the address is wrong"},
	{tlsUntrusted, "the certificate of the server is from an unknown authority: {}", "--ca-file FILE trusts its authority, --insecure any"},
	{tlsExpired, "the certificate of the server is not valid at this time: {}", "the server needs a new one; is the clock here right?"},
	{tlsWrongName, "the certificate of the server is for another name: {}", "use the name that it is for, or have the server get one for this name"},
	{tlsNotSpoken, "the server does not speak TLS", "write http:// in place of https://, or another port"},
	{tlsFailed, "TLS fails: {}", "the two sides do not agree; the server's log may say why"},
	{tlsWanted, "the server wants TLS", "write https:// in place of http://"},
	{wantsCredentials, "the server wants credentials (HTTP status 401)", "--bearer-env VAR sends the token that the variable VAR holds, --header 'Name: value' anything else"},
	{refusesCredentials, "the server does not accept who asks ({})", "is the token right, has it expired, and does it have the scopes?"},
	{accessForbidden, "the server lets nobody in from here ({})", "many servers check the headers Host and Origin: use the name or address that it expects, like localhost; if it wants credentials, --bearer-env VAR sends a token"},
	{proxyCredentials, "the proxy wants credentials (HTTP status 407)", "put them into HTTP_PROXY or HTTPS_PROXY"},
	{redirectedAway, "the server sends clients to another address: {}", "use that address if it is the right one; credentials are not sent on"},
	{redirectLoop, "the server sends clients in circles: {}", "that is a mistake in the configuration of the server, or of a proxy before it"},
	{wrongPath, "there is no MCP endpoint at this path ({})", "many servers have it at /mcp, older ones at /sse"},
	{htmlAnswer, "a web page answered in place of the server ({})", "is the path right? A proxy, a login page or a firewall may stand in between"},
	{gatewayError, "a proxy is there, but not the server behind it ({})", "is the server running behind its proxy?"},
	{serverError, "the server failed inside ({})", "its log says why"},
	{statusRefused, "the server refuses the request ({})", "its answer may say why"},
	{notMCP, "something else than an MCP server answered: {}", "are host, port and path right?"},
	{emptyAnswer, "the server answered with nothing ({})", "is the path right? A request has an answer with a message in it"},
	{sseEndpoint, "this is an endpoint of the older transport HTTP+SSE, not of Streamable HTTP", "configure clients with the type sse, or use the server's path for Streamable HTTP"},
	{connectionLost, "the connection broke before the answer came: {}", "the server or a proxy ended it; their logs may say why"},
}

// Causes lists all that can be recognised, with … for what differs.
func Causes() []Cause {
	all := make([]Cause, len(catalogue))
	for i, c := range catalogue {
		c.Sentence = strings.ReplaceAll(c.Sentence, detail, "…")
		all[i] = c
	}
	return all
}

// because returns a cause of the catalogue with what was found in it.
func because(id, found string) *Cause {
	for _, c := range catalogue {
		if c.ID == id {
			c.Sentence = strings.ReplaceAll(c.Sentence, detail, bounded.Bytes(found, maxLine, "…"))
			return &c
		}
	}
	panic("there is no cause " + id)
}
