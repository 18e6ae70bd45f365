package embedded

import "pelscope/redisx/resp"

// valueAt is the value of one type at a key: nil without an error when there is no such key.
func valueAt[T any](c *call, key string) (*T, resp.Value) {
	o, ok := c.get(key)
	if !ok {
		return nil, resp.Value{}
	}
	v, ok := o.value.(*T)
	if !ok {
		return nil, errWrongType()
	}
	return v, resp.Value{}
}

func (c *call) hash(key string) (*hash, resp.Value)   { return valueAt[hash](c, key) }
func (c *call) members(key string) (*set, resp.Value) { return valueAt[set](c, key) }
func (c *call) list(key string) (*list, resp.Value)   { return valueAt[list](c, key) }
func (c *call) zset(key string) (*zset, resp.Value)   { return valueAt[zset](c, key) }

// text is the string at a key.
func (c *call) text(key string) (s string, there bool, bad resp.Value) {
	o, ok := c.get(key)
	if !ok {
		return "", false, resp.Value{}
	}
	s, ok = o.value.(string)
	if !ok {
		return "", false, errWrongType()
	}
	return s, true, resp.Value{}
}

// made is the value at a key, stored empty first when there is none.
func made[T any](c *call, key string, v *T, empty func() *T) *T {
	if v == nil {
		v = empty()
		c.set(key, v)
	}
	return v
}

// changed says that a collection was changed in place; an empty one is deleted.
func (c *call) changed(key string, left int, class byte, event string) {
	c.modified(key)
	c.event(class, event, key)
	if left == 0 {
		c.del(key)
		c.event('g', "del", key)
	}
}
