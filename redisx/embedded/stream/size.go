package stream

// What Redis 8.6.3 was measured to need (MEMORY USAGE) beside the listpacks themselves, in bytes.
const (
	streamOverhead   = 230
	nodeOverhead     = 70
	groupOverhead    = 208
	consumerOverhead = 125
	pendingOverhead  = 240
)

// Size is about how many bytes Redis would need for the stream. It costs the same however long the
// stream is.
func (s *Stream) Size() int64 {
	n := streamOverhead + s.bytes + nodeOverhead*len(s.nodes)
	for _, g := range s.groups {
		n += groupOverhead + pendingOverhead*g.pending.len() + consumerOverhead*len(g.consumers)
	}
	return int64(n)
}
