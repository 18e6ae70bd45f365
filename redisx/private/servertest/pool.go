package servertest

import (
	"sync"
	"testing"

	"pelscope/redisx/private"
)

// pool keeps the servers that no test is using.
type pool struct {
	look func() ([]private.Binary, error)

	mu   sync.Mutex
	idle map[private.Binary][]running
}

// shared is the pool of this test binary: tests have no other place in common.
var shared = &pool{
	look: sync.OnceValues(look),
	idle: map[private.Binary][]running{},
}

// binaries gives the servers found, at least one. Otherwise it ends the test: as failed when servers are required, as skipped when not.
func (p *pool) binaries(t testing.TB) []private.Binary {
	t.Helper()
	found, err := p.look()
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Skip("no real server: install redis-server 7.0 or newer, or list some in " + serversVar)
	}
	return found
}

// lend gives t a server until it ends: an idle one, or a new one.
func (p *pool) lend(t testing.TB, b private.Binary) Server {
	t.Helper()
	p.mu.Lock()
	var s running
	if idle := p.idle[b]; len(idle) > 0 {
		s, p.idle[b] = idle[len(idle)-1], idle[:len(idle)-1]
	}
	p.mu.Unlock()
	if s.Server == nil {
		var err error
		if s, err = run(b); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := wash(s); err != nil {
			s.Stop() // killed, paused or spoiled by the test: the next one gets another
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.idle[b] = append(p.idle[b], s)
	})
	return newServer(s.Server)
}

// close stops the idle servers, all at once.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var stopping sync.WaitGroup
	for b, idle := range p.idle {
		for _, s := range idle {
			stopping.Go(func() { s.Stop() })
		}
		delete(p.idle, b)
	}
	stopping.Wait()
}
