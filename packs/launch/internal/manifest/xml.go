package manifest

import (
	"encoding/xml"
	"strings"
)

func readPOM(m *Manifest, source string) error {
	var file struct {
		GroupID     string `xml:"groupId"`
		ArtifactID  string `xml:"artifactId"`
		Version     string `xml:"version"`
		Description string `xml:"description"`
		Parent      struct {
			GroupID string `xml:"groupId"`
			Version string `xml:"version"`
		} `xml:"parent"`
		Licenses     []string `xml:"licenses>license>name"`
		Release      string   `xml:"properties>maven.compiler.release"`
		Dependencies []struct {
			GroupID    string `xml:"groupId"`
			ArtifactID string `xml:"artifactId"`
			Scope      string `xml:"scope"`
		} `xml:"dependencies>dependency"`
	}
	if err := unmarshalXML(source, &file); err != nil {
		return err
	}
	m.Platform, m.RuntimeName = "java", "Java"
	m.group = firstOf(file.GroupID, file.Parent.GroupID)
	m.Name, m.Version = locate(source, "artifactId", file.ArtifactID), locate(source, "version", firstOf(file.Version, file.Parent.Version))
	m.Description, m.Runtime = locate(source, "description", file.Description), locate(source, "release", file.Release)
	if len(file.Licenses) > 0 {
		m.License = locate(source, "name", file.Licenses[0])
	}
	for _, dependency := range file.Dependencies {
		if dependency.Scope != "test" {
			m.Dependencies = append(m.Dependencies, strings.TrimSpace(dependency.GroupID)+":"+strings.TrimSpace(dependency.ArtifactID))
		}
	}
	return nil
}

func readProject(m *Manifest, source string) error {
	var file struct {
		Groups []struct {
			PackageID    string `xml:"PackageId"`
			AssemblyName string
			Version      string
			Description  string
			License      string `xml:"PackageLicenseExpression"`
			Framework    string `xml:"TargetFramework"`
			Frameworks   string `xml:"TargetFrameworks"`
			IsPackable   string
		} `xml:"PropertyGroup"`
		References []struct {
			Include string `xml:"Include,attr"`
		} `xml:"ItemGroup>PackageReference"`
	}
	if err := unmarshalXML(source, &file); err != nil {
		return err
	}
	m.Platform, m.RuntimeName = "dotnet", ".NET"
	set := func(field *Field, key, value string) {
		if field.Value == "" {
			*field = locate(source, key, value)
		}
	}
	for _, group := range file.Groups {
		set(&m.Name, "PackageId", group.PackageID)
		set(&m.Version, "Version", group.Version)
		set(&m.Description, "Description", group.Description)
		set(&m.License, "License", group.License)
		set(&m.Runtime, "TargetFramework", firstOf(group.Framework, group.Frameworks))
		m.Private = m.Private || strings.EqualFold(strings.TrimSpace(group.IsPackable), "false")
	}
	for _, reference := range file.References {
		m.Dependencies = append(m.Dependencies, reference.Include)
	}
	return nil
}

// unmarshalXML reads XML; entities that a document defines itself are errors.
func unmarshalXML(source string, into any) error {
	return xml.NewDecoder(strings.NewReader(source)).Decode(into)
}

func firstOf(values ...string) string {
	for _, value := range values {
		if value = strings.TrimSpace(value); value != "" {
			return value
		}
	}
	return ""
}
