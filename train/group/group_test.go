package group

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"capgraph/testing/freeport"
)

func TestMain(m *testing.M) {
	if os.Getenv(processVariable) != "" {
		os.Exit(runRank())
	}
	goleak.VerifyTestMain(m)
}

// places returns the places of n processes on this machine.
func places(t testing.TB, n int) []Place {
	t.Helper()
	master := fmt.Sprintf("127.0.0.1:%d", freeport.Find(t))
	all := make([]Place, n)
	for rank := range all {
		all[rank] = Place{Rank: rank, World: n, LocalRank: rank, LocalWorld: n, Master: master}
	}
	return all
}

// runPlaces calls do for all places at once and returns the errors, by rank.
func runPlaces(places []Place, do func(Place) error) []error {
	errs := make([]error, len(places))
	done := make(chan struct{})
	for i, p := range places {
		go func() {
			errs[i] = do(p)
			done <- struct{}{}
		}()
	}
	for range places {
		<-done
	}
	return errs
}

// runGroup joins n ranks and calls work for each once all have joined. The test fails if one
// returns an error.
func runGroup(t testing.TB, n int, work func(*Group) error) {
	t.Helper()
	var joined sync.WaitGroup
	joined.Add(n)
	for rank, err := range runPlaces(places(t, n), func(p Place) error {
		g, err := Join(context.Background(), p, Options{Timeout: 20 * time.Second})
		joined.Done()
		if err != nil {
			return err
		}
		defer g.Close()
		joined.Wait()
		return work(g)
	}) {
		if err != nil {
			t.Errorf("rank %d of %d: %v", rank, n, err)
		}
	}
}

// testValue returns element i of a rank. Sums of these values depend on the order of addition.
func testValue(rank, i int) float64 {
	return math.Sin(float64(i)*1.7+float64(rank)) * math.Pow(10, float64((i+3*rank)%9-4))
}

var lengths = []int{0, 1, 2, 3, 7, 4099, 3*blockBytes/8 + 1}

func TestSumsAreInTheOrderOfRanks(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4} {
		runGroup(t, n, func(g *Group) error {
			for _, length := range lengths {
				wide, narrow := make([]float64, length), make([]float32, length)
				for i := range wide {
					wide[i], narrow[i] = testValue(g.Rank, i), float32(testValue(g.Rank, i))
				}
				if err := errors.Join(g.Sum(wide), g.Sum32(narrow)); err != nil {
					return err
				}
				for i := range wide {
					sum, sum32 := testValue(0, i), float32(testValue(0, i))
					for rank := 1; rank < n; rank++ {
						sum += testValue(rank, i)
						sum32 += float32(testValue(rank, i))
					}
					if wide[i] != sum || narrow[i] != sum32 {
						return fmt.Errorf("element %d of %d is %v and %v, not %v and %v", i, length, wide[i], narrow[i], sum, sum32)
					}
				}
			}
			return nil
		})
	}
}

func TestGatherIsInTheOrderOfRanks(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4} {
		runGroup(t, n, func(g *Group) error {
			for shift := range lengths {
				// Some ranks have nothing, some more than a block.
				of := func(rank int) int { return lengths[(rank+shift)%len(lengths)] }
				part, raw := make([]float64, of(g.Rank)), make([]byte, of(g.Rank))
				for i := range part {
					part[i], raw[i] = testValue(g.Rank, i), byte(i*(g.Rank+1))
				}
				all, err := g.Gather(part)
				if err != nil {
					return err
				}
				parts, err := g.GatherBytes(raw)
				if err != nil {
					return err
				}
				for rank := range n {
					if len(parts[rank]) != of(rank) || len(all) < of(rank) {
						return fmt.Errorf("%d bytes of rank %d, not %d", len(parts[rank]), rank, of(rank))
					}
					for i := range of(rank) {
						if all[i] != testValue(rank, i) || parts[rank][i] != byte(i*(rank+1)) {
							return fmt.Errorf("number %d of rank %d is %v, byte %d", i, rank, all[i], parts[rank][i])
						}
					}
					all = all[of(rank):]
				}
				if len(all) > 0 {
					return fmt.Errorf("%d numbers too many", len(all))
				}
			}
			return nil
		})
	}
}

func TestBroadcastIsOfRankZero(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4} {
		runGroup(t, n, func(g *Group) error {
			for _, length := range []int{0, 1, blockBytes, blockBytes + 1} {
				what := []byte(strings.Repeat(fmt.Sprint(g.Rank), length))
				got, err := g.Broadcast(what)
				if err != nil || string(got) != strings.Repeat("0", length) {
					return fmt.Errorf("%d bytes, %v, not %d", len(got), err, length)
				}
			}
			return g.Barrier()
		})
	}
}

func TestABarrierWaitsForAll(t *testing.T) {
	late := make(chan struct{})
	runGroup(t, 3, func(g *Group) error {
		if g.Rank == 2 {
			time.Sleep(50 * time.Millisecond)
			close(late)
		}
		if err := g.Barrier(); err != nil {
			return err
		}
		select {
		case <-late:
			return nil
		default:
			return errors.New("it went on before the last had come")
		}
	})
}

func TestErrorReachesAllRanks(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, n := range []int{1, 2, 4} {
		runGroup(t, n, func(g *Group) error {
			if err := g.AnyError(nil); err != nil {
				return err
			}
			var own error
			if g.Rank == n-1 {
				own = broken
			}
			err := g.AnyError(own)
			e, ok := errors.AsType[*RankError](err)
			if !ok || e.Rank != n-1 || e.Err.Error() != broken.Error() || errors.Is(err, broken) != (own != nil) {
				return fmt.Errorf("error %v", err)
			}
			return g.Barrier() // the group goes on
		})
	}
}

