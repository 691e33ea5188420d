package crooked

import (
	"fmt"
	"strings"

	"mcpworks/lint"
	"mcpworks/mcp"
)

var schemaFaults = []Fault{
	{Rule: "SCH-001", Say: property(`{"type":"text"}`)},
	{Rule: "SCH-002", Say: listing(set(input0+"/$schema", "https://example.com/my-own"))},
	{Rule: "SCH-003", Say: property(`{"$ref":"https://example.com/term.json"}`)},
	{Rule: "SCH-004", Say: property(`{"$ref":"#/$defs/nothing"}`)},
	{Rule: "SCH-005", Say: listing(set(input0+"/$defs/node", js(`{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}`)), set(input0+"/properties/more", js(`{"$ref":"#/$defs/node"}`)))},
	{Rule: "SCH-006", Say: listing(set("result/tools/1/inputSchema", js(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}`)))},
	{Rule: "SCH-007", Say: property(`{"type":"string","required":true}`)},
	{Rule: "SCH-008", Say: property(`{"type":"array"}`)},
	{Rule: "SCH-009", Say: property(`{"description":"Anything"}`)},
	{Rule: "SCH-010", Say: property(`{"type":"string","enum":[]}`)},
	{Rule: "SCH-011", Say: property(`{"type":"string","enum":["a","b","a"]}`)},
	{Rule: "SCH-012", Say: property(`{"type":"string","default":5}`)},
	{Rule: "SCH-013", Say: property(`{"type":"number","minimum":5,"maximum":1}`)},
	{Rule: "SCH-014", Say: property(`{"type":"string","pattern":"(?i)abc("}`)},
	{Rule: "SCH-015", Say: property(`{"type":"string","pattern":"^(a+)+$"}`)},
	{Rule: "SCH-016", Say: property(`{"type":"string","enum":["a","b"],"const":"c"}`)},
	{Rule: "SCH-017", Say: property(`{"type":"string","descripton":"A word"}`)},
	{Rule: "SCH-018", Say: listing(set(input0+"/anyOf", js(`[{"required":["unit"]},{"required":["labels"]}]`)))},
	{Rule: "SCH-019", Say: property(manyProperties(70))},
	{Rule: "SCH-020", Say: property(`{"type":["string","null"]}`)},
	{Rule: "SCH-021", Say: property(`true`)},
	{Rule: "SCH-022"}, // the healthy server has open objects, too
	{Rule: "SCH-023", Say: listing(set(input0+"/properties/two words", js(`{"type":"string"}`)))},
	{Rule: "SCH-024", Say: property(`{"type":"array","items":[{"type":"string"}]}`)},
	{Rule: "SCH-025", Say: property(`{"type":"string","format":"postcode-of-nowhere"}`)},
	{Rule: "SCH-026", Say: listing(set(input0+"/properties/Unit", js(`{"type":"string"}`)))},
	{Rule: "SCH-027", Say: property(`{"type":"string","examples":[5]}`)},
	{Rule: "SCH-028", Say: listing(explode)},
	{Rule: "SCH-029", Level: lint.Call, Say: when(isNotice(mcp.MethodElicit), func(_ *Chat, m Message) [][]byte {
		return one(bend(m.Raw, set("params/requestedSchema/properties/address", js(`{"type":"object","properties":{"street":{"type":"string"}}}`))))
	})},
}

// manyProperties is an object with a number of them.
func manyProperties(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	return `{"type":"object","properties":{` + strings.Join(list, ",") + `}}`
}

// explode adds definitions of which each has the one before it ten times.
func explode(root any) {
	set(input0+"/$defs/d0", js(`{"type":"string"}`))(root)
	for i := 1; i <= 5; i++ {
		var list []string
		for range 10 {
			list = append(list, fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i-1))
		}
		set(fmt.Sprintf(input0+"/$defs/d%d", i), js(`{"anyOf":[`+strings.Join(list, ",")+`]}`))(root)
	}
	set(input0+"/properties/more", js(`{"$ref":"#/$defs/d5"}`))(root)
}
