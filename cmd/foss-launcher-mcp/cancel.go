package main

// A cancellation is the end of a run.
type cancellation struct {
	RunID       string `json:"run_id"`
	Already     bool
	PRStaysOpen bool `json:"pr_stays_open"`
}

func cancelText(p *page, c cancellation) {
	if c.Already {
		p.line("%s was cancelled before.", c.RunID)
	} else {
		p.line("%s is cancelled.", c.RunID)
	}
	if c.PRStaysOpen {
		p.line("Its pull request stays open.")
	}
}
