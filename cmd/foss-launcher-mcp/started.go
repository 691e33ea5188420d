package main

// A start is a run that was left to others to execute.
type start struct {
	RunID   string `json:"run_id"`
	State   string
	Replay  bool `json:"idempotent_replay"`
	Derived *struct {
		Family   string
		Product  string `json:"product_slug"`
		Platform string `json:"target_platform"`
		Site     string `json:"site_profile"`
		Repo     string `json:"github_repo_url"`
		Ref      string `json:"github_ref"`
	} `json:"derived_config"`
	ResumedFrom string `json:"resumed_from"`
}

func startText(p *page, s start) {
	p.fact("Run", "%s", s.RunID)
	p.fact("State", "%s", s.State)
	switch {
	case s.Replay:
		p.fact("Request", "the same as before, with the same key: this is the run it started")
	case s.ResumedFrom != "":
		p.fact("Resumed", "from %s", s.ResumedFrom)
	}
	if d := s.Derived; d != nil && d.Repo != "" {
		p.fact("Repository", "%s", d.Repo)
		p.fact("Commit", "%s", d.Ref)
		p.fact("Product", "%s, of the family %s", d.Product, d.Family)
		if d.Platform != "" {
			p.fact("Platform", "%s", d.Platform)
		}
		if d.Site != "" {
			p.fact("Site", "%s", d.Site)
		}
	}
	p.next("watch it go on", "watch", s.RunID)
	p.next("work on it here, if no server does", "resume", s.RunID)
}
