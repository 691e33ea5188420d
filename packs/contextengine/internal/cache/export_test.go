package cache

// IsTimestamp is for tests that compare it with package time.
var IsTimestamp = isTimestamp
