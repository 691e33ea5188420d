package cmdline

import "strings"

func (s *script) fish() {
	s.add("# fish completion for %s", s.Program)
	s.add("complete -c %s -n __fish_use_subcommand -f -a '%s'", s.Program, joined(s.names()))
	for _, v := range s.verbs {
		begin := "complete -c " + s.Program + " -n '__fish_seen_subcommand_from " + v.Name + "'"
		if words := s.words(v); words != nil {
			s.add("%s -f -a '%s'", begin, joined(words))
		}
		for _, o := range s.Options(v) {
			s.add("%s%s", begin, s.fishOption(o))
		}
	}
}

func (s *script) fishOption(o Option) (text string) {
	for _, name := range s.spellings(o) {
		switch plain := strings.TrimLeft(name, "-"); {
		case strings.HasPrefix(name, "--"):
			text += " -l " + plain
		case len(plain) == 1:
			text += " -s " + plain
		default:
			text += " -o " + plain
		}
	}
	switch values := o.offered(); {
	case values != nil:
		text += " -x -a '" + joined(values) + "'"
	case o.Kind != Toggle:
		text += " -r"
	}
	return text
}
