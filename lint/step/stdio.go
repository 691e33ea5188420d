package step

// Framing is the phase of a talk with a process that writes well-formed messages
// in unusual pieces. There is one, in the legacy era if the server speaks it; a
// modern one begins with Discover. Its steps are the following, in this order.
// Their requests are ping, or server/discover in the modern era.
const Framing = "framing"

const (
	// OneInMany writes one request in three writes, with short pauses between
	// them. It does not wait for the answer, which is there when those to the next
	// step are.
	OneInMany = "one in many"
	// ManyInOne writes three requests in one write, and waits for the answers.
	ManyInOne = "many in one"
	// CarriageReturn writes one request whose line ends with CR LF.
	CarriageReturn = "carriage return"
	// Terminate sends SIGTERM while the input is open, and waits 5 s for the end
	// of the process. It is silent if that does not end.
	Terminate = "terminate"
)
