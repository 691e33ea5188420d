package facts

import (
	"regexp"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/redact"
)

// isQuestion is a heading that asks, in one sentence.
var isQuestion = regexp.MustCompile(`^[^.!?]{6,150}\?$`)

// shortAnswer begins an answer that says nothing without its question.
var shortAnswer = regexp.MustCompile(`(?i)^(?:yes|no|because|only if|only when|sure|of course|not yet|not really)\b`)

// isAnswer says that a block answers the heading above it, and says nothing without
// that: limits are said wherever they are. Code below a question makes it a task.
func isAnswer(block document.Block, shown map[string]bool) bool {
	isLimit := limits.MatchString(block.Text) && !shortAnswer.MatchString(block.Text) && !leans(block.Text)
	return isQuestion.MatchString(block.Heading) && !shown[block.Heading] && !isLimit
}

// shownBelow are the headings with code below them.
func shownBelow(d document.Document) map[string]bool {
	shown := map[string]bool{}
	for _, fence := range d.Fences {
		shown[fence.Heading] = true
	}
	return shown
}

// longAnswer is how many bytes a question has with its answer.
const longAnswer = 390

// fromQuestions makes a statement of each heading that asks, with the sentences of
// the first paragraph below it.
func (b *builder) fromQuestions(file documentFile, shown map[string]bool, hidden, traps lineSet) {
	if file.origin.audience != "" || file.origin.priority == fromNotes || b.scopes[file.path] != "" {
		return
	}
	at := 0
	for i, heading := range file.Headings {
		next := len(b.split(file.path)) + 1
		if i+1 < len(file.Headings) {
			next = file.Headings[i+1].Line
		}
		for at < len(file.Blocks) && file.Blocks[at].Start <= heading.Line {
			at++
		}
		end := at
		for end < len(file.Blocks) && file.Blocks[end].Start < next {
			end++
		}
		if said, last := answered(heading, file.Blocks[at:end], shown); said != "" && !hidden.touch(heading.Line, last) && !traps.touch(heading.Line, last) {
			b.fromQuestion(file, heading, said, last)
		}
		at = end
	}
}

// answered is a question with its answer, and the line where that ends.
func answered(heading document.Heading, blocks []document.Block, shown map[string]bool) (said string, end int) {
	for _, block := range blocks {
		whole := heading.Text + " " + block.Text
		if said != "" {
			whole = said + " " + block.Text
		}
		off := block.Kind != document.Sentence || !isAnswer(block, shown) || strings.HasSuffix(block.Text, ":") || uncertain.MatchString(block.Text) || offTopic(block) != ""
		if off || end > 0 && block.Start > end+1 || len(whole) > longAnswer {
			break
		}
		said, end = whole, block.End
	}
	return said, end
}

func (b *builder) fromQuestion(file documentFile, heading document.Heading, said string, end int) {
	text, suspicious := tidy(said)
	if suspicious || len(redact.Find(text)) > 0 {
		return
	}
	kind := "feature"
	if limits.MatchString(text) {
		kind = "limitation"
	}
	b.keep(&candidate{
		text: text, kind: kind, audience: audienceOf(text), heading: heading.Text, planned: file.origin.planned || planned.MatchString(text),
		priority: file.origin.priorityOf(text),
		citation: artifact.Citation{Path: file.path, StartLine: heading.Line, EndLine: end, SourceType: file.origin.sourceType},
	})
}
