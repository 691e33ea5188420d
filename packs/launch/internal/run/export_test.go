package run

// PathOf is where an artifact is kept.
var PathOf = pathOf

// WithReserve does something that meets a full disk.
func (s *Store) WithReserve(do func() error) error { return s.withReserve(do) }
