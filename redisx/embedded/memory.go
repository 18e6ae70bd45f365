package embedded

import "pelscope/redisx/embedded/stream"

// Sizes that Redis 8.6 needs beside the bytes themselves, rounded; the numbers that come of them are
// estimates and are only promised to grow and shrink with the data.
const (
	keyOverhead   = 56 // the key's and the object's headers
	entryOverhead = 24 // a node of a hash table or skip list
)

// sizer is a value that knows its size in bytes.
type sizer interface{ size() int64 }

// estimate is about how many bytes a key and its value take.
func estimate(key string, o *object) int64 {
	n := int64(len(key)) + keyOverhead
	switch v := o.value.(type) {
	case string:
		n += int64(len(v))
	case *stream.Stream:
		n += streamSize(v)
	case sizer:
		n += v.size()
	}
	return n
}

// typeName is what TYPE says of a value.
func typeName(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case *stream.Stream:
		return "stream"
	case *list:
		return "list"
	case *set:
		return "set"
	case *hash:
		return "hash"
	case *zset:
		return "zset"
	}
	return "none"
}

// streamSize is about what a stream's nodes take.
func streamSize(s *stream.Stream) int64 {
	if b, ok := any(s).(sizer); ok {
		return b.size()
	}
	return int64(s.Nodes()) * 4096
}
