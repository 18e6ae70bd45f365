package client_test

import (
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
)

func TestWhatAServerIsAndCanDo(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		c := reader(t, s)
		srv := c.Server()
		if srv.String() != s.Name || srv.Role.Value != "master" || srv.Mode.Value != "standalone" {
			t.Errorf("%+v", srv)
		}
		valkey := s.Kind == "Valkey"
		for name, want := range map[string]bool{
			"XAUTOCLAIM": true, "xinfo": true, "lag": true, "full-info": true, "script": true, "multi": true,
			"inactive": valkey || s.AtLeast(7, 2), "no-touch": valkey || s.AtLeast(7, 2), "XACKDEL": s.AtLeast(8, 2),
			"XDELEX": s.AtLeast(8, 2), "readgroup-claim": s.AtLeast(8, 4), "idmp": s.AtLeast(8, 6), "XNACK": s.AtLeast(8, 8),
			"nosuch": false,
		} {
			if c.Features().Has(name) != want {
				t.Errorf("%s: %v", name, !want)
			}
		}
	})
}

func TestTheEmbeddedEngineSaysWhatItIs(t *testing.T) {
	e := embedded.New(embedded.Options{})
	defer e.Close()
	c := open(t, client.Target{}, client.Options{Dial: e.Dial})
	if got := c.Server().String(); got != "embedded engine, as Redis "+embedded.RedisVersion {
		t.Error(got)
	}
	for _, name := range []string{"XACKDEL", "lag", "inactive", "multi", "full-info", "idmp", "readgroup-claim"} {
		if !c.Features().Has(name) {
			t.Error("no", name)
		}
	}
}
