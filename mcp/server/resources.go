package server

import (
	"context"
	"errors"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// A Resource is a definition with the code that reads it.
type Resource struct {
	mcp.Resource
	Read func(context.Context, *ReadCall) (*mcp.ReadResourceResult, error)
}

// A ResourceTemplate is a definition with the code that reads any resource of
// its family. Templates have variables of the forms {name}, which matches one
// path segment, and {+name}, which matches the rest.
type ResourceTemplate struct {
	mcp.ResourceTemplate
	Read func(context.Context, *ReadCall) (*mcp.ReadResourceResult, error)
}

// A ReadCall is one reading of a resource. ErrNotFound is the answer to a uri
// behind which nothing is.
type ReadCall struct {
	*Request
	URI       string
	Variables map[string]string // of a template
}

type registeredTemplate struct {
	ResourceTemplate
	pattern *uriPattern
}

func (r *Resource) key() string           { return r.URI }
func (t *registeredTemplate) key() string { return t.URITemplate }

func (srv *Server) storeResources(resources []Resource) error {
	items := make([]*Resource, len(resources))
	for i := range resources {
		item := resources[i]
		if err := checkReadable(item.URI, item.Name, item.Read == nil); err != nil {
			return declared("resource", item.URI, err)
		}
		items[i] = &item
	}
	c, err := newCatalog(srv, "resource", "resources", items, srv.opts.Revisions...)
	if err == nil {
		srv.resources.Store(c)
	}
	return err
}

func (srv *Server) storeTemplates(templates []ResourceTemplate) error {
	items := make([]*registeredTemplate, len(templates))
	for i, template := range templates {
		err := checkReadable(template.URITemplate, template.Name, template.Read == nil)
		if err != nil {
			return declared("resource template", template.URITemplate, err)
		}
		pattern, err := parseURIPattern(template.URITemplate)
		if err != nil {
			return declared("resource template", template.URITemplate, err)
		}
		items[i] = &registeredTemplate{template, pattern}
	}
	c, err := newCatalog(srv, "resource template", "resourceTemplates", items, srv.opts.Revisions...)
	if err == nil {
		srv.templates.Store(c)
	}
	return err
}

func checkReadable(uri, name string, unreadable bool) error {
	switch {
	case uri == "" || name == "":
		return errors.New("needs a uri and a name")
	case unreadable:
		return errors.New("needs a Read function")
	}
	return nil
}

func (srv *Server) listResources(ctx context.Context, r *Request) (mcp.Result, error) {
	known := srv.resources.Load()
	if srv.opts.ListResources == nil {
		return known.page(r)
	}
	found, err := srv.opts.ListResources(ctx, r)
	if err != nil {
		return nil, err
	}
	items := slices.Clone(known.items)
	for _, resource := range found {
		items = append(items, &Resource{Resource: resource})
	}
	now, err := newCatalog(srv, "resource", "resources", items, r.rev)
	if err != nil {
		return nil, err
	}
	return now.page(r)
}

// looksUp says whether an answer that is otherwise at hand has to be looked up,
// which may take its time.
func (srv *Server) looksUp(r *Request) bool {
	return srv.opts.ListResources != nil && r.methodName == mcp.MethodListResources
}

func (srv *Server) listTemplates(_ context.Context, r *Request) (mcp.Result, error) {
	return srv.templates.Load().page(r)
}

type readFunc = func(context.Context, *ReadCall) (*mcp.ReadResourceResult, error)

// findResource returns what reads a uri, nil if nothing does.
func (srv *Server) findResource(uri string) (read readFunc, variables map[string]string) {
	if resource, ok := srv.resources.Load().find(uri); ok {
		return resource.Read, nil
	}
	for _, template := range srv.templates.Load().items {
		if variables, ok := template.pattern.match(uri); ok {
			return template.Read, variables
		}
	}
	return nil, nil
}

func (srv *Server) readResource(ctx context.Context, r *Request) (mcp.Result, error) {
	uri, ok := rawjson.String(r.params.uri)
	if !ok {
		return nil, invalidParams("uri must be a string")
	}
	read, variables := srv.findResource(uri)
	if read == nil {
		return nil, ErrNotFound
	}
	if err := r.takeAnswers(); err != nil {
		return nil, err
	}
	result, err := read(ctx, &ReadCall{r, uri, variables})
	switch {
	case err != nil:
		return nil, err
	case len(result.Contents) == 0:
		return nil, ErrNotFound
	}
	for i := range result.Contents {
		if result.Contents[i].URI == "" {
			result.Contents[i].URI = uri
		}
	}
	cache := mcp.Cache{}
	if result.Cache != nil {
		cache = *result.Cache
	}
	return cacheable{result, cache}, nil
}
