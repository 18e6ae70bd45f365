package stream_test

import (
	"testing"

	"pelscope/redisx/embedded/stream"
)

func BenchmarkAppend(b *testing.B) {
	s := stream.New()
	fields := []string{"eventType", "OrderPaid", "orderId", "10051"}
	b.ReportAllocs()
	for i := range b.N {
		_ = s.Append(stream.ID{MS: uint64(i + 1)}, fields, stream.DefaultLimits())
	}
}

func BenchmarkGetInAMillion(b *testing.B) {
	s := filled(b, 1_000_000)
	b.ResetTimer()
	for i := range b.N {
		s.Get(stream.ID{MS: uint64(i%1_000_000 + 1)})
	}
}

func BenchmarkDeliverAndAck(b *testing.B) {
	s := filled(b, 1_000_000)
	s.CreateGroup("g", stream.ID{}, 0)
	g := s.Group("g")
	c, _ := g.CreateConsumer("a", 1)
	b.ResetTimer()
	for i := range b.N {
		if i%1_000_000 == 0 {
			g.SetID(stream.ID{}, 0)
		}
		s.Deliver(g, c, 1, false, 1, func(e stream.Entry) { g.Ack(e.ID) })
	}
}
