package client

import (
	"context"
	"slices"
	"strings"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// rounds bounds how often one look asks again because what it found was not what it had planned for: a
// key of another type, another first group, entries that moved.
const rounds = 6

// Observe looks at the server. What is missing or refused stands in the State as unknown, with the
// reason. Its error is an *Error when the connection failed (a later look connects again), or a
// *TooLargeError when a key cannot be looked at whole.
//
// It only reads, and each look is one MULTI where the server allows MULTI; otherwise the State is Torn.
func (c *Client) Observe(ctx context.Context, s Scope) (state.State, error) {
	c.look.mu.Lock()
	defer c.look.mu.Unlock()
	c.look.begin()
	var st state.State
	var err error
	if len(s.Keys) > 0 {
		st, err = c.observeWhole(ctx, s)
	} else {
		st, err = c.observeWindow(ctx, s)
	}
	c.log.setCost(c.look.cost)
	return st, err
}

// keyLook is what one round asks about one key that is looked at whole.
type keyLook struct {
	name             string
	planned          string // the type that the read is for; empty when it was not known
	typ, read, count *ask
}

func (c *Client) observeWhole(ctx context.Context, s Scope) (state.State, error) {
	names := slices.Clone(s.Keys)
	slices.Sort(names)
	names = slices.Compact(names)
	for range rounds {
		b := &batch{}
		looks := make([]keyLook, len(names))
		for i, name := range names {
			looks[i] = c.planKey(b, name)
		}
		clients := askClients(b, s.Clients)
		if err := c.run(ctx, b); err != nil {
			return state.State{}, err
		}
		if again, err := c.judgeKeys(looks); err != nil {
			return state.State{}, err
		} else if again {
			continue
		}
		st := state.State{At: b.at, RTT: b.rtt, Torn: b.torn, Complete: true, Clients: clientsOf(clients, s.Clients)}
		for _, l := range looks {
			k, whole := l.key()
			if k.Stream != nil {
				c.look.types[l.name] = keyType{"stream", k.Stream.Length.Value}
			}
			st.Complete = st.Complete && whole
			st.Keys = append(st.Keys, k)
		}
		return st, nil
	}
	return state.State{}, &Error{Server: c.target.String(), Reason: Lost, Detail: "the keys change their types too fast to be looked at"}
}

// planKey asks for a key's type, and reads it as what it was at the last look.
func (c *Client) planKey(b *batch, name string) keyLook {
	known := c.look.types[name]
	if known.entries > MaxComplete {
		known = keyType{} // ask for its length again before its entries
	}
	l := keyLook{name: name, planned: known.name, typ: b.add("TYPE", name)}
	switch known.name {
	case "":
		l.count = b.add("XLEN", name)
	case "stream":
		l.read = b.add("XINFO", "STREAM", name, "FULL", "COUNT", "0")
	case "list":
		l.read = b.add("LRANGE", name, "0", "-1")
	case "hash":
		l.read = b.add("HGETALL", name)
	case "set":
		l.read = b.add("SMEMBERS", name)
	case "zset":
		l.read = b.add("ZRANGE", name, "0", "-1", "WITHSCORES")
	case "string":
		l.read = b.add("GET", name)
	}
	return l
}

// judgeKeys remembers the types and says whether a key was not what was planned for.
func (c *Client) judgeKeys(looks []keyLook) (again bool, err error) {
	for _, l := range looks {
		if l.typ.why() != "" {
			continue
		}
		typ := l.typ.reply.Text()
		if typ == l.planned {
			continue
		}
		again = true
		k := keyType{name: typ}
		if l.count != nil && typ == "stream" {
			k.entries, _ = l.count.reply.Int64()
			if k.entries > MaxComplete {
				return false, &TooLargeError{Key: l.name, Entries: k.entries}
			}
		}
		c.look.types[l.name] = k
	}
	return again, nil
}

// key makes the key of a look; whole says whether all of it could be read.
func (l keyLook) key() (k state.Key, whole bool) {
	k = state.Key{Name: l.name, Type: l.typ.reply.Text()}
	if why := l.typ.why(); why != "" {
		return state.Key{Name: l.name, Denied: why}, false
	}
	if l.read == nil { // absent, or of a type that holds nothing of ours
		return k, true
	}
	if why := l.read.why(); why != "" {
		k.Denied = why
		return k, false
	}
	v := l.read.reply
	switch k.Type {
	case "stream":
		st, ok := wholeStream(v)
		if !ok {
			k.Denied = "the server's reply to XINFO STREAM FULL cannot be read"
			return k, false
		}
		k.Stream = st
	case "list":
		k.Items = texts(v)
	case "set":
		for _, m := range texts(v) {
			k.Pairs = append(k.Pairs, state.Pair{Name: m})
		}
	case "hash", "zset":
		t := texts(v)
		for i := 0; i+1 < len(t); i += 2 {
			k.Pairs = append(k.Pairs, state.Pair{Name: t[i], Value: t[i+1]})
		}
	case "string":
		k.Pairs = []state.Pair{{Value: v.Text()}}
	}
	slices.SortFunc(k.Pairs, func(a, b state.Pair) int { return strings.Compare(a.Name, b.Name) })
	return k, true
}

func texts(v resp.Value) []string {
	out := make([]string, len(v.Elems))
	for i, e := range v.Elems {
		out[i] = e.Text()
	}
	return out
}

func askClients(b *batch, prefix string) *ask {
	if prefix == "" {
		return nil
	}
	return b.add("CLIENT", "LIST")
}
