package main

// runList is a page of runs, the latest first.
type runList struct {
	Runs []struct {
		RunID     string `json:"run_id"`
		Product   string `json:"product_slug"`
		State     string
		Activity  string
		StartedAt string `json:"started_at"`
	}
	NextCursor string `json:"next_cursor"`
}

// leastProduct is how much of the name of a product is left however long the
// names of runs are.
const leastProduct = 8

const productColumn = 3

func listText(p *page, list runList) {
	if len(list.Runs) == 0 {
		p.line("No runs were found.")
		p.next("start one", "start-repo", "./FOLDER", optAllowLocal)
		return
	}
	rows := [][]string{{"AGE", "STATE", "ACTIVITY", "PRODUCT", "RUN"}}
	for _, r := range list.Runs {
		rows = append(rows, []string{age(r.StartedAt, p.now), r.State, r.Activity, r.Product, r.RunID})
	}
	room := pageWidth
	for at, width := range widths(rows) {
		if at != productColumn {
			room -= width + len("  ")
		}
	}
	for _, row := range rows {
		row[productColumn] = cut(row[productColumn], max(room, leastProduct))
	}
	p.table(rows)
	if list.NextCursor != "" {
		p.heading("There are more:")
		p.line("  %s", p.more(list.NextCursor))
	}
}
