package main

// cardList is a page of taskcards, by number.
type cardList struct {
	Cards []struct {
		ID, Title, Status, Owner string
		Active, Valid            bool
	} `json:"taskcards"`
	NextCursor string `json:"next_cursor"`
}

func taskcardsText(p *page, list cardList) {
	if len(list.Cards) == 0 {
		p.line("No taskcards were found.")
		return
	}
	rows := [][]string{{"CARD", "STATUS", "ACTIVE", "VALID", "TITLE"}}
	for _, card := range list.Cards {
		rows = append(rows, []string{card.ID, card.Status, yesNo(card.Active), yesNo(card.Valid), cut(card.Title, 44)})
	}
	p.table(rows)
	if list.NextCursor != "" {
		p.heading("There are more:")
		p.line("  %s", p.more(list.NextCursor))
	}
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