func TestNothingIsAllocatedInAStep(t *testing.T) {
	const tries = 4
	runGroup(t, 3, func(g *Group) error {
		x, y, raw := make([]float64, 70_000), make([]float32, 1001), make([]byte, 100)
		step := func() error {
			_, err := g.Gather(x[:100*g.Rank])
			_, err2 := g.GatherBytes(raw[:10*g.Rank])
			_, err3 := g.Broadcast(raw)
			return errors.Join(err, err2, err3, g.Sum(x), g.Sum32(y), g.Barrier(), g.AnyError(nil))
		}
		var err error
		for range 3 {
			err = errors.Join(err, step())
		}
		if g.Rank == 0 {
			// All ranks are in this process: what any of them allocates counts, and what the runtime
			// does for goroutines that wait on a loaded machine, so the least of several counts.
			least := math.Inf(1)
			for range tries {
				least = min(least, testing.AllocsPerRun(20, func() { err = errors.Join(err, step()) }))
			}
			if least >= 1 {
				return fmt.Errorf("%v allocations in a step", least)
			}
			return err
		}
		for range tries * 21 {
			err = errors.Join(err, step())
		}
		return err
	})
}

func TestRanksOutOfStepFail(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*Group) error
		want string
	}{
		{"operations", func(g *Group) error {
			if g.Rank == 1 {
				return g.Barrier()
			}
			return g.Sum(make([]float64, 5))
		}, "all ranks do the same in the same order"},
		{"lengths", func(g *Group) error { return g.Sum(make([]float64, 5+g.Rank)) }, "another length"},
		{"widths", func(g *Group) error {
			if g.Rank == 1 {
				return g.Sum32(make([]float32, 8))
			}
			return g.Sum(make([]float64, 4))
		}, "all ranks do the same in the same order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runGroup(t, 3, func(g *Group) error {
				err := c.do(g)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					return fmt.Errorf("error %v", err)
				}
				if again := g.Barrier(); again != err {
					return fmt.Errorf("a broken group goes on: %v", again)
				}
				return nil
			})
		})
	}
}

// checkRankError checks that an error names a rank and contains words.
func checkRankError(err error, rank int, words string) error {
	e, ok := errors.AsType[*RankError](err)
	if !ok || e.Rank != rank || !strings.Contains(e.Error(), words) {
		return fmt.Errorf("error %v, which is not of rank %d, %q", err, rank, words)
	}
	return nil
}

func TestEndOfARankEndsAll(t *testing.T) {
	for _, c := range []struct {
		name  string
		end   func(*Group) error
		words string
	}{
		{"fails", func(g *Group) error { g.Fail(errors.New("no image is whole")); return nil }, "no image is whole"},
		{"leaves", func(g *Group) error { return nil }, "has left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runGroup(t, 4, func(g *Group) error {
				err := g.Sum(make([]float64, 1000))
				if g.Rank == 2 {
					return errors.Join(err, c.end(g))
				}
				if err == nil { // else the others were still at the first
					err = g.Sum(make([]float64, 1<<20))
				}
				return checkRankError(err, 2, c.words)
			})
		})
	}
}

func TestASilentRankIsNamed(t *testing.T) {
	t.Parallel()
	var others sync.WaitGroup
	others.Add(2)
	errs := runPlaces(places(t, 3), func(p Place) error {
		g, err := Join(context.Background(), p, Options{Timeout: 3 * time.Second})
		if p.Rank == 1 {
			others.Wait()
		} else {
			defer others.Done()
		}
		if err != nil {
			return err
		}
		defer g.Close()
		if p.Rank == 1 {
			return nil
		}
		return checkRankError(g.Sum(make([]float64, 1<<20)), 1, "3s")
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

func TestTheContextEndsTheGroup(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var joined sync.WaitGroup
	joined.Add(2)
	errs := runPlaces(places(t, 2), func(p Place) error {
		own := context.Background()
		if p.Rank == 0 {
			own = ctx
		}
		g, err := Join(own, p, Options{Timeout: 20 * time.Second})
		joined.Done()
		if err != nil {
			return err
		}
		defer g.Close()
		joined.Wait()
		if p.Rank == 0 {
			stop()
		}
		for err == nil {
			err = g.Barrier()
		}
		if p.Rank == 0 && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("error %v", err)
		}
		return checkRankError(err, 0, "canceled")
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

func TestAClosedGroup(t *testing.T) {
	for _, n := range []int{1, 2} {
		runGroup(t, n, func(g *Group) error {
			if err := errors.Join(g.Barrier(), g.Close(), g.Close()); err != nil {
				return err
			}
			x := []float64{1}
			for _, err := range []error{g.Sum(x), g.Barrier(), g.AnyError(nil)} {
				if !errors.Is(err, errClosed) {
					return fmt.Errorf("error %v", err)
				}
			}
			return nil
		})
	}
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{2, 4} {
		b.Run(fmt.Sprintf("ranks=%d", n), func(b *testing.B) {
			const elements = 16 << 20 // 64 MB
			b.SetBytes(4 * elements)
			runGroup(b, n, func(g *Group) error {
				x := make([]float32, elements)
				if err := g.Barrier(); err != nil {
					return err
				}
				if g.Rank == 0 {
					b.ResetTimer()
				}
				for range b.N {
					if err := g.Sum32(x); err != nil {
						return err
					}
				}
				return g.Barrier()
			})
		})
	}
}

func BenchmarkBarrier(b *testing.B) {
	runGroup(b, 4, func(g *Group) error {
		for range b.N {
			if err := g.Barrier(); err != nil {
				return err
			}
		}
		return nil
	})
}
