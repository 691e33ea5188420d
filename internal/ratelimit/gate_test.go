package ratelimit

import (
	"testing"

	"pgregory.net/rapid"
)

func TestHTTP17GateKeepsBothLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, perKey := rapid.IntRange(1, 6).Draw(t, "total"), rapid.IntRange(1, 4).Draw(t, "per key")
		g, err := NewGate(GateConfig{Total: total, PerKey: perKey})
		if err != nil {
			t.Fatal(err)
		}
		inside, count := map[string][]func(){}, 0
		keys := rapid.SampledFrom([]string{"a", "b", "c"})
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				leave, ok := g.Enter(key)
				if want := count < total && len(inside[key]) < perKey; ok != want {
					t.Fatalf("Enter = %v with %d inside, %d of the key", ok, count, len(inside[key]))
				}
				if ok {
					inside[key] = append(inside[key], leave)
					count++
				}
			},
			"leave": func(t *rapid.T) {
				key := keys.Draw(t, "key")
				if n := len(inside[key]); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "who")
					inside[key][i]()
					inside[key][i]() // once too often
					inside[key] = append(inside[key][:i:i], inside[key][i+1:]...)
					count--
				}
			},
			"": func(t *rapid.T) {
				if g.inside != count || len(g.keys) > count {
					t.Fatalf("gate counts %d of %d keys, want %d", g.inside, len(g.keys), count)
				}
			},
		})
	})
}

func TestGateConfig(t *testing.T) {
	for _, config := range []GateConfig{{Total: -1}, {PerKey: -1}} {
		if _, err := NewGate(config); err == nil {
			t.Errorf("NewGate(%+v) accepts it", config)
		}
	}
	for config, want := range map[GateConfig]GateConfig{
		{}:          {DefaultTotal, DefaultPerKey},
		{Total: 3}:  {3, 3},
		{PerKey: 7}: {DefaultTotal, 7},
	} {
		g, err := NewGate(config)
		if err != nil || (GateConfig{g.total, g.perKey}) != want {
			t.Errorf("NewGate(%+v) = %+v, %v; want %+v", config, g, err, want)
		}
	}
}
