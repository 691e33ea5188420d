package cmdline

import "strings"

// powershell offers files by itself where nothing is offered here. Options that
// differ in case alone are told apart.
func (s *script) powershell() {
	s.add("# PowerShell completion for %s", s.Program)
	s.add("Register-ArgumentCompleter -Native -CommandName %s -ScriptBlock {", s.Program)
	s.add("    param($word, $line, $position)")
	s.add("    $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })")
	s.add("    $options = $words = $values = @()")
	s.add("    if ($before.Count -lt 2) {")
	s.add("        $words = %s", quoted(s.names()))
	s.add("    } else {")
	s.add("        switch -CaseSensitive ($before[1]) {")
	for _, v := range s.verbs {
		s.add("            '%s' {", v.Name)
		s.add("                $options = %s", quoted(s.spelled(v)))
		if words := s.words(v); words != nil {
			s.add("                $words = %s", quoted(words))
		}
		s.add("                switch -CaseSensitive ($before[-1]) {")
		for _, o := range s.valued(v) {
			for _, name := range s.spellings(o) {
				s.add("                    '%s' { $values = %s }", name, quoted(o.offered()))
			}
		}
		s.add("                }")
		s.add("            }")
	}
	s.add("        }")
	s.add("    }")
	s.add("    $offered = if ($values) { $values } elseif ($word.StartsWith('-')) { $options } else { $words }")
	s.add("    $offered | Where-Object { $_.StartsWith($word, [StringComparison]::Ordinal) } | ForEach-Object {")
	s.add("        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)")
	s.add("    }")
	s.add("}")
}

// quoted is a list of words.
func quoted(words []string) string { return "@('" + strings.Join(words, "', '") + "')" }
