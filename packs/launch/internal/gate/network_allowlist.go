package gate

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// CodeHostNotAllowed is the code of network_allowlist.
const CodeHostNotAllowed = "GATE_NETWORK_HOST_NOT_ALLOWED"

// networkAllowlist demands that the run talks only to hosts that its operator or
// its site's profile names, and to this machine.
func networkAllowlist(_ context.Context, v *View, r *report) {
	c := v.Config
	endpoints := []struct{ name, address string }{
		{"github_repo_url", c.GitHubRepoURL}, {"site_repo_url", c.SiteRepoURL}, {"workflows_repo_url", c.WorkflowsRepoURL},
		{"telemetry.endpoint_url", c.Telemetry.EndpointURL}, {"commit_service.endpoint_url", c.CommitService.EndpointURL},
	}
	if c.LLM.Mode == "online" {
		endpoints = append(endpoints, struct{ name, address string }{"llm.api_base_url", c.LLM.APIBaseURL})
	}
	for _, address := range c.ExtraEvidenceURLs {
		endpoints = append(endpoints, struct{ name, address string }{"extra_evidence_urls", address})
	}
	for _, endpoint := range endpoints {
		if endpoint.address == "" || strings.HasPrefix(endpoint.address, "embedded:") {
			continue
		}
		if parsed, err := url.Parse(endpoint.address); err != nil || !v.allowedHost(parsed) {
			r.add(0, CodeHostNotAllowed, "", endpoint.name+" "+hostName(parsed), "%s is at a host that is not allowed", endpoint.name)
		}
	}
}

func hostName(address *url.URL) string {
	if address == nil {
		return ""
	}
	return strings.ToLower(address.Hostname())
}

func (v *View) allowedHost(address *url.URL) bool {
	host := hostName(address)
	if address.Scheme == "file" && (host == "" || host == "localhost") { // no host of a network
		return true
	}
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		return true
	}
	allowed := slices.Concat(v.AllowedHosts, v.Profile.RepoPolicy.Hosts)
	for _, known := range []string{v.Profile.SiteRepoURL, v.Profile.WorkflowsRepoURL} {
		if parsed, err := url.Parse(known); err == nil {
			allowed = append(allowed, parsed.Hostname())
		}
	}
	for _, s := range v.Profile.Sections {
		allowed = append(allowed, v.Profile.Host(s))
	}
	return host != "" && slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, host) })
}
