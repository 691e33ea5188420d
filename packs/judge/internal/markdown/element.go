package markdown

import "golang.org/x/net/html/atom"

// A role says what an element does to the text around it. Roles are bits so that a set of them is one value.
type role uint32

const (
	roleBlock role = 1 << iota // stands on its own: div, section, figure
	roleParagraph
	roleHeading
	roleList
	roleItem
	roleTerms // dl
	roleTerm  // dt, dd
	roleQuote
	rolePre
	roleTable
	roleRow
	roleCell
	roleStyle // strong, em, del and their synonyms
	roleLink
	roleCode
	roleScript // sup, sub
)

const (
	inlineLevel = roleStyle | roleLink | roleCode | roleScript
	blockLevel  = ^inlineLevel

	// structure is what text cannot simply leave: an end tag that belongs outside must not tear it down.
	structure = roleHeading | roleList | roleItem | roleTerm | roleQuote | rolePre | roleTable | roleRow | roleCell
)

// roles lists every element that has an effect besides its content. Elements not listed, such as span, font, u, var
// and those HTML does not know, are read straight through and need no end.
var roles = map[atom.Atom]role{
	atom.Address: roleBlock, atom.Article: roleBlock, atom.Aside: roleBlock, atom.Body: roleBlock,
	atom.Caption: roleBlock, atom.Center: roleBlock, atom.Details: roleBlock, atom.Dialog: roleBlock,
	atom.Div: roleBlock, atom.Fieldset: roleBlock, atom.Figcaption: roleBlock, atom.Figure: roleBlock,
	atom.Footer: roleBlock, atom.Form: roleBlock, atom.Header: roleBlock, atom.Hgroup: roleBlock,
	atom.Legend: roleBlock, atom.Main: roleBlock, atom.Nav: roleBlock, atom.Search: roleBlock,
	atom.Section: roleBlock, atom.Summary: roleBlock,

	atom.P:  roleParagraph,
	atom.H1: roleHeading, atom.H2: roleHeading, atom.H3: roleHeading,
	atom.H4: roleHeading, atom.H5: roleHeading, atom.H6: roleHeading,
	atom.Ul: roleList, atom.Ol: roleList, atom.Menu: roleList, atom.Dir: roleList, atom.Li: roleItem,
	atom.Dl: roleTerms, atom.Dt: roleTerm, atom.Dd: roleTerm,
	atom.Blockquote: roleQuote,
	atom.Pre:        rolePre,
	atom.Table:      roleTable, atom.Tr: roleRow, atom.Td: roleCell, atom.Th: roleCell,

	atom.Strong: roleStyle, atom.B: roleStyle, atom.Em: roleStyle, atom.I: roleStyle,
	atom.Del: roleStyle, atom.S: roleStyle, atom.Strike: roleStyle,
	atom.A:    roleLink,
	atom.Code: roleCode, atom.Tt: roleCode, atom.Kbd: roleCode, atom.Samp: roleCode,
	atom.Sup: roleScript, atom.Sub: roleScript,
}

// dropped elements vanish together with their content.
var dropped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Iframe: true,
}

// A scope is a search through the open elements, innermost first: for one that plays a wanted role, as far as one that
// plays a stopping role.
type scope struct{ wanted, stops role }

// closedByStart says which open elements HTML closes without an end tag when an element with the given role starts.
// Apart from these, everything on block level closes an open paragraph.
var closedByStart = map[role]scope{
	roleHeading: {roleHeading, structure &^ roleHeading},
	roleItem:    {roleItem, roleList | roleQuote | rolePre | roleTable | roleCell},
	roleTerm:    {roleTerm, roleTerms | structure&^roleTerm},
	roleTable:   {roleTable, roleCell},
	roleRow:     {roleRow, roleTable},
	roleCell:    {roleCell, roleRow | roleTable},
	roleLink:    {roleLink, blockLevel},
}

// stopsEnd returns the roles beyond which an end tag has no power.
func stopsEnd(r role) role {
	switch r {
	case roleStyle, roleLink, roleCode, roleScript:
		return structure
	case roleItem:
		return roleList | roleTable | roleCell
	case roleTable:
		return 0
	case roleRow:
		return roleTable
	case roleCell:
		return roleRow | roleTable
	default:
		return roleTable | roleCell
	}
}
