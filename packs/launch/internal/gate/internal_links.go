package gate

import "context"

// internalLinks demands that links of changed pages to this site lead somewhere.
func internalLinks(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		for _, link := range p.Links {
			if ctx.Err() != nil {
				return
			}
			if !p.New(link.Line) {
				continue
			}
			switch to := v.resolve(p.Path, link.Target); {
			case to.outside:
			case !to.found:
				r.add(link.Line, to.kind, p.Path, link.Target, "the link %s leads nowhere", quoted(link.Target))
			case to.anchor != "" && to.file != "" && !v.hasAnchor(to.file, to.anchor):
				r.add(link.Line, CodeLinkAnchor, p.Path, link.Target, "the link %s leads to a heading that its page does not have", quoted(link.Target))
			}
		}
	}
}
