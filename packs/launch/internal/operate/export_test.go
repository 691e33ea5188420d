package operate

// Allowed says whether the network allowlist has a host.
func (l *Launcher) Allowed(host string) bool { return l.allowed(host) }
