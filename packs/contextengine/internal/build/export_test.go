package build

// What tests look at and have no other way to reach.
const MaxSource = maxSource

var (
	RenameChecked    = renameChecked
	ExchangeStepwise = exchangeStepwise
)
