package cmdline

import "strings"

// zsh works both from a directory of its function path and when it is read.
func (s *script) zsh() {
	s.add("#compdef %[1]s\n# zsh completion for %[1]s", s.Program)
	s.add("_%s() {", s.Program)
	s.add("  local -a options others values")
	s.add("  local target=")
	s.add("  if (( CURRENT == 2 )); then")
	s.add("    compadd -- %s", joined(s.names()))
	s.add("    return")
	s.add("  fi")
	s.add("  case ${words[2]} in")
	for _, v := range s.verbs {
		s.add("    %s)", v.Name)
		s.add("      options=(%s) others=(%s) target=%s", joined(s.spelled(v)), joined(s.words(v)), targetMark(v))
		s.add("      case ${words[CURRENT-1]} in")
		for _, o := range s.valued(v) {
			s.add("        %s) values=(%s) ;;", strings.Join(s.spellings(o), "|"), joined(o.offered()))
		}
		s.add("      esac ;;")
	}
	s.add("  esac")
	s.add("  if (( $#values )); then")
	s.add("    compadd -- $values")
	s.add("    return")
	s.add("  fi")
	s.add("  if [[ ${words[CURRENT]} == -* ]]; then")
	s.add("    compadd -- $options")
	s.add("    return")
	s.add("  fi")
	s.add("  compadd -- $others")
	s.add("  if [[ -n $target ]]; then")
	s.add("    _files")
	s.add("    _command_names -e")
	s.add("  fi")
	s.add("}")
	s.add("if [ \"$funcstack[1]\" = \"_%[1]s\" ]; then\n  _%[1]s \"$@\"\nelse\n  compdef _%[1]s %[1]s\nfi", s.Program)
}
