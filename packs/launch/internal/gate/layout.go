package gate

import (
	"context"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/siteprofile"
)

// The codes of layout.
const (
	CodeLayoutPath      = "GATE_LAYOUT_PATH_MISMATCH"
	CodeLayoutURL       = "GATE_LAYOUT_URL_MISMATCH"
	CodeHugoMissing     = "GATE_HUGO_CONFIG_MISSING"
	CodeHugoNotEnabled  = "GATE_HUGO_CONFIG_SUBDOMAIN_NOT_ENABLED"
	CodeHugoPathOutside = "GATE_HUGO_CONFIG_PATH_MISMATCH"
)

// layout demands that pages lie where the site expects them (8.4), and that the
// site is built for them.
func layout(_ context.Context, v *View, r *report) {
	seen := map[string]string{}
	for i := range v.Plan.Pages {
		plan := &v.Plan.Pages[i]
		v.judgePlace(plan, r)
		key := v.hostOf(plan.Section) + plan.URLPath
		if other, taken := seen[key]; taken {
			r.add(0, CodeLayoutURL, plan.OutputPath, "taken by "+other, "the page has the same address as %s", other)
		}
		seen[key] = plan.OutputPath
	}
	for p := range v.changedPages {
		if _, err := v.Profile.Locate(p.Path, v.layout()); err != nil && p.Plan == nil && !v.inBase(p.Path) {
			r.add(0, CodeHugoPathOutside, p.Path, "place", "the page does not lie where pages of the site lie")
		}
	}
	if v.Profile.Generator == "hugo" && v.Config.Hugo.UseConfigGate {
		v.judgeBuild(r)
	}
}

func (v *View) layout() siteprofile.Layout {
	if v.Product.Platform != "" {
		return siteprofile.V2
	}
	return siteprofile.V1
}

func (v *View) judgePlace(plan *artifact.Page, r *report) {
	place, err := v.Profile.Locate(plan.OutputPath, v.layout())
	if err != nil {
		r.add(0, CodeLayoutPath, plan.OutputPath, "place", "the page does not lie where the layout has it")
		return
	}
	if !v.Profile.FamilySegment {
		place.Family = v.Product.Family
	}
	if place.Product != v.Product || place.Section != plan.Section || place.Locale != plan.Locale {
		r.add(0, CodeLayoutPath, plan.OutputPath, "product", "the page lies in the folder of another product, section or language")
		return
	}
	want, err := v.Profile.URLPath(place, v.Hugo.DefaultLanguageInSubdir)
	if err != nil || want != plan.URLPath {
		r.add(0, CodeLayoutURL, plan.OutputPath, "url", "the page is planned as %s, but will be at %s", quoted(plan.URLPath), quoted(want))
	}
}

// judgeBuild looks whether the site's configuration has the pages' hosts and
// family.
func (v *View) judgeBuild(r *report) {
	if v.Context.Hugo == nil || len(v.Context.Hugo.BuildMatrix) == 0 {
		r.add(0, CodeHugoMissing, v.Config.Hugo.ConfigDir, "matrix", "the site has no configuration that builds it")
		return
	}
	for _, plan := range v.Plan.Pages {
		host := v.hostOf(plan.Section)
		built := slices.ContainsFunc(v.Context.Hugo.BuildMatrix, func(b artifact.BuildEntry) bool {
			return b.Subdomain == host && b.Family == v.Product.Family
		})
		if !built {
			r.add(0, CodeHugoNotEnabled, v.Config.Hugo.ConfigDir, host, "%s is not built for %s", host, v.Product.Family)
		}
	}
}

func (v *View) hostOf(section string) string {
	s, _ := v.Profile.Section(section)
	return v.Profile.Host(s)
}
