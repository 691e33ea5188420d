package plantuml_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"mcpworks/packs/plantuml"
)

func ExampleHandler() {
	handler := plantuml.Handler(plantuml.Config{})

	body := `{"plantumlCode":"@startuml\nBob -> Alice : hello\n@enduml"}`
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequest("POST", "/api/tools/encodePlantUML", strings.NewReader(body)))
	fmt.Println(reply.Body)
	// Output:
	// {"success":true,"result":{"url":"https://www.plantuml.com/plantuml/svg/SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80","encoded":"SoWkIImgAStDuNBAJrBGjLDmpCbCJbMmKiX8pSd9vt98pKi1IW80","format":"svg"}}
}
