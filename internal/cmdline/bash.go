package cmdline

import "strings"

// bash takes --name=value apart, at the sign.
func (s *script) bash() {
	s.add("# bash completion for %s", s.Program)
	s.add("_%s() {", s.Program)
	s.add("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options= words= values= target=")
	s.add("  if [ \"$COMP_CWORD\" -eq 1 ]; then")
	s.add("    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))", joined(s.names()))
	s.add("    return")
	s.add("  fi")
	s.add("  if [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi")
	s.add("  case ${COMP_WORDS[1]} in")
	for _, v := range s.verbs {
		s.add("    %s)", v.Name)
		s.add("      options='%s' words='%s' target=%s", joined(s.spelled(v)), joined(s.words(v)), targetMark(v))
		s.add("      case $prev in")
		for _, o := range s.valued(v) {
			s.add("        %s) values='%s' ;;", strings.Join(s.spellings(o), "|"), joined(o.offered()))
		}
		s.add("      esac ;;")
	}
	s.add("  esac")
	s.add("  if [ -n \"$values\" ]; then options= words=$values target=; fi")
	s.add("  case $cur in")
	s.add("    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")); return ;;")
	s.add("  esac")
	s.add("  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))")
	s.add("  [ -z \"$target\" ] || COMPREPLY+=($(compgen -c -- \"$cur\") $(compgen -f -- \"$cur\"))")
	s.add("}")
	s.add("complete -F _%[1]s %[1]s", s.Program)
}

// targetMark is a word for verbs with a target, and nothing for the others.
func targetMark(v Verb) string {
	if v.Target {
		return "yes"
	}
	return ""
}
