package gauge

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlyTheMeasuredTimeCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := Start(os.Getpid(), time.Second, 2*time.Second)
		calls := 0
		for more := true; more; calls++ {
			sent := time.Now()
			time.Sleep(100 * time.Millisecond)
			if calls == 5 {
				time.Sleep(time.Second) // in the warm-up
			}
			more = g.AnsweredSince(sent)
		}
		s := g.Sample()
		if s.CallsPerSecond != 10 || s.P50 != 100*time.Millisecond || s.P99 != 100*time.Millisecond {
			t.Errorf("after %d calls: %+v", calls, s)
		}
		if g.Answered(1) {
			t.Error("it goes on after the end")
		}
	})
}

func TestMedianOfEachFigure(t *testing.T) {
	got := Median([]Sample{
		{CallsPerSecond: 3, ServerCPU: 10, PeakRSS: 200},
		{CallsPerSecond: 1, ServerCPU: 30, PeakRSS: 100},
		{CallsPerSecond: 2, ServerCPU: 20, PeakRSS: 300},
	})
	if want := (Sample{CallsPerSecond: 2, ServerCPU: 20, PeakRSS: 200}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
