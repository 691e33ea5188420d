package httpguard

import "net/http"

// Alive is a health endpoint that tells liveness and nothing else (BEAR-5). Its
// path belongs in BearerConfig.Exempt.
func Alive(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Write([]byte(`{"status":"ok"}`)) // a client that has gone needs no answer
}
