package cmdline

// Help is what the verb help prints: the overview of a program, or the help of
// the verb that its operand names.
func Help[C Command](g Grammar, commands []C, overview string, given Arguments) ([]byte, error) {
	if len(given.Operands) == 0 {
		return []byte(overview), nil
	}
	command, err := Find(g, commands, given.Operands[0])
	if err != nil {
		return nil, err
	}
	return []byte(command.Syntax().Help), nil
}
