package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/packs/launch"
)

// A cardReport is the judgement on a taskcard.
type cardReport struct {
	ID               *string
	Valid            bool
	Errors, Warnings []problem
}

type problem struct {
	Code, Message, Section string
	Line                   int
}

// validCard is an error if the taskcard is not valid.
func validCard(answer json.RawMessage) error {
	var r cardReport
	if err := json.Unmarshal(answer, &r); err != nil || r.Valid {
		return err
	}
	return &failure{exit: launch.ExitInvalid, err: errors.New("the taskcard is not valid")}
}

func taskcardText(p *page, r cardReport) {
	name := "The taskcard"
	if r.ID != nil {
		name = *r.ID
	}
	verdict := "is valid"
	if !r.Valid {
		verdict = "is not valid"
	}
	p.line("%s %s.", name, verdict)
	problemsText(p, "Errors", r.Errors)
	problemsText(p, "Warnings", r.Warnings)
}

func problemsText(p *page, heading string, problems []problem) {
	if len(problems) == 0 {
		return
	}
	p.heading("%s: %d", heading, len(problems))
	for _, one := range problems {
		place := ""
		switch {
		case one.Line > 0:
			place = fmt.Sprintf("line %d: ", one.Line)
		case one.Section != "":
			place = one.Section + ": "
		}
		p.paragraph("", 2, place+one.Message+" ("+one.Code+")")
	}
}
