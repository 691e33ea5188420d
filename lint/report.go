package lint

// A Report is what the rules say of a record.
type Report struct {
	Record   *Record
	Findings []Finding // worst first, then by rule and subject
	Results  []Result  // in the order of the rules
}

// A Result is how one rule ended.
type Result struct {
	Rule   *Rule
	Status Status
	Reason string // why it is not Pass, or what there is to add to Fail
}

// A Status is how a rule ended. Not verified is never passed.
type Status int

// The ways to end.
const (
	Pass Status = iota
	Fail
	NotApplicable
	NotVerified
	Skipped
)

var statusNames = []string{"pass", "fail", "not_applicable", "not_verified", "skipped"}

func (s Status) String() string { return statusNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Count returns how many rules ended in a way.
func (r *Report) Count(status Status) (n int) {
	for _, result := range r.Results {
		if result.Status == status {
			n++
		}
	}
	return n
}

// CountFindings returns how many findings have a severity.
func (r *Report) CountFindings(severity Severity) (n int) {
	for _, f := range r.Findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}
