package cli_test

import "github.com/redis/go-redis/v9"

// entry is XADD stream id, with fields and values in this order.
func entry(stream, id string, fields ...any) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: stream, ID: id, Values: fields}
}
