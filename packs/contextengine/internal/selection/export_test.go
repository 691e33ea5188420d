package selection

// PlainWords is for tests that compare it with another reading of the rule.
var PlainWords = plainWords
