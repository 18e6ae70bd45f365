package embedded

import (
	"hash/fnv"
	"time"

	"github.com/google/btree"
)

// object is a key's value and what Redis keeps beside it.
//
// value is a string, or a pointer to a list, set, hash, zset or stream.Stream.
type object struct {
	value    any
	expireAt int64 // ms since 1970, 0: never
	accessed int64 // ms since 1970
	bytes    int64 // the estimate counted in Engine.memory
	raw      bool  // a string that was appended to is not embedded
	stop     func() bool
}

// db is one database. order holds the keys by their hash, for SCAN: a cursor is a hash, so it stays
// good while keys come and go.
type db struct {
	keys  map[string]*object
	order *btree.BTreeG[hashedKey]
}

type hashedKey struct {
	hash uint64
	key  string
}

func newDB() *db {
	return &db{keys: map[string]*object{}, order: btree.NewG(32, func(a, b hashedKey) bool {
		return a.hash < b.hash || a.hash == b.hash && a.key < b.key
	})}
}

// hashOf gives a key its place, the same in every run. A cursor is never 0, so no hash is.
func hashOf(key string) hashedKey {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return hashedKey{h.Sum64()>>1 | 1, key}
}

func (d *db) clear() {
	for _, o := range d.keys {
		o.stopTimer()
	}
	clear(d.keys)
	d.order.Clear(false)
}

func (o *object) stopTimer() {
	if o.stop != nil {
		o.stop()
		o.stop = nil
	}
}

// get looks a key up. A key whose time has come is deleted first, even when its timer is late.
func (e *Engine) get(db int, key string) (*object, bool) {
	o, ok := e.dbs[db].keys[key]
	if ok && o.expireAt != 0 && o.expireAt <= e.now() {
		e.expired(db, key)
		return nil, false
	}
	return o, ok
}

// set stores a value at a key; what was there, its expiry included, is gone.
func (e *Engine) set(db int, key string, value any) *object {
	old, had := e.get(db, key)
	o := &object{value: value, accessed: e.now()}
	if had {
		old.stopTimer()
		e.memory -= old.bytes
		if typeName(old.value) != typeName(value) {
			e.signal(db, key, true)
		}
	} else {
		e.dbs[db].order.ReplaceOrInsert(hashOf(key))
	}
	e.dbs[db].keys[key] = o
	e.modified(db, key)
	e.signal(db, key, false)
	return o
}

// del deletes a key and says whether there was one.
func (e *Engine) del(db int, key string) bool {
	if _, ok := e.get(db, key); !ok {
		return false
	}
	e.remove(db, key)
	return true
}

func (e *Engine) remove(db int, key string) {
	d := e.dbs[db]
	o := d.keys[key]
	o.stopTimer()
	e.memory -= o.bytes
	delete(d.keys, key)
	d.order.Delete(hashOf(key))
	e.touched(keyRef{db, key})
	e.signal(db, key, true)
}

// expired deletes a key whose time has come.
func (e *Engine) expired(db int, key string) {
	e.remove(db, key)
	e.stats.expired++
	e.notify(db, 'x', "expired", key)
}

// expireAt sets when a key goes (ms since 1970, 0: never). The key goes on its own when the clock
// reaches it, as with Redis's active expiry.
func (e *Engine) expireAt(db int, key string, o *object, at int64) {
	o.stopTimer()
	o.expireAt = at
	e.touched(keyRef{db, key})
	if at == 0 {
		return
	}
	wait := time.Duration(min(max(at-e.now(), 0), int64(maxTimer/time.Millisecond))) * time.Millisecond
	o.stop = e.after(wait, func() { e.get(db, key) })
}

// maxTimer keeps a far expiry within what a Duration holds; the key is looked at again when it is read.
const maxTimer = 250 * 365 * 24 * time.Hour

// modified says that the value at a key was changed: whoever watches it is told, and its size is
// counted anew.
func (e *Engine) modified(db int, key string) {
	e.touched(keyRef{db, key})
	if o, ok := e.dbs[db].keys[key]; ok {
		n := estimate(key, o)
		e.memory += n - o.bytes
		o.bytes = n
	}
}

// touched makes the transactions of those who watch a key fail.
func (e *Engine) touched(ref keyRef) {
	for c := range e.watchers[ref] {
		c.dirty = true
	}
}

func (e *Engine) outOfMemory() bool {
	return e.opts.MaxMemory > 0 && e.memory > e.opts.MaxMemory
}
