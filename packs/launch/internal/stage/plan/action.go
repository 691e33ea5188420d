package plan

import (
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/stage/write/body"
)

var (
	thirdPerson = regexp.MustCompile(`^[A-Za-z]{2,}[^s\W]s$`)
	// aside is where the object of an action ends.
	aside = regexp.MustCompile(`[;:(]|,?\s(?:so that|so|without|which|because|while|when|and is|and are|with one|with a single|even)\b|\.(?:\s|$)`)
)

// longSubject is how many words the subject of a page has at most.
const longSubject = 8

// actionOf reads what a product does out of a claim such as "Merges tables that
// share a key": the stem of the verb, and the task as users say it, "merge tables
// that share a key". It is not ok if the claim does not begin with a verb.
func actionOf(text, product string) (action, subject string, ok bool) {
	text = strings.TrimSpace(body.Plain(text))
	if rest, cut := strings.CutPrefix(text, product+" "); cut {
		text = rest
	}
	text = strings.TrimSuffix(text, ".")
	verb, object, _ := strings.Cut(text, " ")
	if !thirdPerson.MatchString(verb) || object == "" {
		return "", "", false
	}
	if at := aside.FindStringIndex(object); at != nil {
		object = object[:at[0]]
	}
	words := strings.Fields(strings.TrimRight(object, ", "))
	if len(words) == 0 || len(words) >= longSubject {
		return "", "", false
	}
	verb = strings.ToLower(verb)
	switch verb {
	case "supports", "provides", "includes", "offers", "has", "is", "does", "was", "needs", "requires":
		return "", "", false // nothing that users do
	}
	return body.Stem(verb), infinitive(verb) + " " + strings.Join(words, " "), true
}

// infinitive is a verb as it stands after "to".
func infinitive(verb string) string {
	for _, ending := range []string{"ches", "shes", "sses", "xes", "zes", "oes"} {
		if strings.HasSuffix(verb, ending) {
			return strings.TrimSuffix(verb, "es")
		}
	}
	if rest, cut := strings.CutSuffix(verb, "ies"); cut && len(rest) > 1 {
		return rest + "y"
	}
	return strings.TrimSuffix(verb, "s")
}
